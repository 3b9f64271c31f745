// Aim: the environment's proxy is used exactly where its variables say. Method: rows of a URL, an environment
// and the proxy expected.
import { expect, test } from 'vitest';
import { type Environment, ProxyError, proxyAuthorization, proxyFor } from '../../../src/http/proxy.ts';

const aws = 'https://dynamodb.eu-west-1.amazonaws.com/';
const proxy = 'http://proxy.example.com:3128/';

test.each<[string, string, Environment, string | undefined]>([
  ['nothing set: directly', aws, {}, undefined],
  ['https goes by HTTPS_PROXY', aws, { HTTPS_PROXY: proxy, HTTP_PROXY: 'http://other' }, proxy],
  [
    'http goes by HTTP_PROXY',
    'http://db.example.com',
    { HTTP_PROXY: proxy, HTTPS_PROXY: 'http://other' },
    proxy,
  ],
  ['https never goes by HTTP_PROXY', aws, { HTTP_PROXY: proxy }, undefined],
  ['lower case comes before upper case', aws, { https_proxy: proxy, HTTPS_PROXY: 'http://other' }, proxy],
  ['ALL_PROXY stands in for what is not set', aws, { ALL_PROXY: proxy }, proxy],
  ['an empty variable counts as not set', aws, { HTTPS_PROXY: '', ALL_PROXY: proxy }, proxy],
  ['a proxy without a scheme speaks http', aws, { HTTPS_PROXY: 'proxy.example.com:3128' }, proxy],
  ['localhost is reached directly', 'http://localhost:8000', { HTTP_PROXY: proxy }, undefined],
  ['127.x.y.z is reached directly', 'http://127.1.2.3:8000', { HTTP_PROXY: proxy }, undefined],
  ['the IPv6 loopback is reached directly', 'http://[::1]:8000', { HTTP_PROXY: proxy }, undefined],
  ['NO_PROXY excepts a host', aws, { HTTPS_PROXY: proxy, NO_PROXY: new URL(aws).hostname }, undefined],
  [
    'NO_PROXY excepts the hosts of a domain',
    aws,
    { HTTPS_PROXY: proxy, NO_PROXY: 'x, amazonaws.com' },
    undefined,
  ],
  [
    'a leading dot or star changes nothing',
    aws,
    { HTTPS_PROXY: proxy, NO_PROXY: '*.amazonaws.com' },
    undefined,
  ],
  ['NO_PROXY knows whole labels only', aws, { HTTPS_PROXY: proxy, NO_PROXY: 'zonaws.com' }, proxy],
  ['NO_PROXY of * excepts all', aws, { HTTPS_PROXY: proxy, NO_PROXY: '*' }, undefined],
  ['NO_PROXY with the port in use', aws, { HTTPS_PROXY: proxy, NO_PROXY: 'amazonaws.com:443' }, undefined],
  ['NO_PROXY with another port', aws, { HTTPS_PROXY: proxy, NO_PROXY: 'amazonaws.com:8443' }, proxy],
  [
    'NO_PROXY with an IPv6 address',
    'http://[fd00::7]:8000',
    { HTTP_PROXY: proxy, NO_PROXY: 'fd00::7' },
    undefined,
  ],
  [
    'NO_PROXY with an IPv6 address and a port',
    'http://[fd00::7]:1',
    { HTTP_PROXY: proxy, NO_PROXY: '[fd00::7]:2' },
    proxy,
  ],
])('%s', (_, url, environment, expected) => {
  expect(proxyFor(new URL(url), environment)?.href).toBe(expected);
});

test.each(['socks5://proxy.example.com', 'http://user:secret@ho st'])(
  'refuses %s and tells no password',
  (text) => {
    const find = () => proxyFor(new URL(aws), { HTTPS_PROXY: text });
    expect(find).toThrow(ProxyError);
    expect(find).not.toThrow('secret');
  },
);

test('says which variable is wrong', () => {
  const find = () => proxyFor(new URL(aws), { ALL_PROXY: 'socks5://proxy.example.com' });
  expect(find).toThrow('the proxy in ALL_PROXY');
});

test('the user in the URL of a proxy becomes a Basic authorization', () => {
  // base64 of "me:p@ss"
  expect(proxyAuthorization(new URL('http://me:p%40ss@proxy'))).toBe(
    'proxy-authorization: Basic bWU6cEBzcw==\r\n',
  );
  expect(proxyAuthorization(new URL('http://proxy'))).toBe('');
});
