// Opens sockets to one origin: plain for http, with TLS and session reuse for https, directly or through a proxy.
import { connect as connectPlain, isIP, type LookupFunction, type OnReadOpts, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { AddressCache } from './address-cache.ts';
import { openTunnel } from './proxy-tunnel.ts';

/**
 * Hears how a socket opens: `connected`, `ready`; or `failed` instead of either, and then nothing more. After
 * `ready` come bytes.
 */
export interface SocketListener {
  /** The way to the server stands; what follows until `ready` is TLS. */
  connected(): void;
  /** Bytes may be written. From here on the socket's own events tell of its end. */
  ready(socket: Socket): void;
  /** Bytes came; they are overwritten once this returns. Left out by who reads the socket's `data` instead. */
  received?(piece: Buffer): void;
  failed(error: Error): void;
}

/** Where a connection goes, and how it reads. */
interface Place {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
  readonly onread?: OnReadOpts;
}

/** As much as Node reads at once. */
const READ_BYTES = 65_536;

/** Opens a socket; returns a way to give up before it is ready. Nothing is told before it has returned. */
export type OpenSocket = (listener: SocketListener) => () => void;

export interface SocketOptions {
  /** A certificate (PEM) to trust instead of Node's roots. */
  readonly trusted?: string | undefined;
  /** Where to go through: a CONNECT tunnel for https, as a plain relay for http. */
  readonly proxy?: URL | undefined;
  /** Asks the proxy for a tunnel for http too, for those who cannot speak to a relay. */
  readonly tunnelsPlain?: boolean | undefined;
  readonly addresses?: AddressCache | undefined;
}

/**
 * The way to open sockets to an origin.
 * Certificates are checked against Node's roots and those of NODE_EXTRA_CA_CERTS.
 */
export function socketOpener(origin: URL, options: SocketOptions = {}): OpenSocket {
  const { proxy, trusted, tunnelsPlain = false, addresses = new AddressCache() } = options;
  const toFirstHop = openerTo(proxy ?? origin, addresses, proxy === undefined ? trusted : undefined);
  const isTls = origin.protocol === 'https:';
  if (proxy === undefined || !(isTls || tunnelsPlain)) return toFirstHop;
  const putTls = isTls ? tlsConnector(origin, trusted) : undefined;
  const upgrade = (socket: Socket, listener: SocketListener) =>
    putTls ? putTls({ socket }, listener) : asItIs(socket, listener);
  return (listener) => {
    let cancel = toFirstHop({
      connected: () => undefined,
      failed: listener.failed,
      ready: (socket) => {
        cancel = openTunnel(socket, { origin, proxy }, (error) => {
          if (error) listener.failed(error);
          else cancel = upgrade(socket, listener);
        });
      },
    });
    return () => cancel();
  };
}

function openerTo(url: URL, addresses: AddressCache, trusted: string | undefined): OpenSocket {
  const place: Place = { host: hostOf(url), port: portOf(url), lookup: addresses.lookup };
  const connectTlsTo = url.protocol === 'https:' ? tlsConnector(url, trusted) : undefined;
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  return (listener) => {
    const { received } = listener;
    const way = received === undefined ? place : { ...place, onread: readInto(buffer, received) };
    if (connectTlsTo) return connectTlsTo(way, listener);
    const socket = connectPlain({ ...way, noDelay: true });
    return watch(socket, 'connect', (error) => {
      if (error) {
        listener.failed(error);
        return;
      }
      listener.connected();
      listener.ready(socket);
    });
  };
}

/**
 * Has a socket read into one buffer and skip its own stream: 2 µs less per answer, 10 with TLS, and no 64 KB
 * to allocate for it. All sockets may share the buffer, since one read is over, callback included, before the
 * next begins.
 */
function readInto(buffer: Buffer, received: (piece: Buffer) => void): OnReadOpts {
  return {
    buffer,
    callback: (sizeBytes) => {
      received(buffer.subarray(0, sizeBytes));
      return true;
    },
  };
}

/** A tunnel without TLS: it is ready. */
function asItIs(socket: Socket, listener: SocketListener): () => void {
  listener.connected();
  if (listener.received) socket.on('data', listener.received);
  listener.ready(socket);
  // A tunnel leaves it paused, and listening alone does not undo that. Servers of HTTP never speak first, so
  // nothing is lost.
  if (socket.isPaused()) socket.resume();
  return () => destroyQuietly(socket);
}

/**
 * Opens TLS, to a place or over a socket that leads there; the latest session is offered to each new
 * connection, which saves a round trip and a signature.
 */
function tlsConnector(
  url: URL,
  trusted: string | undefined,
): (way: Place | { readonly socket: Socket }, listener: SocketListener) => () => void {
  const host = hostOf(url);
  let session: Buffer | undefined;
  const fixed: ConnectionOptions = {
    host,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(trusted === undefined ? {} : { ca: trusted }),
  };
  return (way, listener) => {
    const secure = connectTls({ ...fixed, ...way, ...(session && { session }) });
    secure.on('session', (latest) => {
      session = latest;
    });
    if ('socket' in way) takeOver(way.socket, secure, listener);
    else secure.setNoDelay(true).once('connect', listener.connected);
    return watch(secure, 'secureConnect', (error) => {
      if (error) listener.failed(error);
      else listener.ready(secure);
    });
  };
}

/**
 * From here on the secure socket speaks for the one below it. TLS over a socket that was open before knows no
 * `onread`.
 */
function takeOver(socket: Socket, secure: Socket, { connected, received }: SocketListener): void {
  socket.on('error', () => undefined);
  if (received) secure.on('data', received);
  connected();
}

/** Tells once how it went: the event, or what came instead of it. Returns a way to give up, which tells nothing. */
function watch(socket: Socket, event: string, done: (error: Error | undefined) => void): () => void {
  const finish = (error: Error | undefined): void => {
    socket.off(event, onEvent).off('error', finish).off('close', onClose);
    if (error) destroyQuietly(socket);
    done(error);
  };
  const onEvent = (): void => finish(undefined);
  const onClose = (): void => finish(Object.assign(new Error('closed early'), { code: 'CONNECTION_CLOSED' }));
  socket.on(event, onEvent).on('error', finish).on('close', onClose);
  return () => {
    socket.off(event, onEvent).off('error', finish).off('close', onClose);
    destroyQuietly(socket);
  };
}

function destroyQuietly(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.destroy();
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}
