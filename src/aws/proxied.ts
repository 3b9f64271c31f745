// The proxy of the environment for everything that goes to an endpoint: load by the lean client, and requests
// of the AWS SDK, which knows no proxies of its own accord.
import { Agent as PlainAgent, type AgentOptions } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { DynoLoadError } from '../errors.ts';
import { type OpenSocket, socketOpener } from '../http/open-socket.ts';
import { type Environment, ProxyError, proxyFor } from '../http/proxy.ts';
import { type Endpoint, endpointText } from './endpoint.ts';

/**
 * The endpoint with the proxy that the environment names for it, if any, and a note of that.
 * @throws DynoLoadError USAGE where a variable names none
 */
export function withProxy(endpoint: Endpoint, environment: Environment): Endpoint {
  const proxy = findProxy(endpoint.url, environment);
  if (proxy === undefined) return endpoint;
  const note =
    `Requests go through the proxy at ${endpointText(proxy)}, as HTTPS_PROXY, HTTP_PROXY or ALL_PROXY say; ` +
    `its delays are part of the latencies.`;
  return { ...endpoint, proxy, notes: [...endpoint.notes, note] };
}

function findProxy(url: URL, environment: Environment): URL | undefined {
  try {
    return proxyFor(url, environment);
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    throw new DynoLoadError('USAGE', {
      what: error.message,
      why: 'requests would leave by a way that you did not mean',
      fix: 'write for example HTTPS_PROXY=http://proxy.example.com:3128, or list the host in NO_PROXY',
      cause: error,
    });
  }
}

/** Agents for an SDK client; the proxy is asked for a tunnel whatever the scheme. Empty where there is no proxy. */
export function proxyAgents(
  proxy: URL | undefined,
  options: AgentOptions = { keepAlive: true },
): { httpAgent?: PlainAgent; httpsAgent?: TlsAgent } {
  if (proxy === undefined) return {};
  return {
    httpAgent: Object.assign(new PlainAgent(options), { createConnection: connector('http:', proxy) }),
    httpsAgent: Object.assign(new TlsAgent(options), { createConnection: connector('https:', proxy) }),
  };
}

/** Where Node's agents want a connection to. */
interface Place {
  readonly host?: string | null | undefined;
  readonly port?: number | string | null | undefined;
}

/**
 * Node's agents ask this of themselves for each new connection. One opener for each host, so that TLS
 * sessions are used again.
 */
function connector(scheme: 'http:' | 'https:', proxy: URL) {
  const openers = new Map<string, OpenSocket>();
  return ({ host, port }: Place, done: (error: Error | null, socket?: Socket) => void): void => {
    const name = host?.includes(':') ? `[${host}]` : host;
    const origin = `${scheme}//${name}:${port}`;
    const open = openers.get(origin) ?? socketOpener(new URL(origin), { proxy, tunnelsPlain: true });
    openers.set(origin, open);
    open({
      connected: () => undefined,
      ready: (socket) => done(null, socket),
      failed: (error) => done(error),
    });
  };
}
