// Aim: the terminal report as a reader sees it, whole. Method: frozen runs are read from their files,
// rendered, and compared with the committed text; a change shows as a diff to be reviewed like code
// (UPDATE_GOLDEN=1 rewrites run, text and schema).
import { expect, test } from 'vitest';
import { parseRunResult } from '../../src/analysis/run-schema.ts';
import { renderTerminal } from '../../src/report/terminal.ts';
import { frozenText } from '../support/frozen-file.ts';
import { emulatorRun, shardingRun } from '../support/frozen-runs.ts';

const runs = [
  { name: 'sharding', build: shardingRun, width: 110 },
  { name: 'emulator', build: emulatorRun, width: 106 },
  { name: 'emulator', build: emulatorRun, width: 80 },
];

const WIDTHS = [80, 100, 120, 160];

test.each(runs)(
  'the terminal report of $name at $width columns is as committed',
  ({ name, build, width }) => {
    const frozen = frozenText(`test/support/runs/${name}.run.json`, `${JSON.stringify(build(), null, 1)}\n`);
    const report = renderTerminal(parseRunResult(JSON.parse(frozen)), {
      width,
      useColor: false,
      record: 'reports/example/2026-11-30T12-00-00Z/run.json',
    });
    expect(report).toBe(frozenText(`test/golden/terminal.${name}.${width}.golden.txt`, report));
  },
);

test.each(runs)('the frozen run $name is what the analysis makes of its figures', ({ name, build }) => {
  const built = `${JSON.stringify(build(), null, 1)}\n`;
  expect(built).toBe(frozenText(`test/support/runs/${name}.run.json`, built));
});

test.each(runs)('no line of the report of $name is wider than the terminal', ({ build }) => {
  for (const width of WIDTHS) {
    const lines = renderTerminal(build(), { width, useColor: false }).split('\n');
    expect(lines.filter((line) => line.length > width)).toEqual([]);
  }
});

test.each(runs)(
  'no figure in the report of $name is NaN, Infinity, undefined or null',
  ({ build, width }) => {
    expect(renderTerminal(build(), { width, useColor: false })).not.toMatch(/NaN|Infinity|undefined|null/);
  },
);

test.each(runs)('colour changes nothing but colour in $name', ({ build, width }) => {
  const plain = renderTerminal(build(), { width, useColor: false });
  const colored = renderTerminal(build(), { width, useColor: true });
  expect(colored).toContain('\u001b[');
  expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain);
});
