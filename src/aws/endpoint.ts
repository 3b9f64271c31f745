// Where requests go: the URL of an endpoint, whether it is AWS itself, and the region in its name.
import { DynoLoadError } from '../errors.ts';
import type { CredentialSource } from './credentials.ts';

/** An endpoint with everything that is needed to speak to it. */
export interface Endpoint {
  readonly url: URL;
  readonly region: string;
  readonly credentials: CredentialSource;
  readonly isAws: boolean;
  /** Everything for this endpoint goes through it. */
  readonly proxy?: URL | undefined;
  /** What the user should know of how this came about, for example that made-up credentials are in use. */
  readonly notes: readonly string[];
}

/**
 * The URL of an endpoint as the user wrote it; `localhost:8000` gets `http://`.
 * @throws DynoLoadError USAGE
 */
export function parseEndpointUrl(text: string): URL {
  const candidate = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(candidate) ? new URL(candidate) : undefined;
  const isPlain = url && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (url && isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new DynoLoadError('USAGE', {
    what: `the target "${withoutUserInfo(text)}" is not an endpoint`,
    why: 'a target is simulated, serve, aws, or a URL of a scheme (http or https), a host and perhaps a port and a path',
    fix: 'write for example --target http://localhost:8000',
  });
}

function withoutUserInfo(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//…@');
}

/** Whether a host belongs to AWS: its public, private-link and dual-stack endpoints, in every partition. */
export function isAwsHost(hostname: string): boolean {
  return /(^|\.)(amazonaws\.(com|com\.cn|eu)|api\.aws|api\.amazonwebservices\.(com\.cn|eu))$/i.test(hostname);
}

/** The region in the name of an AWS host, for example `dynamodb.eu-west-1.amazonaws.com`; undefined where it names none. */
export function regionOfHost(hostname: string): string | undefined {
  return /(?:^|\.)([a-z]{2}(?:-[a-z]+)+-\d+)\./.exec(hostname)?.[1];
}

/** How messages and reports name an endpoint: scheme, host, port, and the path where there is one. */
export function endpointText(url: URL): string {
  return url.pathname === '/' ? url.origin : `${url.origin}${url.pathname}`;
}
