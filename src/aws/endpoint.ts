// Where requests go: the URL of an endpoint, whether it is AWS itself or this machine, and the region in its name.
import { domainToASCII } from 'node:url';
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

/**
 * A host name in the one form in which it can be compared: ASCII, lower case, without the dots that may end it.
 * Letters and dots of other scripts become those that a resolver would look up.
 */
export function canonicalHost(hostname: string): string {
  const ascii = hostname.startsWith('[') ? hostname : domainToASCII(hostname);
  return (ascii === '' ? hostname : ascii).toLowerCase().replace(/\.+$/, '');
}

// The suffixes of all partitions, as in `partitions` of @aws-sdk/core 3 (`dnsSuffix`, `dualStackDnsSuffix`),
// read 2026-11-30.
const awsSuffixes = [
  'amazonaws.com',
  'amazonaws.com.cn',
  'amazonaws.eu',
  'aws',
  'api.amazonwebservices.com.cn',
  'api.amazonwebservices.eu',
  'c2s.ic.gov',
  'api.aws.ic.gov',
  'sc2s.sgov.gov',
  'api.aws.scloud',
  'cloud.adc-e.uk',
  'api.cloud-aws.adc-e.uk',
  'csp.hci.ic.gov',
  'api.aws.hci.ic.gov',
] as const;

/** Whether a host belongs to AWS: its public, private-link and dual-stack endpoints, in every partition. */
export function isAwsHost(hostname: string): boolean {
  const host = canonicalHost(hostname);
  return awsSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/** Whether a host is this machine: `localhost`, 127.0.0.0/8, ::1. Other names may resolve to anything. */
export function isLoopbackHost(hostname: string): boolean {
  const host = canonicalHost(hostname);
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * The region in the name of an AWS host, for example `dynamodb.eu-west-1.amazonaws.com`; undefined where it
 * names none.
 */
export function regionOfHost(hostname: string): string | undefined {
  return /(?:^|\.)((?:[a-z]{2}|eusc)(?:-[a-z]+)+-\d+)\./.exec(canonicalHost(hostname))?.[1];
}

/**
 * A region that may become part of a host name and of signatures.
 * @param from  where it was given, for the message
 * @throws DynoLoadError USAGE for anything but small letters, digits and hyphens
 */
export function checkRegion(region: string, from: string): string {
  if (/^[a-z0-9-]+$/.test(region)) return region;
  throw new DynoLoadError('USAGE', {
    what: `the region ${JSON.stringify(region)} of ${from} is none`,
    why: 'it becomes part of the host that requests go to; a region has small letters, digits and hyphens only',
    fix: 'write for example --region eu-west-1',
  });
}

/**
 * Whether a request to a host goes to the endpoint. AWS answers for one region under several names (by account,
 * FIPS, dual-stack, private link); elsewhere only the same host and port are the same server.
 */
export function isSameServer({ url, region, isAws }: Endpoint, to: URL): boolean {
  if (isAws && isAwsHost(url.hostname))
    return isAwsHost(to.hostname) && regionOfHost(to.hostname) === (regionOfHost(url.hostname) ?? region);
  return canonicalHost(to.hostname) === canonicalHost(url.hostname) && portOf(to) === portOf(url);
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}

/** How messages and reports name an endpoint: scheme, host, port, and the path where there is one. */
export function endpointText(url: URL): string {
  return url.pathname === '/' ? url.origin : `${url.origin}${url.pathname}`;
}
