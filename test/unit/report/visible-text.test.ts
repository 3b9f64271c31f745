// Aim: nothing in a text can move a cursor, reorder a line, begin one, or hide; everything else stays as it
// is. Method: rows of single characters, and a whole report whose key, variant and question are hostile.
import { describe, expect, test } from 'vitest';
import { renderJson } from '../../../src/report/json.ts';
import { escapeMarkdown } from '../../../src/report/markdown.ts';
import { renderTerminal } from '../../../src/report/terminal.ts';
import { textWidth } from '../../../src/report/text-width.ts';
import { visibleText } from '../../../src/report/visible-text.ts';
import { shardingRun } from '../../support/frozen-runs.ts';

describe('what cannot be seen', () => {
  test.each([
    ['an escape sequence', 'k\u001b]0;pwn\u0007\u001b[2J', String.raw`k\x1b]0;pwn\x07\x1b[2J`],
    ['line breaks and tabs', 'a\r\nb\tc', String.raw`a\r\nb\tc`],
    ['DEL and a C1 control', '\u007f\u009b31m', String.raw`\x7f\x9b31m`],
    ['an override of direction', 'a\u202eb\u2066', String.raw`a\u202eb\u2066`],
    ['characters of no width', '\u200b\u200d\ufeff\u00ad', String.raw`\u200b\u200d\ufeff\xad`],
    ['tags beyond the first plane', '\u{e0041}', String.raw`\u{e0041}`],
    ['half of a pair', '\ud800', String.raw`\ud800`],
  ])('%s is written as its code', (_, text, expected) => {
    expect(visibleText(text)).toBe(expected);
    expect(visibleText(expected)).toBe(expected);
  });

  test('letters of any script stay as they are', () => {
    expect(visibleText('ключ 鍵 מפתח 🔑 é')).toBe('ключ 鍵 מפתח 🔑 é');
  });
});

/** A run in which what users and servers name is hostile. */
function hostileRun(name: string): ReturnType<typeof shardingRun> {
  const run = shardingRun();
  return {
    ...run,
    scenario: { ...run.scenario, question: name, name },
    target: { ...run.target, label: name, notes: [name] },
    findings: run.findings.map((finding) => ({ ...finding, variants: [name], seen: name })),
    verdict: { ...run.verdict, reasons: [name] },
    variants: run.variants.map((variant) => ({
      ...variant,
      name: `${name}${variant.index}`,
      tables: variant.tables.map((table) => ({ ...table, logicalName: name })),
      resources: variant.resources.map((resource) => ({
        ...resource,
        keys: resource.keys.map((key) => ({ ...key, key: name })),
      })),
      workloads: variant.workloads.map((workload) => ({ ...workload, name, notes: [name] })),
      validity: {
        status: 'suspect',
        reasons: [{ code: 'x', status: 'suspect', text: name, advice: name }],
      },
    })),
  };
}

describe('a report of hostile names', () => {
  const hostile = 'k\u001b]0;pwn\u0007\u001b[2J\nZ\u009b1m\u202e';

  test('has no control character but its own line breaks', () => {
    const text = renderTerminal(hostileRun(hostile), { useColor: false, width: 160 });
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text).not.toMatch(/^Z/m);
    expect(text).toContain(String.raw`k\x1b]0;pwn\x07`);
  });

  test('keeps its values in JSON, written as codes', () => {
    const run = hostileRun(hostile);
    const text = renderJson(run);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(run)));
  });

  test('reads the same in Markdown', () => {
    expect(escapeMarkdown('a\u001bb')).toBe(String.raw`a\\x1bb`);
  });
});

test.each(['鍵鍵鍵', '🔑🔑', 'ключ', 'k\u001b'])('columns stay in line beside %j', (name) => {
  const run = hostileRun('v');
  const keys = [name, 'plain'];
  const text = renderTerminal(
    {
      ...run,
      variants: run.variants.slice(0, 2).map((variant, at) => ({
        ...variant,
        name: `v${at}`,
        resources: variant.resources.slice(0, 1).map((resource) => ({
          ...resource,
          keys: resource.keys.map((key) => ({ ...key, key: keys[at] ?? '' })),
        })),
      })),
    },
    { useColor: false, width: 140 },
  );
  const rows = text.split('\n').filter((line) => /^ {2}v[01] .* of [WR] /.test(line));
  expect(rows).toHaveLength(2);
  const ends = rows.map((row) => textWidth(row.slice(0, /of [WR] /.exec(row)?.index)));
  expect(ends[0]).toBe(ends[1]);
});
