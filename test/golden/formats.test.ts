// Aim: every format as its readers see it, whole. Method: frozen runs and a comparison of two of them, rendered
// and compared with committed texts (UPDATE_GOLDEN=1 rewrites them).
import { expect, test } from 'vitest';
import { judgeGate } from '../../src/analysis/compare-gate.ts';
import { parseFailRule } from '../../src/analysis/compare-rule.ts';
import { compareRuns } from '../../src/analysis/compare-runs.ts';
import type { RunResult } from '../../src/analysis/run-result.ts';
import { parseRunResult } from '../../src/analysis/run-schema.ts';
import { annotateGate, annotateRun } from '../../src/report/annotations.ts';
import { renderCsv } from '../../src/report/csv.ts';
import { renderJunitComparisons, renderJunitRun } from '../../src/report/junit.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { renderTerminal, renderViewInTerminal } from '../../src/report/terminal.ts';
import { viewComparison } from '../../src/report/view-comparison.ts';
import { viewRun } from '../../src/report/view.ts';
import { frozenText } from '../support/frozen-file.ts';
import { emulatorRun, shardingRun } from '../support/frozen-runs.ts';
import { repeatedRun } from '../support/repeated-run.ts';

const formats: readonly (readonly [ending: string, render: (run: RunResult) => string])[] = [
  ['md', (run) => renderMarkdown(viewRun(run), `dyno-load ${run.scenario.name}: ${run.verdict.status}`)],
  ['junit.xml', (run) => renderJunitRun(run)],
  ['csv', (run) => renderCsv(run).replaceAll('\r\n', '\n')],
];

const runs: readonly (readonly [name: string, build: () => RunResult])[] = [
  ['sharding', shardingRun],
  ['emulator', emulatorRun],
];

/** As the record is read from its file. */
function frozen(name: string, build: () => RunResult): RunResult {
  const text = frozenText(`test/support/runs/${name}.run.json`, `${JSON.stringify(build(), null, 1)}\n`);
  return parseRunResult(JSON.parse(text));
}

test.each(
  runs.flatMap(([name, build]) => formats.map(([ending, render]) => [name, ending, build, render] as const)),
)('the run %s as %s is as committed', (name, ending, build, render) => {
  const text = render(frozen(name, build));
  expect(text).toBe(frozenText(`test/golden/run.${name}.golden.${ending}`, text));
  expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/);
});

/** The sharding run after its items grew past 1 KB: each write takes two units and more is throttled. */
function grown(): RunResult {
  const run = shardingRun();
  return {
    ...run,
    environment: { ...run.environment, startedAt: '2026-12-01T08:00:00.000Z' },
    tool: { ...run.tool, version: '0.2.0' },
    variants: run.variants.map((variant) => ({
      ...variant,
      workloads: variant.workloads.map((workload) => ({
        ...workload,
        metrics:
          workload.name === 'placeOrder'
            ? { ...workload.metrics, writeUnitsPerOperation: 4, costPerMillion: 2.5 }
            : workload.metrics,
      })),
    })),
  };
}

const twenty = (middle: number, turn: number): number[] =>
  Array.from({ length: 20 }, (_, index) => Math.round(middle * (0.98 + ((index * 7 + turn * 3) % 10) / 250)));

const comparisons = [
  { name: 'simulated', base: shardingRun, head: grown, rules: ['worse', 'placeOrder.response.p99 > +10%'] },
  {
    name: 'repeats',
    base: () =>
      repeatedRun([
        { name: 'a', mediansUs: twenty(1_000, 0) },
        { name: 'b', mediansUs: twenty(2_000, 0) },
      ]),
    head: () =>
      repeatedRun([
        { name: 'a', mediansUs: twenty(1_000, 1) },
        { name: 'b', mediansUs: twenty(2_600, 1) },
      ]),
    rules: ['write.response.p99 > +10%', 'write.service.p99 > +30%'],
  },
];

test.each(comparisons)(
  'the comparison $name is as committed in every format',
  ({ name, base, head, rules }) => {
    const parsed = rules.map(parseFailRule);
    const comparison = compareRuns(base(), head());
    const gate = judgeGate(comparison, parsed);
    const view = viewComparison(comparison, gate);
    const texts = {
      txt: renderViewInTerminal(view, { width: 110, useColor: false }),
      md: renderMarkdown(view, `dyno-load: ${gate.status}`),
      'junit.xml': renderJunitComparisons([{ comparison, gate }]),
      'annotations.txt': annotateGate(gate),
    };
    for (const [ending, text] of Object.entries(texts)) {
      expect(text).toBe(frozenText(`test/golden/compare.${name}.golden.${ending}`, text));
      expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/);
    }
  },
);

test('the report of a run with repeats shows them merged, with their spread', () => {
  const run = repeatedRun([{ name: 'a', mediansUs: twenty(1_000, 0) }]);
  const text = renderTerminal(run, { width: 110, useColor: false });
  expect(text).toBe(frozenText('test/golden/terminal.repeats.golden.txt', text));
});

test('a run that fails is annotated with its reasons', () => {
  const run = shardingRun();
  const text = annotateRun({
    ...run,
    verdict: { status: 'fail', reasons: ['no variant meets all goals'], recommendedVariant: null },
  });
  expect(text).toBe('::error title=dyno-load sharding%3A fail::no variant meets all goals\n');
});
