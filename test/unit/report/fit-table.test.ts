// Aim: a table fits its width with the least loss, in a fixed order of measures. Method: one table, made
// narrower step by step; widths are counted from the cells.
import { describe, expect, test } from 'vitest';
import { fitTable } from '../../../src/report/fit-table.ts';
import { cell, left, right, type TableSection } from '../../../src/report/section.ts';

const KEY = 'TENANT#2f1c7a52-2f5e-4f39-9d5b-0c64a4a2a1f3';
const ADVICE = '✗ missing: 10 of the 100 samples that p99 needs; measure at least 50 s';

/** Natural widths: 24, 11, 43, 17 (head), 8, 70; five gaps of two; 183 in all. */
const table: TableSection = {
  kind: 'table',
  title: 'A table',
  isGrouped: true,
  columns: [
    left('variant'),
    left('on'),
    left('hottest key', { yields: 'cut' }),
    right('hottest partition', { spareRank: 1 }),
    left('validity', { isOfGroup: true }),
    left('result', { yields: 'wrap' }),
  ],
  rows: [
    row('how=parallel, segments=8', 'orders/GSI1', 'suspect'),
    row('', 'orders', 'suspect'),
    row('how=scan, segments=1', 'orders', 'valid'),
  ],
};

function row(variant: string, on: string, validity: string) {
  return [
    cell(variant, 'strong'),
    cell(on),
    cell(KEY),
    cell('100 % of W'),
    cell(validity, 'good'),
    cell(ADVICE),
  ];
}

function widthOf({ columns, rows }: Pick<TableSection, 'columns' | 'rows'>): number {
  const lines = [columns.map((column) => column.head), ...rows.map((cells) => cells.map((one) => one.text))];
  const widths = columns.map((_, at) =>
    Math.max(...lines.flatMap((texts) => (texts[at] ?? '').split('\n').map((line) => line.length))),
  );
  return widths.reduce((sum, width) => sum + width, 0) + 2 * (widths.length - 1);
}

describe('a table', () => {
  test('that fits is left as it is', () => {
    const fitted = fitTable(table, 183);
    expect(widthOf(fitted)).toBe(183);
    expect(fitted.rows).toEqual(table.rows);
    expect(fitted.groupLines).toEqual([null, null, null]);
  });

  test('that is a little too wide breaks its heads first', () => {
    const fitted = fitTable(table, 178);
    expect(fitted.columns[3]?.head).toBe('hottest\npartition');
    expect(fitted.rows).toEqual(table.rows);
  });

  test('that is wider wraps and cuts its texts a little', () => {
    const fitted = fitTable(table, 130);
    expect(fitted.groupLines).toEqual([null, null, null]);
    expect(fitted.rows[0]?.[5]?.text).toContain('\n');
    expect(fitted.rows[0]?.[5]?.text.replaceAll('\n', ' ')).toBe(ADVICE);
    expect(widthOf(fitted)).toBeLessThanOrEqual(130);
  });

  test('that is wider still gives each group a line, with what is said of the group', () => {
    const fitted = fitTable(table, 100);
    expect(fitted.columns.map((column) => column.head.replace('\n', ' '))).toEqual([
      'on',
      'hottest key',
      'hottest partition',
      'result',
    ]);
    expect(fitted.groupLines.map((line) => line?.map((one) => one.text))).toEqual([
      ['how=parallel, segments=8', 'suspect'],
      undefined,
      ['how=scan, segments=1', 'valid'],
    ]);
    expect(fitted.rows[1]?.[0]?.text).toBe('  orders');
    expect(fitted.leftOut).toEqual([]);
  });

  test('that does not fit even so leaves out what can be spared, and says so', () => {
    const fitted = fitTable(table, 55);
    expect(fitted.leftOut).toEqual(['hottest partition']);
    expect(fitted.columns.map((column) => column.head)).toEqual(['on', 'hottest key', 'result']);
  });

  test('keeps both ends of what it cuts', () => {
    const text = fitTable(table, 55).rows[0]?.[1]?.text ?? '';
    expect(text).toMatch(/^TENANT#.*…/);
    expect(KEY.endsWith(text.split('…')[1] ?? 'x')).toBe(true);
  });

  test.each([160, 120, 100, 80, 55, 48])('is at most %i wide when told so', (width) => {
    expect(widthOf(fitTable(table, width))).toBeLessThanOrEqual(width);
  });

  test('that is not grouped keeps its first column', () => {
    const fitted = fitTable({ ...table, isGrouped: false }, 110);
    expect(fitted.columns).toHaveLength(5);
    expect(fitted.columns[0]?.head).toBe('variant');
  });
});
