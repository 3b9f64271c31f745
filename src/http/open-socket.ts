// Opens sockets to one origin: plain for http, with TLS session reuse for https. A proxy would be a third opener of the same shape.
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Opens a socket and calls `onReady` once bytes may be written; failures arrive as the socket's `error`. */
export type OpenSocket = (onReady: () => void) => Socket;

/**
 * The way to open sockets to an origin.
 * Certificates are checked against Node's roots and those of NODE_EXTRA_CA_CERTS.
 *
 * @param trusted  a certificate (PEM) to trust instead of Node's roots
 */
export function socketOpener(origin: URL, trusted?: string): OpenSocket {
  const host = origin.hostname.replace(/^\[|\]$/g, '');
  if (origin.protocol === 'https:') return tlsOpener(host, Number(origin.port || 443), trusted);
  const port = Number(origin.port || 80);
  return (onReady) => connectPlain({ host, port, noDelay: true }, onReady);
}

function tlsOpener(host: string, port: number, trusted: string | undefined): OpenSocket {
  let session: Buffer | undefined;
  const fixed = {
    host,
    port,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(trusted === undefined ? {} : { ca: trusted }),
  };
  return (onReady) => {
    const socket = connectTls(session ? { ...fixed, session } : fixed, onReady);
    socket.setNoDelay(true);
    socket.on('session', (latest) => {
      session = latest;
    });
    return socket;
  };
}
