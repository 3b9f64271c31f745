// Where CloudWatch answers for an endpoint, and a client for it.
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynoLoadError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';
import type { ProbedTarget } from './probe-capabilities.ts';
import { proxyAgents } from './proxied.ts';

/** Where CloudWatch answers unless the user says so. @returns undefined for AWS's own. @throws DynoLoadError USAGE */
export function ownCloudWatch({ url, isAws }: Endpoint, { isServe, label }: ProbedTarget): URL | undefined {
  if (isAws) return undefined;
  if (isServe) return url;
  throw new DynoLoadError('USAGE', {
    what: `no CloudWatch is known for ${label}`,
    why: 'AWS has one, and dyno-load serve answers for its own tables; other servers have none',
    fix: 'leave --cloudwatch and --contributor-insights away, or say where with --cloudwatch-endpoint',
  });
}

/** A client at `url`, with the credentials of the endpoint; undefined: AWS's own. */
export function metricsClient(
  { region, credentials, proxy }: Endpoint,
  url: URL | undefined,
): CloudWatchClient {
  return new CloudWatchClient({
    region,
    ...(url === undefined ? {} : { endpoint: url.href }),
    credentials: async () => credentials.current(Date.now()),
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, ...proxyAgents(proxy) },
  });
}
