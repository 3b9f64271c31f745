// Builds dist before the end-to-end tests, which start the command as a user does. Costs 0.1 s when nothing changed.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Called by vitest once, before the first end-to-end test. */
export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
