// The AWS SDK's client for what is not load: tables, and whatever asks for the SDK itself. Retries are on here.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Endpoint } from './endpoint.ts';
import { proxyAgents } from './proxied.ts';

/** An SDK client for an endpoint, with the credentials that load is signed with. To be destroyed by the caller. */
export function controlClient({ url, region, credentials, proxy }: Endpoint): DynamoDBClient {
  return new DynamoDBClient({
    endpoint: url.href,
    region,
    // Asked for each request, so that renewed credentials are used; our source keeps them.
    credentials: async () => credentials.current(Date.now()),
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, ...proxyAgents(proxy) },
  });
}
