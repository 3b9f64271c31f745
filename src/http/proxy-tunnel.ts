// Asks a proxy for a tunnel to a host and port, over a socket that is connected to it.
// @see RFC 9110 section 9.3.6 (CONNECT), https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6, read 2026-11-30
import type { Socket } from 'node:net';
import { proxyAuthorization } from './proxy.ts';
import { readResponseHead } from './response-head.ts';

const MAX_HEAD_BYTES = 16_384;

/**
 * Makes the socket a tunnel to the origin's host and port.
 * @param done  once; with an error of code PROXY_REFUSED where the proxy will not, PROXY_FAILED where it
 *   hangs up or speaks no HTTP
 * @returns a way to give up, which tells nothing
 */
export function openTunnel(
  socket: Socket,
  { origin, proxy }: { readonly origin: URL; readonly proxy: URL },
  done: (error: Error | undefined) => void,
): () => void {
  const place = `${origin.hostname}:${origin.port || (origin.protocol === 'https:' ? 443 : 80)}`;
  let received = Buffer.alloc(0);
  const leave = (): void => void socket.off('data', onData).off('error', finish).off('close', onClose);
  const finish = (error: Error | undefined): void => {
    leave();
    if (error) abandon(socket);
    done(error);
  };
  const onClose = (): void => finish(failed('PROXY_FAILED', 'the proxy closed the connection'));
  const onData = (piece: Buffer): void => {
    received = Buffer.concat([received, piece]);
    const answer = readAnswer(received);
    // Whoever takes over reads the socket anew: it must not flow into nothing meanwhile.
    if (answer === undefined) socket.pause();
    if (answer !== 'incomplete') finish(answer);
  };
  socket.on('data', onData).on('error', finish).on('close', onClose);
  socket.write(`CONNECT ${place} HTTP/1.1\r\nhost: ${place}\r\n${proxyAuthorization(proxy)}\r\n`);
  return () => {
    leave();
    abandon(socket);
  };
}

/** Undefined where the tunnel stands. */
function readAnswer(received: Buffer): Error | 'incomplete' | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0 && received.length <= MAX_HEAD_BYTES) return 'incomplete';
  const head = headEnd < 0 ? undefined : readResponseHead(received.toString('latin1', 0, headEnd));
  if (head === undefined) return failed('PROXY_FAILED', 'the proxy does not speak HTTP');
  if (head.status < 200 || head.status > 299)
    return failed('PROXY_REFUSED', `the proxy answered ${head.status} to a request for a tunnel`);
  return undefined;
}

function abandon(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.destroy();
}

function failed(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
