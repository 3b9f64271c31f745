// Aim: measured service times are those of their curve, whatever the request; what was not measured is modelled.
// Method: draws at known places of small curves.
import { describe, expect, test } from 'vitest';
import type { Request } from '../../../src/dynamodb/operation.ts';
import type { Outcome } from '../../../src/dynamodb/outcome.ts';
import { MeasuredTimes, modelledTimes } from '../../../src/simulator/service-times.ts';

const get: Request = { api: 'GetItem', input: { TableName: 't', Key: {} } };
const query: Request = { api: 'Query', input: { TableName: 't', KeyConditionExpression: 'pk = :p' } };
const page: Outcome = {
  kind: 'ok',
  consumed: [{ tableName: 't', table: { readUnits: 100, writeUnits: 0 } }],
  output: {},
};

describe('percentiles', () => {
  const times = new MeasuredTimes({
    byApi: new Map([
      [
        'GetItem',
        { kind: 'percentiles', ratios: [0, 0.5, 0.99, 1], timesUs: [1_000, 2_000, 10_000, 20_000] },
      ],
    ]),
  });

  test.each([
    [0, 1_000],
    [0.25, 1_500],
    [0.5, 2_000],
    [0.745, 6_000],
    [0.99, 10_000],
    [0.995, 15_000],
  ])('at %s lie on the line between the points around it', (uniform, us) => {
    expect(times.untilEffectUs(get, uniform)).toBe(us);
  });

  test('are modelled for operations that are not among them, pages included', () => {
    expect(times.untilEffectUs(query, 0.3)).toBe(modelledTimes.untilEffectUs(query, 0.3));
    expect(times.afterEffectUs(query, page)).toBe(modelledTimes.afterEffectUs(query, page));
  });
});

describe('counts', () => {
  const times = new MeasuredTimes({
    byApi: new Map(),
    others: { kind: 'counts', ratios: [0.9, 1], timesUs: [1_500, 80_000] },
  });

  test.each([
    [0, 1_500],
    [0.899, 1_500],
    [0.9, 80_000],
    [0.999_999, 80_000],
  ])('at %s are a time that was seen', (uniform, us) => {
    expect(times.untilEffectUs(get, uniform)).toBe(us);
  });

  test('have in them what pages took', () => {
    expect(times.afterEffectUs(query, page)).toBe(0);
  });
});
