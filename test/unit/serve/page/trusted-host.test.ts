// Aim: names that another site can give to this machine are told from those that it cannot. Method: rows.
import { expect, test } from 'vitest';
import { isTrustedHost } from '../../../../src/serve/page/trusted-host.ts';

test.each([
  ['127.0.0.1:8000', true],
  ['192.0.2.7', true],
  ['[::1]:8000', true],
  ['localhost:8000', true],
  ['LOCALHOST', true],
  ['tables.localhost:8000', true],
  ['my-machine:8000', true],
  ['attacker.example', false],
  ['attacker.example:8000', false],
  ['127.0.0.1.attacker.example', false],
  ['localhost.attacker.example', false],
  ['notlocalhost', false],
  ['127.1', false],
  ['', false],
  ['[::1', false],
  ['a:b:c', false],
  [undefined, false],
])('%j', (host, isTrusted) => {
  expect(isTrustedHost(host, 'my-machine')).toBe(isTrusted);
});
