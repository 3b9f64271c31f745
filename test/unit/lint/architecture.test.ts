// Aim: the lint rule that keeps the import table finds what is out of place and leaves the rest alone.
// Method: a small table with one row of each kind, and imports as they are written in source files.

import { expect, test } from 'vitest';
import { misplacedImport } from '../../lint/architecture.js';

const TABLE = {
  kernel: ['units.ts', 'errors.ts'],
  rows: {
    kernel: { imports: [], elsewhere: 'What needs more belongs in a folder.' },
    stats: { imports: ['histograms'], elsewhere: 'Meaning belongs in analysis.' },
    analysis: { imports: ['stats/', 'scenario/goal.ts'], types: ['scenario/'], elsewhere: '' },
    scenario: { imports: [], elsewhere: '' },
    engine: { imports: ['analysis/'], elsewhere: 'Sockets belong in http.' },
    'engine/health.ts': { imports: ['node:perf_hooks'], elsewhere: '' },
    http: { imports: ['node:*', '@scope/*'], elsewhere: '' },
    cli: { imports: ['*'], elsewhere: '' },
  },
};

test.each([
  ['the kernel from a folder', 'stats/a.ts', '../units.ts'],
  ['the kernel from a nested folder', 'stats/deep/a.ts', '../../units.ts'],
  ['a neighbour in the folder', 'stats/a.ts', './b.ts'],
  ['a nested neighbour', 'stats/deep/a.ts', '../flat/b.ts'],
  ['a folder of the row', 'analysis/a.ts', '../stats/b.ts'],
  ['a single file of the row', 'analysis/a.ts', '../scenario/goal.ts'],
  ['a package of the row', 'stats/a.ts', 'histograms'],
  ['a subpath of a package of the row', 'stats/a.ts', 'histograms/wide'],
  ['a package by prefix', 'http/a.ts', '@scope/client'],
  ['a module of Node by prefix', 'http/a.ts', 'node:fs/promises'],
  ['one kernel file from another', 'errors.ts', './units.ts'],
  ['what only one file of a folder may have', 'engine/health.ts', 'node:perf_hooks'],
  ['anything from a row with a star', 'cli/a.ts', '../engine/b.ts'],
])('takes %s', (_what, file, specifier) => {
  expect(misplacedImport(TABLE, file, specifier, false)).toBeUndefined();
});

test.each([
  ['a folder that is not in the row', 'stats/a.ts', '../engine/b.ts'],
  ['a folder reached by a detour', 'stats/a.ts', './../engine/b.ts'],
  ['another file of a folder of which one file is allowed', 'analysis/a.ts', '../scenario/plan.ts'],
  ['a package that is not in the row', 'stats/a.ts', 'zod'],
  ['a package whose name begins like an allowed one', 'stats/a.ts', 'histograms-extra'],
  ['a package named like an allowed folder', 'engine/a.ts', 'analysis'],
  ['what belongs to one file of the folder alone', 'engine/other.ts', 'node:perf_hooks'],
  ['a folder from the kernel', 'errors.ts', './stats/b.ts'],
  ['the entry point, which is no kernel file', 'stats/a.ts', '../index.ts'],
  ['the command line from below', 'engine/a.ts', '../cli/main.ts'],
  ['a file outside src', 'stats/a.ts', '../../package.json'],
])('refuses %s', (_what, file, specifier) => {
  expect(misplacedImport(TABLE, file, specifier, false)).toContain('may not import');
});

test('a folder allowed for types alone may not be imported as values', () => {
  expect(misplacedImport(TABLE, 'analysis/a.ts', '../scenario/plan.ts', true)).toBeUndefined();
  expect(misplacedImport(TABLE, 'analysis/a.ts', '../scenario/plan.ts', false)).toBeDefined();
});

test('a complaint names the import, what is allowed, and where the code belongs', () => {
  expect(misplacedImport(TABLE, 'stats/a.ts', '../engine/b.ts', false)).toBe(
    'stats may not import engine/b.ts. Besides itself and the kernel it may import: histograms. Meaning belongs in analysis.',
  );
});

test('a folder without a row is told to add one', () => {
  expect(misplacedImport(TABLE, 'helpers/a.ts', './b.ts', false)).toContain('"helpers" has no row');
});
