// Which proxy a URL is reached through, by the usual variables of the environment. How to speak to one is
// open-socket.ts's business. There is no standard: curl's rules are the ones that most programs follow.
// @see "Proxy environment variables", https://everything.curl.dev/usingcurl/proxies/env.html, read 2026-11-30

/** Variables of the environment, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that names no proxy which we can use; `message` is free of passwords. */
export class ProxyError extends Error {}

/**
 * The proxy for a URL, or undefined for a direct way. HTTPS_PROXY or HTTP_PROXY by the URL's scheme,
 * ALL_PROXY where that is not set, lower case before upper case. NO_PROXY lists hosts that are reached
 * directly: names (their subdomains included), each with a port where only that one is meant, or `*` for all.
 * Loopback addresses are always reached directly.
 *
 * @throws ProxyError where the variable is no http or https URL
 */
export function proxyFor(url: URL, environment: Environment): URL | undefined {
  if (isLoopback(url.hostname) || isExcepted(url, variable(environment, 'no_proxy'))) return undefined;
  const own = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const name = variable(environment, own) ? own : 'all_proxy';
  const text = variable(environment, name);
  if (!text) return undefined;
  const candidate = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const proxy = URL.canParse(candidate) ? new URL(candidate) : undefined;
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy;
  throw new ProxyError(`the proxy in ${name.toUpperCase()} is not an http or https URL`);
}

/** The header line that tells a proxy who asks; empty where its URL names no user. */
export function proxyAuthorization({ username, password }: URL): string {
  if (username === '') return '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `proxy-authorization: Basic ${Buffer.from(pair).toString('base64')}\r\n`;
}

function variable(environment: Environment, name: string): string {
  return (environment[name] ?? environment[name.toUpperCase()] ?? '').trim();
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
}

function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const portInUse = port || (protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      // An IPv6 address without brackets has no port.
      const isBareIpv6 = /^[^[]*:.*:/.test(entry);
      const [, name = '', onlyPort] =
        (isBareIpv6 ? [entry, entry] : /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(entry)) ?? [];
      const suffix = name.replace(/^\*?\./, '');
      if (suffix === '' || (onlyPort !== undefined && onlyPort !== portInUse)) return false;
      return host === suffix || host.endsWith(`.${suffix}`);
    });
}
