// Aim: scenarios as simple as those in accepted/ compile, and each mistake in rejected/ is a compile error
// where it was made. Method: the real compilers, this project's and the older one of this workspace, over the
// fixtures; errors are compared by file and line.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
const compilers = [
  {
    name: 'TypeScript 7',
    tsc: fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url)),
  },
  { name: 'TypeScript 5.9', tsc: fileURLToPath(new URL('node_modules/typescript/bin/tsc', import.meta.url)) },
];
const compileTimeoutMs = 60_000;

/** Mistakes of the two contract files, by the text of the line on which the compiler must stop. */
const contractMistakes = [
  { file: 'first.ts', mistake: 'an index that no table has', line: "index: 'GSI2'" },
  { file: 'first.ts', mistake: 'a parameter that is not declared', line: '({ m })' },
  { file: 'first.ts', mistake: 'a unit that does not exist', line: '< 5 parsec' },
  { file: 'second.ts', mistake: 'a goal for a workload that does not exist', line: "'rr.throttledRatio'" },
  { file: 'second.ts', mistake: 'an index of a flow that no table has', line: "index: 'GSI9'" },
  { file: 'second.ts', mistake: 'a workload without a load', line: "query({ partition: 'a' })" },
  { file: 'second.ts', mistake: 'a duration that is none', line: '10 sec' },
  { file: 'second.ts', mistake: 'an index where the table has none', line: "index: 'GSI1' })" },
];

function compile(tsc: string, project: string): string {
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', `${here}${project}`, '--pretty', 'false'], {
    cwd: here,
    encoding: 'utf8',
  });
  return stdout;
}

/** `file:line` of each error. */
function errorPlaces(output: string): string[] {
  return [...output.matchAll(/^(?:.*\/)?([\w-]+\.ts)\((\d+),\d+\): error/gm)].map(
    (match) => `${match[1]}:${match[2]}`,
  );
}

function linesOf(file: string): string[] {
  return readFileSync(`${here}rejected/${file}`, 'utf8').split('\n');
}

describe.each(compilers)('under $name', ({ tsc }) => {
  test('no scenario in accepted/ has an error', { timeout: compileTimeoutMs }, () => {
    expect(compile(tsc, 'tsconfig.json')).toBe('');
  });

  test('every mistake in rejected/ is an error on its line', { timeout: compileTimeoutMs }, () => {
    const expected = contractMistakes.map(({ file, line }) => {
      const index = linesOf(file).findIndex((text) => text.includes(line));
      return `${file}:${index + 1}`;
    });
    const alone = linesOf('alone.ts').flatMap((text, index) =>
      text.includes('// mistake:') ? [`alone.ts:${index + 2}`] : [],
    );
    expect(alone.length).toBeGreaterThan(10);
    const found = errorPlaces(compile(tsc, 'tsconfig.rejected.json'));
    expect([...new Set(found)].sort()).toEqual([...expected, ...alone].sort());
  });
});
