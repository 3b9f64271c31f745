// Aim: new connections take turns over a host's addresses, which are asked for anew after their lifetime.
// Method: a scripted name server and a clock that moves when told to.
import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { AddressCache, type ResolveAll } from '../../../src/http/address-cache.ts';

type Answer = readonly string[] | 'ENOTFOUND';

/** Gives the answers in turn, the last one for ever; each when `settle` is called, as over a network. */
function scripted(...answers: Answer[]) {
  const state = { nowMs: 0, questions: 0, settle: () => undefined as void };
  const resolve: ResolveAll = (_, done) => {
    const answer = answers[Math.min(state.questions++, answers.length - 1)] ?? [];
    state.settle = () =>
      answer === 'ENOTFOUND'
        ? done(Object.assign(new Error(answer), { code: answer }), [])
        : done(null, answer.map(addressOf));
  };
  return { state, cache: new AddressCache({ resolve, nowMs: () => state.nowMs, lifetimeMs: 1_000 }) };
}

function addressOf(address: string): LookupAddress {
  return { address, family: address.includes(':') ? 6 : 4 };
}

/** What `net.connect` would be told: all addresses, or an error's code. */
function look(cache: AddressCache, options: { family?: number } = {}): { told: unknown } {
  const result: { told: unknown } = { told: undefined };
  cache.lookup('db.example.com', { all: true, ...options }, (error, addresses) => {
    const isList = Array.isArray(addresses);
    result.told = error ? error.code : isList ? addresses.map(({ address }) => address) : addresses;
  });
  return result;
}

test('connections start with each address in turn, and have the others to fall back on', () => {
  const { state, cache } = scripted(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
  const first = look(cache);
  state.settle();
  const told = [first, look(cache), look(cache), look(cache)].map((one) => one.told);
  expect(told).toEqual([
    ['10.0.0.1', '10.0.0.2', '10.0.0.3'],
    ['10.0.0.2', '10.0.0.3', '10.0.0.1'],
    ['10.0.0.3', '10.0.0.1', '10.0.0.2'],
    ['10.0.0.1', '10.0.0.2', '10.0.0.3'],
  ]);
  expect(state.questions).toBe(1);
});

test('the family that the system prefers stays first', () => {
  const { state, cache } = scripted(['10.0.0.1', 'fd00::1', '10.0.0.2']);
  look(cache);
  state.settle();
  expect(look(cache).told).toEqual(['10.0.0.2', '10.0.0.1', 'fd00::1']);
  expect(look(cache, { family: 6 }).told).toEqual(['fd00::1']);
});

test('connections opened at once share one question', () => {
  const { state, cache } = scripted(['10.0.0.1']);
  const both = [look(cache), look(cache)];
  state.settle();
  expect(both.map((one) => one.told)).toEqual([['10.0.0.1'], ['10.0.0.1']]);
  expect(state.questions).toBe(1);
});

test('after its lifetime an address is asked for anew', () => {
  const { state, cache } = scripted(['10.0.0.1'], ['10.0.0.9']);
  look(cache);
  state.settle();
  state.nowMs = 999;
  expect(look(cache).told).toEqual(['10.0.0.1']);
  state.nowMs = 1_000;
  const renewed = look(cache);
  expect(renewed.told).toBeUndefined();
  state.settle();
  expect(renewed.told).toEqual(['10.0.0.9']);
});

test('where the name server fails, the last known addresses stand in', () => {
  const { state, cache } = scripted(['10.0.0.1'], 'ENOTFOUND');
  look(cache);
  state.settle();
  state.nowMs = 5_000;
  const renewed = look(cache);
  state.settle();
  expect(renewed.told).toEqual(['10.0.0.1']);
});

test.each<[string, Answer]>([
  ['an unknown host is an error', 'ENOTFOUND'],
  ['a host without addresses is an error', []],
])('%s, and is asked for again the next time', (_, answer) => {
  const { state, cache } = scripted(answer, ['10.0.0.1']);
  const first = look(cache);
  state.settle();
  expect(first.told).toBe('ENOTFOUND');
  const second = look(cache);
  state.settle();
  expect(second.told).toEqual(['10.0.0.1']);
});

test('who asks for one address gets the next in turn with its family', () => {
  const { state, cache } = scripted(['fd00::1', 'fd00::2']);
  const told: unknown[] = [];
  cache.lookup('db.example.com', {}, (...answer) => told.push(answer));
  state.settle();
  cache.lookup('db.example.com', { all: false }, (...answer) => told.push(answer));
  expect(told).toEqual([
    [null, 'fd00::1', 6],
    [null, 'fd00::2', 6],
  ]);
});
