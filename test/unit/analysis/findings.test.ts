// Aim: each finding is seen where its cause is, names key, index and cure, and is not seen where its cause is
// not. Method: variants whose demand per key and partition is set by hand; sightings of several variants must
// merge.
import { describe, expect, test } from 'vitest';
import { findFindings } from '../../../src/analysis/findings.ts';
import { computeMetrics } from '../../../src/analysis/metrics.ts';
import type { ResourceResult, VariantResult, WorkloadResult } from '../../../src/analysis/run-result.ts';
import { shardingRun } from '../../support/frozen-runs.ts';
import {
  buildKey,
  buildPartitions,
  buildResource,
  buildTable,
  buildTotals,
  buildVariant,
  buildWorkload,
} from '../../support/run-result-builder.ts';

const SECONDS = 60;
const TABLE = 'dyno-load-main';

/**
 * Writes of one unit on GSI1 of which some are throttled for its key range; shares by key, demand by
 * partition.
 */
function throttledVariant(given: {
  demandPerSecond: number;
  throttledPerSecond: number;
  shares: Readonly<Record<string, number>>;
  partitions?: readonly (readonly [accepted: number, rejected: number])[];
  resource?: Partial<ResourceResult>;
  reason?: string;
  name?: string;
  onTable?: boolean;
}): VariantResult {
  const { demandPerSecond, throttledPerSecond, shares, partitions } = given;
  const resource = given.onTable ? TABLE : `${TABLE}/GSI1`;
  const ok = (demandPerSecond - throttledPerSecond) * SECONDS;
  const throttled = throttledPerSecond * SECONDS;
  const reason =
    given.reason ??
    (given.onTable ? 'TableWriteKeyRangeThroughputExceeded' : 'IndexWriteKeyRangeThroughputExceeded');
  return buildVariant({
    name: given.name ?? 'default',
    measuredSeconds: SECONDS,
    tables: [buildTable()],
    resources: [
      ...(given.onTable ? [] : [buildResource({ writeUnits: ok })]),
      buildResource({
        resource,
        indexName: given.onTable ? null : 'GSI1',
        writeUnits: ok,
        throttledWriteUnits: throttled,
        keys: Object.entries(shares).map(([key, writeShare]) => buildKey(key, { writeShare })),
        partitions:
          partitions === undefined
            ? null
            : buildPartitions(
                partitions.map(([accepted, rejected]) => ({
                  writeUnitsPerSecond: accepted,
                  throttledWriteUnits: rejected * SECONDS,
                })),
              ),
        ...given.resource,
      }),
    ],
    workloads: [
      buildWorkload({
        measured: buildTotals({
          outcomes: { ok, throttled },
          throttles: [{ reason, resource, count: throttled }],
          units: [{ resource, readUnits: 0, writeUnits: ok }],
        }),
      }),
    ],
  });
}

const shardNames = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, shard) => [`STATUS#PENDING#${shard}`, 1 / count]));

const idle = (count: number): [number, number][] => Array.from({ length: count }, () => [0, 0]);

const codesOf = (...variants: VariantResult[]): string[] =>
  findFindings(variants).map((finding) => finding.code);

describe('a hot key', () => {
  const unsharded = throttledVariant({
    demandPerSecond: 3_000,
    throttledPerSecond: 2_000,
    shares: { 'STATUS#PENDING': 1 },
    partitions: [[1_000, 2_000], ...idle(19)],
    name: 'count=1',
  });

  test('of an index is named with its share, the ceiling, and a cure that its partitions can carry', () => {
    const [finding] = findFindings([unsharded]);
    expect(finding).toMatchObject({ code: 'hot-index-key', variants: ['count=1'], confidence: 'high' });
    expect(finding?.seen).toMatch(/index GSI1 throttled 66\.7 % .*STATUS#PENDING was asked for 3,000 WCU\/s/);
    expect(finding?.because).toContain('IndexWriteKeyRangeThroughputExceeded on GSI1');
    expect(finding?.because).toContain('the table itself throttled nothing');
    expect(finding?.advice).toContain('spread STATUS#PENDING over 10 shards');
    expect(finding?.evidence).toMatchObject({ key: 'STATUS#PENDING', advisedShards: 10, partitionCount: 20 });
  });

  test('of a table is a finding of its own, and a single item is spoken of', () => {
    const [finding] = findFindings([
      throttledVariant({
        demandPerSecond: 1_500,
        throttledPerSecond: 500,
        shares: { 'TENANT#acme': 0.9 },
        partitions: [[1_000, 500], ...idle(3)],
        onTable: true,
      }),
    ]);
    expect(finding).toMatchObject({ code: 'hot-table-key' });
    expect(finding?.advice).toContain('single item');
  });

  test('seen in several variants is one finding, told by the worst, with the logical key of its shards', () => {
    const twoShards = throttledVariant({
      demandPerSecond: 3_000,
      throttledPerSecond: 1_000,
      shares: shardNames(2),
      partitions: [[1_000, 500], [1_000, 500], ...idle(18)],
      name: 'count=2',
    });
    const findings = findFindings([twoShards, unsharded]);
    expect(findings).toHaveLength(1);
    expect(findings[0]?.variants).toEqual(['count=2', 'count=1']);
    expect(findings[0]?.seen).toMatch(/^in count=1, the worst: .*3,000 WCU\/s/);
    expect(findFindings([twoShards])[0]?.advice).toContain(
      'spread STATUS#PENDING over 10 shards instead of 2',
    );
  });

  test('that the partitions of a new table cannot carry is to be sharded and warmed', () => {
    const [finding] = findFindings([
      throttledVariant({
        demandPerSecond: 5_000,
        throttledPerSecond: 4_000,
        shares: { 'EVENTS#2026-01-01': 1 },
        partitions: [[1_000, 4_000], ...idle(3)],
        onTable: true,
      }),
    ]);
    expect(finding?.advice).toContain('spread EVENTS#2026-01-01 over 28 shards');
    expect(finding?.advice).toContain('4 partitions are too few for them, so pre-warm the table to 20,000');
    expect(finding?.evidence).toMatchObject({ advisedShards: 28, advisedPartitions: 20 });
  });

  test('known by a sketch only is told with medium confidence', () => {
    const live = throttledVariant({
      demandPerSecond: 3_000,
      throttledPerSecond: 2_000,
      shares: { 'STATUS#PENDING': 0.97 },
      resource: { isExact: false },
    });
    expect(findFindings([live])).toMatchObject([{ code: 'hot-index-key', confidence: 'medium' }]);
  });

  test.each([
    ['throttles below 0.1 % of requests', { throttledPerSecond: 2 }],
    ['throttles for another reason', { reason: 'IndexWriteMaxOnDemandThroughputExceeded' }],
    ['throttles for an unknown reason', { reason: 'Unknown' }],
  ])('is not seen where an index %s', (_, more) => {
    const shares = { 'STATUS#PENDING': 1 };
    expect(
      codesOf(throttledVariant({ demandPerSecond: 3_000, throttledPerSecond: 2_000, shares, ...more })),
    ).not.toContain('hot-index-key');
  });

  test('read too often is to be cached, not sharded', () => {
    const base = throttledVariant({ demandPerSecond: 6_000, throttledPerSecond: 3_000, shares: {} });
    const resource = `${TABLE}/GSI1`;
    const variant = {
      ...base,
      resources: [
        buildResource({
          resource,
          indexName: 'GSI1',
          readUnits: 3_000 * SECONDS,
          throttledReadUnits: 3_000 * SECONDS,
          keys: [buildKey('STATUS#PENDING', { readShare: 1 })],
        }),
      ],
      workloads: base.workloads.map((workload) => ({
        ...workload,
        measured: {
          ...workload.measured,
          throttles: [{ reason: 'IndexReadKeyRangeThroughputExceeded', resource, count: 3_000 * SECONDS }],
        },
      })),
    };
    const [finding] = findFindings([variant]);
    expect(finding?.seen).toContain('6,000 RCU/s, and one partition gives 3,000 RCU/s');
    expect(finding?.advice).toContain('cache');
  });
});

describe('growth', () => {
  /** Load on a table whose partitions take these units a second, and refuse the rest of 6,000. */
  const outgrown = (taken: readonly number[], billing = 'on-demand') => {
    const throttledPerSecond = 6_000 - taken.reduce((sum, units) => sum + units, 0);
    return throttledVariant({
      demandPerSecond: 6_000,
      throttledPerSecond,
      shares: { 'USER#1': 0.0001, 'USER#2': 0.0001 },
      partitions: taken.map((units) => [units, throttledPerSecond / taken.length] as const),
      resource: { distinctKeys: 100_000, billing },
      onTable: true,
    });
  };

  test('is told by evenness: on demand, load fills all partitions', () => {
    const [finding] = findFindings([outgrown([1_000, 1_000, 1_000, 800])]);
    expect(finding).toMatchObject({ code: 'on-demand-growth', confidence: 'high' });
    expect(finding?.seen).toContain('6,000 WCU/s were asked of 4 partitions');
    expect(finding?.because).toContain('the least used partition ran at 80 %');
    // 6,000 ÷ (0.7 × 1,000) = 8.6
    expect(finding?.advice).toContain('pre-warm the table to 9,000 write units per second (9 partitions');
  });

  test.each([
    { name: 'one partition is used less than 80 %', taken: [1_000, 1_000, 1_000, 790], billing: 'on-demand' },
    {
      name: 'units are provisioned',
      taken: [1_000, 1_000, 1_000, 1_000],
      billing: 'provisioned 5 RCU, 4000 WCU',
    },
  ])('is no growth where $name', ({ taken, billing }) => {
    expect(findFindings([outgrown(taken, billing)])[0]?.code).not.toBe('on-demand-growth');
  });

  test('partitions that came as an answer to load do not hide that it had outgrown the first ones', () => {
    const variant = outgrown([1_000, 1_000]);
    const [resource] = variant.resources;
    const seconds = variant.measuredSeconds;
    const first = resource?.partitions?.map((one) => ({
      ...one,
      served: { fromSecond: 0, untilSecond: seconds / 2, isSplit: true },
    }));
    const later = { ...(first?.[0] as NonNullable<typeof first>[number]), id: '9', writeUtilization: 0.2 };
    const served = { fromSecond: seconds / 2, untilSecond: seconds, isSplit: false };
    const partitions = [...(first ?? []), { ...later, served }];
    const resources = variant.resources.map((one) => (one === resource ? { ...one, partitions } : one));
    expect(findFindings([{ ...variant, resources }])[0]?.code).toBe('on-demand-growth');
  });
});

describe('enough shards', () => {
  test('on the four partitions of a new table are too few partitions, and the cure is to pre-warm', () => {
    const cold = throttledVariant({
      demandPerSecond: 3_000,
      throttledPerSecond: 500,
      shares: shardNames(10),
      partitions: [
        [1_000, 500],
        [600, 0],
        [600, 0],
        [300, 0],
      ],
      resource: { start: 'new' },
    });
    const [finding] = findFindings([cold]);
    expect(finding).toMatchObject({ code: 'enough-shards-too-few-partitions', confidence: 'high' });
    expect(finding?.seen).toContain(
      'even the hottest of 10 shards, STATUS#PENDING#0, asks for 300 WCU/s only',
    );
    expect(finding?.because).toContain('4 partitions (start: new)');
    // 10 shards fit 15 partitions in 95 % of placements: 15 × 1,000 write units.
    expect(finding?.advice).toContain('pre-warm index GSI1 to 15,000 write units per second (15 partitions');
  });

  test('with many cool keys, too few partitions are told by the sum of the load', () => {
    const crowded = throttledVariant({
      demandPerSecond: 6_000,
      throttledPerSecond: 2_300,
      shares: { 'USER#1': 0.0001, 'USER#2': 0.0001 },
      partitions: [...Array.from({ length: 3 }, () => [1_000, 766] as const), [700, 0]],
      resource: { distinctKeys: 100_000 },
      onTable: true,
    });
    const [finding] = findFindings([crowded]);
    // No word of shards: users are none.
    expect(finding).toMatchObject({ code: 'too-few-partitions' });
    expect(finding?.seen).toContain('even the hottest key, USER#1, asks for 0.6 WCU/s only');
    expect(JSON.stringify(finding)).not.toContain('shard');
    // 6,000 ÷ (0.7 × 1,000) = 8.6
    expect(finding?.evidence.advisedPartitions).toBe(9);
  });

  test('that no pre-warming can save get more of them and partitions together', () => {
    const rushed = throttledVariant({
      demandPerSecond: 5_000,
      throttledPerSecond: 1_400,
      shares: shardNames(16),
      partitions: [
        [1_000, 900],
        [1_000, 250],
        [1_000, 250],
        ...Array.from({ length: 1 }, () => [600, 0] as const),
      ],
      onTable: true,
    });
    const [finding] = findFindings([rushed]);
    expect(finding).toMatchObject({ code: 'enough-shards-too-few-partitions' });
    expect(finding?.advice).toMatch(
      /^use 28 shards instead of 16, and pre-warm the table to 20,000 write units/,
    );
  });

  test('on plenty of partitions may share one, and the cure is more shards', () => {
    const unlucky = throttledVariant({
      demandPerSecond: 3_000,
      throttledPerSecond: 200,
      shares: shardNames(5),
      partitions: [[1_000, 200], [600, 0], [600, 0], [600, 0], ...idle(16)],
    });
    const [finding] = findFindings([unlucky]);
    expect(finding).toMatchObject({ code: 'shards-share-a-partition' });
    expect(finding?.because).toContain('58.1 % of placements (by arithmetic, with nothing saved up)');
    expect(finding?.advice).toContain(
      'over 10 shards, which fit in 97.9 % of placements (by arithmetic, with nothing saved up)',
    );
  });
});

describe('a scan', () => {
  /** Reads of a scan and of a get, with the customers that the scan has just passed as hottest keys. */
  const scanned = (given: {
    scanUnits: number;
    getUnits: number;
    throttled?: 'report' | 'view';
  }): VariantResult => {
    const reason = 'TableReadKeyRangeThroughputExceeded';
    const reader = (name: string, kind: string, readUnits: number): WorkloadResult => {
      const isThrottled = (given.throttled ?? 'report') === name;
      return buildWorkload({
        name,
        kind,
        isWrite: false,
        measured: buildTotals({
          outcomes: { ok: 100, throttled: isThrottled ? 900 : 0 },
          throttles: isThrottled ? [{ reason, resource: TABLE, count: 900 }] : [],
          units: [{ resource: TABLE, readUnits, writeUnits: 0 }],
        }),
      });
    };
    const readUnits = given.scanUnits + given.getUnits;
    return buildVariant({
      measuredSeconds: SECONDS,
      tables: [buildTable()],
      resources: [
        buildResource({
          readUnits,
          throttledReadUnits: 0.1 * readUnits,
          distinctKeys: 2_000,
          keys: [7, 315, 1_851].map((id) => buildKey(`CUST#${id}`, { readShare: 0.02 })),
          partitions: buildPartitions([{ writeUnitsPerSecond: 0 }]).map((partition) => ({
            ...partition,
            readUnitsPerSecond: readUnits / SECONDS,
            readUtilization: readUnits / SECONDS / 3_000,
            throttledReadUnits: 0.1 * readUnits,
          })),
        }),
      ],
      workloads: [reader('report', 'scan', given.scanUnits), reader('view', 'get', given.getUnits)],
    });
  };

  test('that runs a partition at its ceiling is named as the cause, and no key is', () => {
    const findings = findFindings([scanned({ scanUnits: 170_000, getUnits: 0 })]);
    expect(findings).toMatchObject([{ code: 'scan-at-partition-ceiling', confidence: 'high' }]);
    expect(findings[0]?.seen).toContain('report reads as fast as it is answered');
    expect(findings[0]?.because).toContain('23 pages a second fill a partition');
    expect(findings[0]?.advice).toMatch(/Query.*Limit.*segments.*export the table to S3/);
    expect(JSON.stringify(findings)).not.toContain('shard');
  });

  test('is blamed for the throttles that other reads meet', () => {
    const [finding] = findFindings([scanned({ scanUnits: 160_000, getUnits: 10_000, throttled: 'view' })]);
    expect(finding?.code).toBe('scan-at-partition-ceiling');
    expect(finding?.seen).toContain('view pays for it too');
  });

  test('is not blamed where others read more', () => {
    const codes = codesOf(scanned({ scanUnits: 60_000, getUnits: 110_000, throttled: 'view' }));
    expect(codes).not.toContain('scan-at-partition-ceiling');
  });
});

describe('contended items', () => {
  const contended = (given: {
    ok: number;
    conflict: number;
    requests: Record<string, number>;
    kind?: string;
  }) =>
    buildVariant({
      measuredSeconds: SECONDS,
      tables: [buildTable()],
      resources: [
        buildResource({
          writeUnits: 6 * given.ok,
          keys: Object.entries(given.requests).map(([key, requests]) =>
            buildKey(key, { requests, writeShare: requests / (3 * given.ok) }),
          ),
        }),
      ],
      workloads: [
        buildWorkload({
          kind: given.kind ?? 'transactWrite',
          measured: buildTotals({
            outcomes: { ok: given.ok, conflict: given.conflict },
            units: [{ resource: TABLE, readUnits: 0, writeUnits: 6 * given.ok }],
          }),
        }),
      ],
    });

  test('are named by the key that every operation wrote, with what copies would do', () => {
    const [finding] = findFindings([
      contended({ ok: 2_064, conflict: 3_936, requests: { COUNTER: 2_064, 'PROD#1': 60 } }),
    ]);
    expect(finding).toMatchObject({ code: 'contended-items', confidence: 'high' });
    expect(finding?.seen).toContain('65.6 % of the operations of placeOrder were cancelled');
    expect(finding?.because).toContain('COUNTER (all)');
    // a = 0.656 ÷ 0.344 = 1.907; a ÷ 10 = 0.1907, 0.1907 ÷ 1.1907 = 16 %; 1.907 ÷ (0.01 ÷ 0.99) = 188.8.
    expect(finding?.advice).toContain('10 copies would leave about 16 %, and 1 % takes about 189 copies');
    expect(finding?.advice).toMatch(/take COUNTER out of the transaction.*stream.*jitter/);
  });

  test('are told with less confidence and no arithmetic where several keys are suspect', () => {
    const [finding] = findFindings([
      contended({ ok: 2_000, conflict: 4_000, requests: { COUNTER: 2_000, 'PROD#0': 1_600 } }),
    ]);
    expect(finding).toMatchObject({ code: 'contended-items', confidence: 'medium' });
    expect(finding?.because).toContain('COUNTER (all) and PROD#0 (80 %)');
    expect(finding?.advice).toContain('and so with PROD#0');
    expect(finding?.advice).not.toContain('would leave');
  });

  test('are told without a key where none stands out', () => {
    const [finding] = findFindings([contended({ ok: 2_000, conflict: 200, requests: { 'PROD#0': 9 } })]);
    expect(finding?.because).toContain('no key stands out');
    expect(finding?.evidence).not.toHaveProperty('key');
  });

  test('of single writes are refused, not cancelled', () => {
    const [finding] = findFindings([contended({ ok: 900, conflict: 100, requests: {}, kind: 'update' })]);
    expect(finding?.seen).toContain('10 % of the operations of placeOrder were refused');
  });

  test('are no matter up to one operation in a hundred', () => {
    expect(codesOf(contended({ ok: 990, conflict: 10, requests: { COUNTER: 990 } }))).toEqual([]);
  });
});

describe('key-range throttling with capacity to spare', () => {
  test('is what remains where neither key nor partition is known', () => {
    const live = throttledVariant({ demandPerSecond: 3_000, throttledPerSecond: 500, shares: {} });
    const [finding] = findFindings([live]);
    expect(finding).toMatchObject({
      code: 'key-range-throttling-with-capacity-to-spare',
      confidence: 'medium',
    });
    expect(finding?.advice).toContain('Contributor Insights on index GSI1');
  });

  test('names the hottest key where that alone explains nothing', () => {
    const live = throttledVariant({ demandPerSecond: 3_000, throttledPerSecond: 500, shares: { A: 0.2 } });
    expect(findFindings([live])[0]?.because).toContain('the hottest key, A, takes 20 % (600 WCU/s)');
  });
});

describe('filter waste', () => {
  const read = (how: string, scanned: number, readUnits: number, kind = 'scan'): VariantResult => {
    const workload: WorkloadResult = buildWorkload({
      name: 'ask',
      kind,
      isWrite: false,
      measured: buildTotals({
        outcomes: { ok: 10 },
        itemsScanned: scanned,
        itemsReturned: 100,
        units: [{ resource: TABLE, readUnits, writeUnits: 0 }],
      }),
    });
    return buildVariant({
      name: how,
      measuredSeconds: SECONDS,
      workloads: [{ ...workload, metrics: computeMetrics(workload, SECONDS) }],
    });
  };

  test('is shown per item returned, beside the variant that does better', () => {
    const findings = findFindings([read('query', 100, 10, 'query'), read('scan', 200_000, 12_500)]);
    expect(findings).toMatchObject([{ code: 'read-filter-waste', variants: ['scan'], confidence: 'high' }]);
    expect(findings[0]?.seen).toContain('looked at 200,000 items to return 100, 2,000 for each');
    expect(findings[0]?.because).toContain(
      '125 per item returned; query gives the same answer for 0.1 per item',
    );
    expect(findings[0]?.advice).toContain('as query does');
  });

  test('is told as such where nothing was returned at all', () => {
    const base = read('scan', 5_000, 300);
    const workloads = base.workloads.map((one) => ({
      ...one,
      measured: { ...one.measured, itemsReturned: 0 },
    }));
    expect(findFindings([{ ...base, workloads }])[0]?.seen).toContain(
      '5,000 items and returned none of them',
    );
  });

  test.each([
    ['looks at nine items for each it returns', read('a', 900, 10)],
    ['fans out over shards', read('a', 200_000, 10, 'queryShards')],
  ])('is not seen in a read that %s', (_, variant) => {
    expect(codesOf(variant)).toEqual([]);
  });
});

describe('replaced puts', () => {
  const withReplaced = (replacedPuts: number | null): VariantResult =>
    buildVariant({
      measuredSeconds: SECONDS,
      tables: [buildTable({ replacedPuts })],
      workloads: [buildWorkload({ measured: buildTotals({ outcomes: { ok: 10_000 } }) })],
    });

  test.each([
    [null, []],
    [0, []],
    [10, []],
    [11, ['replaced-puts']],
  ])('%s of 10,000 puts lead to %j', (replaced, codes) => {
    expect(codesOf(withReplaced(replaced))).toEqual(codes);
  });

  test('lead to the advice of a key of its own for each item', () => {
    expect(findFindings([withReplaced(2_000)])[0]).toMatchObject({
      seen: '2,000 puts on table main replaced an item that was there (20 % of 10,000 successful operations of placeOrder)',
      advice: expect.stringContaining('a key of its own') as string,
    });
  });
});

test('a sound variant has no findings', () => {
  const sharding = shardingRun().variants.filter((variant) => variant.name === 'count=10');
  expect(codesOf(...sharding)).toEqual([]);
});

describe('units of a whole table or index', () => {
  const limited = (
    limit: ResourceResult['limit'],
    reason: string,
    more: Partial<Parameters<typeof throttledVariant>[0]> = {},
  ): VariantResult =>
    throttledVariant({
      demandPerSecond: 1_300,
      throttledPerSecond: 300,
      shares: { 'USER#1': 0.01 },
      partitions: [[1_000, 300]],
      onTable: true,
      reason,
      ...more,
      ...(limit === undefined ? {} : { resource: { limit } }),
    });
  const provisioned = { kind: 'provisioned', readUnits: 100, writeUnits: 1_000 } as const;

  test('that are provisioned and passed are to be raised, and no partition is to blame', () => {
    const both = limited(provisioned, 'TableWriteProvisionedThroughputExceeded');
    const [workload] = both.workloads;
    const throttles = [
      ...(workload?.measured.throttles ?? []),
      { reason: 'TableWriteKeyRangeThroughputExceeded', resource: TABLE, count: 18_000 },
    ];
    const variant = {
      ...both,
      workloads: both.workloads.map((one) => ({ ...one, measured: { ...one.measured, throttles } })),
    };
    const findings = findFindings([variant]);
    expect(findings.map((finding) => finding.code)).toEqual(['provisioned-exceeded']);
    expect(findings[0]?.seen).toMatch(
      /the table throttled 23\.1 % .* asked for 1,300 WCU\/s, and is provisioned for 1,000 WCU\/s/,
    );
    expect(findings[0]?.advice).toContain('from 1,000 to at least 1,300');
    expect(findings[0]?.advice).toContain('on-demand billing');
    expect(findings[0]?.advice).not.toContain('warm');
  });

  test('that one partition gives are told with what the partition throttled', () => {
    const [finding, ...others] = findFindings([limited(provisioned, 'TableWriteKeyRangeThroughputExceeded')]);
    expect(others).toEqual([]);
    expect(finding?.seen).toContain('the table throttled 23.1 %');
    expect(finding?.because).toContain('TableWriteKeyRangeThroughputExceeded on table');
  });

  test('leave a key to blame that is too hot for any number of units', () => {
    const hot = limited(provisioned, 'TableWriteKeyRangeThroughputExceeded', { shares: { 'USER#1': 1 } });
    expect(codesOf(hot)).toEqual(['provisioned-exceeded', 'hot-table-key']);
  });

  test('of an index push back on the table', () => {
    const index = limited(provisioned, 'IndexWriteProvisionedThroughputExceeded', { onTable: false });
    const [finding] = findFindings([index]);
    expect(finding).toMatchObject({ code: 'provisioned-exceeded', evidence: { resource: 'GSI1' } });
    expect(finding?.because).toContain('the index pushes back on its writes');
  });

  test('that are a maximum on demand are told by the name of its setting', () => {
    const maximum = { kind: 'maximumOnDemand', readUnits: null, writeUnits: 1_000 } as const;
    const [finding] = findFindings([limited(maximum, 'TableWriteMaxOnDemandThroughputExceeded')]);
    expect(finding).toMatchObject({ code: 'provisioned-exceeded', confidence: 'high' });
    expect(finding?.advice).toContain('MaxWriteRequestUnits');
    expect(finding?.advice).toContain('from 1,000 to at least 1,300');
  });

  test('that the quota of the account sets need a higher quota', () => {
    const [finding] = findFindings([limited(undefined, 'TableWriteAccountLimitExceeded')]);
    expect(finding).toMatchObject({ code: 'account-limit-exceeded' });
    expect(finding?.advice).toContain('quota');
  });

  test('are named without figures where an older record does not tell them', () => {
    const [finding] = findFindings([limited(undefined, 'TableWriteProvisionedThroughputExceeded')]);
    expect(finding).toMatchObject({ code: 'provisioned-exceeded', confidence: 'medium' });
  });

  test('that are passed while saved units last are told before anything throttles', () => {
    const saved = limited(provisioned, '', { throttledPerSecond: 0 });
    const [finding] = findFindings([saved]);
    expect(finding).toMatchObject({ code: 'provisioned-exceeded' });
    expect(finding?.because).toContain('300 seconds');
  });

  test('are no finding where they suffice', () => {
    const fits = limited({ ...provisioned, writeUnits: 2_000 }, '', { throttledPerSecond: 0 });
    expect(codesOf(fits)).toEqual([]);
  });
});
