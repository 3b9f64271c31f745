// Aim: the cheapest variant is recommended among those whose result is not luck of placement. Method:
// variants in one line each: cost, units, share of placements that meet the goal.
import { describe, expect, test } from 'vitest';
import { LEAST_PLACEMENT_RATIO, recommend } from '../../../src/analysis/recommendation.ts';
import type { VariantResult } from '../../../src/analysis/run-result.ts';
import {
  buildPlacement,
  buildTotals,
  buildVariant,
  buildWorkload,
} from '../../support/run-result-builder.ts';

function variant(
  name: string,
  more: { cost?: number | null; share?: number; units?: number } = {},
): VariantResult {
  const { cost = 1, share, units = 10 } = more;
  return buildVariant({
    name,
    index: Number(name.slice(1)),
    placement: share === undefined ? null : buildPlacement(share),
    workloads: [
      buildWorkload({
        measured: buildTotals({
          outcomes: { ok: 10 },
          units: [{ resource: 't', readUnits: 0, writeUnits: units }],
        }),
        metrics: { costPerMillion: cost },
      }),
    ],
  });
}

test.each<[string, VariantResult[], string | null]>([
  [
    'the cheapest, though it is not the first',
    [variant('v0', { cost: 3 }), variant('v1', { cost: 2 })],
    'v1',
  ],
  [
    'at equal cost the one that spends less',
    [variant('v0', { units: 9 }), variant('v1', { units: 8 })],
    'v1',
  ],
  ['at equal cost and units the first', [variant('v0'), variant('v1')], 'v0'],
  [
    'one whose cost is known before one whose cost is not',
    [variant('v0', { cost: null }), variant('v1')],
    'v1',
  ],
  ['the first where no cost is known', [variant('v0', { cost: null }), variant('v1', { cost: null })], 'v0'],
  [
    'a dearer one that holds in most placements before a cheap one that was lucky',
    [variant('v0', { cost: 1, share: 0.19 }), variant('v1', { cost: 2, share: 0.99 })],
    'v1',
  ],
  [
    'the cheap one where both hold in most placements',
    [variant('v0', { cost: 1, share: LEAST_PLACEMENT_RATIO }), variant('v1', { cost: 2, share: 1 })],
    'v0',
  ],
  ['none where all were lucky', [variant('v0', { share: 0.19 }), variant('v1', { share: 0.94 })], null],
  ['one of which no placement is known', [variant('v0', { share: 0.19 }), variant('v1')], 'v1'],
])('recommends %s', (_, variants, name) => {
  expect(recommend(variants).variant).toBe(name);
});

describe('a variant whose result is the same wherever its keys fall', () => {
  const same = (name: string, ratio: number) => {
    const placement = buildPlacement(0);
    const throttledRatioFromFirstSecond = { median: ratio, p90: ratio, worst: ratio };
    return { ...variant(name), placement: { ...placement, throttledRatioFromFirstSecond } };
  };

  test('is recommended by its price alone, and owes nothing to luck', () => {
    expect(recommend([same('v0', 0.231)])).toEqual({ variant: 'v0', reasons: [] });
    const { variant: chosen, reasons } = recommend([same('v0', 0.231), variant('v1', { cost: 2, share: 1 })]);
    expect(chosen).toBe('v0');
    expect(reasons.join()).not.toContain('fell');
  });
});

describe('the reasons', () => {
  test('say what the lucky variant owes to luck, with figures', () => {
    const { reasons } = recommend([variant('v0', { share: 0.19 }), variant('v1', { share: 0.99 })]);
    expect(reasons).toEqual([
      'v0 is not recommended, since it owes its result to where its keys fell: at most 0.1 % is throttled ' +
        'in 19 % of 200 placements from the first second, in 100 % once settled',
    ]);
  });

  test('take lucky variants of equal odds together', () => {
    const share = 0.8;
    const variants = [variant('v0', { share }), variant('v1', { share }), variant('v2', { share: 1 })];
    expect(recommend(variants).reasons).toHaveLength(1);
    expect(recommend(variants).reasons[0]).toMatch(
      /^v0 and v1 are not recommended, since they owe their result/,
    );
  });

  test('say by the best of the lucky ones that the result hangs on placement', () => {
    const { reasons } = recommend([variant('v0', { share: 0.19 }), variant('v1', { share: 0.8 })]);
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(
      /^none is recommended, .* with v1 the best of them: .* in 80 % of 200 placements/,
    );
  });

  test.each<[string, VariantResult[], string[]]>([
    [
      'the price of the cheapest',
      [variant('v0', { cost: 3 }), variant('v1', { cost: 2 })],
      ['v1 is the cheapest of them at 2.00 USD per million operations on demand'],
    ],
    [
      'that another costs the same',
      [variant('v0'), variant('v1')],
      ['v0 costs 1.00 USD per million operations on demand, as does v1'],
    ],
    ['nothing of one that is alone', [variant('v0')], []],
  ])('tell %s', (_, variants, reasons) => {
    expect(recommend(variants).reasons).toEqual(reasons);
  });
});
