// Aim: the page says what the record says, in the order in which a reader needs it, leaves out what is not
// there, and holds no value that is not escaped. Method: frozen runs rendered with stand-ins for scripts and
// style; what a browser makes of it is tested end to end.
import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../../../src/analysis/run-result.ts';
import type { HtmlAssets } from '../../../../src/report/html/assets.ts';
import { renderHtml } from '../../../../src/report/html/page.ts';
import { emulatorRun, shardingRun } from '../../../support/frozen-runs.ts';

const assets: HtmlAssets = {
  chartLibrary: { text: 'var uPlot;', sha256: 'LIBRARY=' },
  pageScript: { text: 'draw();', sha256: 'PAGE=' },
  style: { text: 'p{}', sha256: 'STYLE=' },
};

const render = (run: RunResult): string => renderHtml(run, assets);
const sharding = render(shardingRun());
const emulator = render(emulatorRun());

/** The page as a reader sees its text: tags gone, one space between words. */
function textOf(page: string): string {
  return page
    .replaceAll(/<(script|style)[^>]*>[^]*?<\/\1>/g, '')
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, ' ');
}

describe('the page', () => {
  test.each([
    ['the question first', /How many shards does STATUS#PENDING need at 3,000 orders a second\? .*Verdict/],
    [
      'verdict and recommendation before any table',
      /Verdict ✓ PASS Recommended: count=10 .*Variants side by side/,
    ],
    [
      'what was seen, why and the advice',
      /hot-index-key count=1 and count=2 .* seen .* because .* advice spread STATUS#PENDING/,
    ],
    ['load and throttles of all variants in one row', /throttled, of operations 66\.7 % 33\.3 % 6\.7 % 0 %/],
    ['the reason with its resource', /throttled by IndexWriteKeyRangeThroughputExceeded on GSI1/],
    ['units of table and index', /GSI1 consumed, WCU\/s 1,000 2,000 2,800 3,000/],
    [
      'goals and by how much they were missed',
      /placeOrder\.throttledRatio < 0\.1% 66\.7 % ✗ missed by 66\.6 points/,
    ],
    ['that latencies are modelled', /response time by percentile, modelled, ms/],
    [
      'the heat of keys and partitions',
      /STATUS#PENDING 100 % 120,000 throttled .* 20 partitions: the busiest gave 100 %/,
    ],
    ['the seed', /seed 42/],
    [
      'the difference between response and service time',
      /Response time from the moment an operation was due/,
    ],
  ])('shows %s', (_, pattern) => {
    expect(textOf(sharding)).toMatch(pattern);
  });

  test('of a doubtful run says what is doubtful before the figures', () => {
    expect(textOf(emulator)).toMatch(/\? INCONCLUSIVE .*Doubts .*invalid .*Variants side by side/);
    expect(textOf(emulator)).toContain('Not run: count=50, suffix=random');
  });

  test('names what DynamoDB publishes and what is assumed', () => {
    const run = shardingRun();
    const constants = [
      { name: 'partitionWriteUnits', value: '1000', unit: 'WCU/s', isPublished: true },
      { name: 'splitThresholdRatio', value: '0.8', unit: 'of ceiling', isPublished: false },
    ];
    const text = textOf(
      render({ ...run, target: { ...run.target, model: { preset: 'default', constants } } }),
    );
    expect(text).toContain('partitionWriteUnits 1000 WCU/s ✓ published by AWS');
    expect(text).toContain('splitThresholdRatio 0.8 of ceiling ◦ not published: our assumption');
  });

  test('holds no figure that is none', () => {
    for (const page of [sharding, emulator]) {
      expect(textOf(page)).not.toMatch(/\b(NaN|Infinity|undefined|null)\b/);
      expect(page).not.toMatch(/"(NaN|Infinity|undefined)|NaN%/);
    }
  });

  test('is the same for the same run', () => {
    expect(render(shardingRun())).toBe(sharding);
  });

  test('of a run in which nothing ran is still a page, without empty sections', () => {
    const page = render({ ...shardingRun(), variants: [], findings: [] });
    expect(page).toContain('No variant ran.');
    const sections = [...page.matchAll(/<section id="([^"]+)"/g)].map((match) => match[1]);
    expect(sections).toEqual(['verdict', 'variants', 'configuration', 'reading']);
  });

  test('has a place for each chart, and data for each place', () => {
    const [, json = ''] = /id="charts">(.*?)<\/script>/.exec(sharding) ?? [];
    const ids = (JSON.parse(json) as { id: string }[]).map((spec) => spec.id);
    expect(ids.length).toBeGreaterThan(4);
    expect([...sharding.matchAll(/class="plot" id="([^"]+)"/g)].map((match) => match[1])).toEqual(ids);
  });

  test('has one element for each id', () => {
    const ids = [...sharding.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    expect(ids).toEqual([...new Set(ids)]);
  });

  test('lets nothing be loaded and no script run but its own', () => {
    const [, policy = ''] = /Content-Security-Policy" content="([^"]+)"/.exec(sharding) ?? [];
    expect(policy.replaceAll('&#39;', "'").split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'sha256-LIBRARY=' 'sha256-PAGE='",
      "style-src 'sha256-STYLE='",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(sharding).not.toMatch(/(src|href)="(?!#)/);
    expect(sharding).not.toMatch(/ style="| on[a-z]+="/);
  });
});

describe('hostile names', () => {
  const attack = `</script><img src=x onerror="alert(1)"><!--'\u2028\u202e`;

  /** Where a name can come from: the user's scenario, the table's data, the target's answers. */
  const places: readonly [string, (run: RunResult) => RunResult][] = [
    ['the question', (run) => ({ ...run, scenario: { ...run.scenario, question: attack } })],
    ['the scenario', (run) => ({ ...run, scenario: { ...run.scenario, name: attack } })],
    ['a goal', (run) => ({ ...run, scenario: { ...run.scenario, goals: [attack] } })],
    [
      'a parameter and its value',
      (run) => ({ ...run, scenario: { ...run.scenario, parameters: { [attack]: [attack] } } }),
    ],
    [
      'a stage',
      (run) => ({
        ...run,
        scenario: { ...run.scenario, stages: run.scenario.stages.map((one) => ({ ...one, name: attack })) },
      }),
    ],
    ['a variant', (run) => variants(run, (one) => ({ ...one, name: `${attack}${one.index}` }))],
    [
      'a workload',
      (run) =>
        variants(run, (one) => ({ ...one, workloads: one.workloads.map((w) => ({ ...w, name: attack })) })),
    ],
    [
      'notes and load',
      (run) =>
        variants(run, (one) => ({
          ...one,
          workloads: one.workloads.map((w) => ({ ...w, notes: [attack], load: { ...w.load, text: attack } })),
        })),
    ],
    [
      'a table',
      (run) =>
        variants(run, (one) => ({
          ...one,
          tables: one.tables.map((t) => ({ ...t, logicalName: attack })),
          resources: one.resources.map((r) => ({
            ...r,
            resource: attack,
            tableName: attack,
            indexName: attack,
            billing: attack,
            start: attack,
          })),
        })),
    ],
    [
      'a key',
      (run) =>
        variants(run, (one) => ({
          ...one,
          resources: one.resources.map((r) => ({ ...r, keys: r.keys.map((k) => ({ ...k, key: attack })) })),
        })),
    ],
    [
      'a reason for throttling',
      (run) =>
        variants(run, (one) => ({
          ...one,
          workloads: one.workloads.map((w) => ({
            ...w,
            measured: { ...w.measured, throttles: [{ reason: attack, resource: attack, count: 1 }] },
            throttleSeries: [{ reason: attack, resource: attack, counts: [1, 2] }],
          })),
        })),
    ],
    [
      'a finding',
      (run) => ({
        ...run,
        findings: run.findings.map((one) => ({
          ...one,
          code: attack,
          seen: attack,
          because: attack,
          advice: attack,
          variants: [attack],
          evidence: { [attack]: attack },
        })),
      }),
    ],
    [
      'the verdict',
      (run) => ({ ...run, verdict: { ...run.verdict, reasons: [attack], recommendedVariant: attack } }),
    ],
    [
      'the target',
      (run) => ({
        ...run,
        target: {
          ...run.target,
          label: attack,
          notes: [attack],
          model: {
            preset: attack,
            constants: [{ name: attack, value: attack, unit: attack, isPublished: true }],
          },
        },
      }),
    ],
    [
      'the machine',
      (run) => ({
        ...run,
        environment: { ...run.environment, cpu: attack, platform: attack, node: attack, startedAt: attack },
      }),
    ],
  ];

  test.each(places)('in %s stay text', (_, change) => {
    const page = render(change(shardingRun()));
    expect(page).not.toBe(sharding);
    expect(page).not.toMatch(/<img|<!--|[\u2028\u202e]/);
    expect(page.match(/<script/g)).toHaveLength(3);
    expect(page.match(/<\/script/g)).toHaveLength(3);
    expect(page).toContain('&#60;/script&#62;&#60;img src=x onerror=&#34;alert(1)&#34;&#62;');
  });

  function variants(
    run: RunResult,
    change: (variant: RunResult['variants'][number]) => RunResult['variants'][number],
  ): RunResult {
    return { ...run, variants: run.variants.map(change) };
  }
});
