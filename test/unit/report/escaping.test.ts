// Aim: no text from a scenario, a key or a server becomes markup, a link, a formula or a command. Method: the
// classic attacks of each format, one per row, and a whole run that is named after them.
import { describe, expect, test } from 'vitest';
import { annotateGate, annotateRun } from '../../../src/report/annotations.ts';
import { renderCsv, textCell } from '../../../src/report/csv.ts';
import { escapeXml, renderJunitRun } from '../../../src/report/junit.ts';
import { escapeMarkdown, renderMarkdown } from '../../../src/report/markdown.ts';
import { viewRun } from '../../../src/report/view.ts';
import { shardingRun } from '../../support/frozen-runs.ts';

describe('Markdown', () => {
  test.each([
    ['a | b', String.raw`a \| b`],
    ['two\nlines', String.raw`two\\nlines`],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['a & b', 'a &amp; b'],
    ['**bold** _it_ `code`', String.raw`\*\*bold\*\* \_it\_ \`code\``],
    ['[click](http://x.example)', String.raw`\[click\](http:<!-- -->//x.example)`],
    ['thanks @octocat', 'thanks @<!-- -->octocat'],
    ['fixes #12 and GH-7', 'fixes #<!-- -->12 and GH-<!-- -->7'],
    ['www.example.com', 'www.<!-- -->example.com'],
    ['# heading', String.raw`\# heading`],
    ['- item', String.raw`\- item`],
    ['1. item', String.raw`1\. item`],
    ['1.25 ms and −3 %', '1.25 ms and −3 %'],
    ['count=5, suffix=random', 'count=5, suffix=random'],
    ['$x^2$', '<span>$</span>x^2<span>$</span>'],
    [String.raw`C:\temp`, String.raw`C:\\temp`],
  ])('%j becomes %j', (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });

  test('what is too long for a comment is cut between sections, and said', () => {
    const view = viewRun(shardingRun());
    const long = {
      kind: 'list',
      title: 'Long',
      entries: Array.from({ length: 2_000 }, () => ({
        head: { text: 'x'.repeat(50), tone: 'plain' } as const,
        lines: [],
      })),
    } as const;
    const text = renderMarkdown({ ...view, sections: [...view.sections, long] }, 'title');
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain('too long for a comment');
    expect(text).not.toContain('xxxxx');
  });
});

describe('XML', () => {
  test.each([
    ['a < b && c > "d"', 'a &lt; b &amp;&amp; c &gt; &quot;d&quot;'],
    [']]>', ']]&gt;'],
    ['line\nbreak', 'line&#10;break'],
    ['\u0000\u001b[31m', '\ufffd\ufffd[31m'],
    ['\ud800 alone', '\ufffd alone'],
    ['🎉', '🎉'],
  ])('%j becomes %j', (text, escaped) => {
    expect(escapeXml(text)).toBe(escaped);
  });
});

describe('CSV', () => {
  test.each([
    ['plain', 'plain'],
    ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', String.raw`'\t=1`],
    [' =1', "' =1"],
    ['a,b', '"a,b"'],
    ['two\nlines', String.raw`two\nlines`],
    ['count=5', 'count=5'],
  ])('%j becomes %j', (text, cell) => {
    expect(textCell(text)).toBe(cell);
  });
});

describe('annotations', () => {
  const run = shardingRun();

  test('a pass says nothing', () => {
    expect(annotateRun({ ...run, verdict: { ...run.verdict, status: 'pass' } })).toBe('');
  });

  test('what would end the command or begin another is escaped', () => {
    const text = annotateRun({
      ...run,
      scenario: { ...run.scenario, name: 'a::b,c' },
      verdict: { status: 'fail', reasons: ['100 % missed\r\n::add-mask::x'], recommendedVariant: null },
    });
    expect(text).toBe('::error title=dyno-load a%3A%3Ab%2Cc%3A fail::100 %25 missed\\r\\n::add-mask::x\n');
  });

  test('ten at the most, as GitHub shows no more', () => {
    const rule = { text: 'r', status: 'missed', rows: [], reasons: ['because'] } as const;
    const text = annotateGate({ status: 'fail', rules: Array.from({ length: 30 }, () => rule) });
    expect(text.trim().split('\n')).toHaveLength(10);
  });
});

describe('a run named after attacks', () => {
  const attack = '<script>|"\n=cmd\u0000';
  const run = shardingRun();
  const hostile = {
    ...run,
    scenario: { ...run.scenario, name: attack, question: attack },
    variants: run.variants.map((variant) => ({ ...variant, name: attack + variant.name })),
  };

  test('is well-formed XML: every tag is ours', () => {
    const tags: string[] = renderJunitRun(hostile).match(/<\/?[a-z]+/g) ?? [];
    const ours = ['testsuites', 'testsuite', 'testcase', 'failure', 'error', 'skipped'];
    expect(new Set(tags.map((tag) => tag.replace(/<\/?/, '')))).toEqual(
      new Set(ours.filter((name) => tags.includes(`<${name}`))),
    );
    expect(renderJunitRun(hostile)).not.toContain('\u0000');
  });

  test('is Markdown without a foreign tag, and each table row has as many cells as its head', () => {
    const text = renderMarkdown(viewRun(hostile), hostile.scenario.name);
    expect(text).not.toContain('<script');
    for (const table of text.match(/(?:^\|.*\n?)+/gm) ?? []) {
      const widths = table
        .trim()
        .split('\n')
        .map((row) => row.split(/(?<!\\)\|/).length);
      expect(new Set(widths).size).toBe(1);
    }
  });

  test('is CSV with eight cells in each row', () => {
    const text = renderCsv(hostile);
    const withoutQuoted = text.replaceAll(/"(?:[^"]|"")*"/g, 'q');
    for (const row of withoutQuoted.trim().split('\r\n')) expect(row.split(',')).toHaveLength(8);
  });
});
