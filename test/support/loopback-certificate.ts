// A certificate for localhost, made on the spot by the system's openssl, so that no private key lies in the
// repository.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A self-signed certificate and its key in PEM form, or why there is none. */
export function loopbackCertificate(): { key: string; cert: string } | { unavailable: string } {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-load-certificate-'));
  const key = join(folder, 'key.pem');
  const cert = join(folder, 'cert.pem');
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const made = spawnSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert]);
  try {
    if (made.status !== 0) return { unavailable: 'openssl is not at hand to make a certificate' };
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
