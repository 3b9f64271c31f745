// Whether a browser that asks us does so under a name that is ours. A page of another site can have its own name
// point at this machine (DNS rebinding) and would then count as one of our own pages; but it cannot give that name
// away. Clients that are no browsers may come by any name.
import { isIP } from 'node:net';

/**
 * Whether a `Host` header names this server in a way that no other site can: by address, as localhost, or as the
 * host that the server was told to listen on.
 */
export function isTrustedHost(header: string | undefined, ownHost: string): boolean {
  if (header === undefined) return false;
  const host = /^(\[[^\]]+\]|[^:]+)(?::\d{1,5})?$/.exec(header)?.[1]?.toLowerCase();
  if (host === undefined) return false;
  const name = host.startsWith('[') ? host.slice(1, -1) : host;
  return (
    isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || name === ownHost.toLowerCase()
  );
}
