// Aim: the environment's proxy becomes a part of the endpoint, and says so. Method: endpoints and
// environments as values.
import { expect, test } from 'vitest';
import { CredentialSource } from '../../../src/aws/credentials.ts';
import type { Endpoint } from '../../../src/aws/endpoint.ts';
import { proxyAgents, withProxy } from '../../../src/aws/proxied.ts';

const endpointOf = (url: string): Endpoint => ({
  url: new URL(url),
  region: 'eu-west-1',
  credentials: new CredentialSource({ accessKeyId: 'id', secretAccessKey: 'secret' }),
  isAws: true,
  notes: ['first'],
});
const aws = endpointOf('https://dynamodb.eu-west-1.amazonaws.com');

test('a proxy is noted without its password', () => {
  const { proxy, notes } = withProxy(aws, { HTTPS_PROXY: 'http://me:hidden@proxy.example.com:3128' });
  expect(proxy?.hostname).toBe('proxy.example.com');
  expect(notes).toHaveLength(2);
  expect(notes[1]).toContain('http://proxy.example.com:3128');
  expect(notes[1]).not.toContain('hidden');
});

test('without a proxy, and on loopback, the endpoint stays as it is', () => {
  expect(withProxy(aws, {})).toBe(aws);
  const local = endpointOf('http://127.0.0.1:8000');
  expect(withProxy(local, { HTTP_PROXY: 'http://proxy.example.com:3128' })).toBe(local);
});

test('a variable that names no proxy is refused, without its password', () => {
  const refuse = () => withProxy(aws, { HTTPS_PROXY: 'socks5://me:hidden@proxy.example.com' });
  expect(refuse).toThrow(expect.objectContaining({ code: 'USAGE' }));
  expect(refuse).not.toThrow('hidden');
});

test('the SDK gets agents only where there is a proxy', () => {
  expect(proxyAgents(undefined)).toEqual({});
  const { httpAgent, httpsAgent } = proxyAgents(new URL('http://proxy.example.com:3128'), { maxSockets: 7 });
  expect([httpAgent?.maxSockets, httpsAgent?.maxSockets]).toEqual([7, 7]);
});
