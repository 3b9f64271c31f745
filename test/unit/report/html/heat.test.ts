// Aim: keys and partitions are drawn as hot as they were. Method: one resource by hand, read from the SVG.
import { describe, expect, test } from 'vitest';
import { heatStrip } from '../../../../src/report/html/heat-strip.ts';
import { partitionBars } from '../../../../src/report/html/partition-bars.ts';
import { buildPartitions } from '../../../support/run-result-builder.ts';

const scale = { unit: 'WCU/s', ceiling: 1_000 } as const;

describe('the strip of a key', () => {
  test.each([
    ['below a fiftieth of a partition', 10, 'h0'],
    ['half a partition', 500, 'h3'],
    ['just below a partition', 999, 'h5'],
    ['a whole partition', 1_000, 'h6'],
    ['three partitions', 3_000, 'h7'],
  ])('%s has its colour', (_, units, color) => {
    expect(heatStrip([units], scale).text).toContain(`<rect class="${color}" x="0" width="1"`);
  });

  test('neighbouring windows of one colour are one piece', () => {
    const pieces = [
      ...heatStrip([900, 950, 990, 1_200, 900], scale).text.matchAll(/class="(h\d)" x="(\d)" width="(\d)"/g),
    ];
    expect(pieces.map((piece) => piece.slice(1).join(' '))).toEqual(['h5 0 3', 'h6 3 1', 'h5 4 1']);
  });

  test('says in words from what to what', () => {
    expect(heatStrip([100, 1_500], scale).text).toContain('aria-label="100 to 1,500 WCU/s"');
  });
});

describe('the bars of partitions', () => {
  const text = (rows: Parameters<typeof buildPartitions>[0]) =>
    partitionBars(buildPartitions(rows), 'write', 60).text;

  test('show what was given up to the ceiling and what was refused above it', () => {
    // 1,000 of 1,000 WCU/s given and 1,000 WCU/s refused over 60 s: the ceiling lies in the middle of the chart.
    const svg = text([{ writeUnitsPerSecond: 1_000, throttledWriteUnits: 60_000 }]);
    expect(svg).toContain('<rect class="taken" x="1" y="50" width="8" height="50"/>');
    expect(svg).toContain('<rect class="refused" x="1" y="0" width="8" height="50"/>');
    expect(svg).toContain('class="ceiling" d="M0 50H10"');
  });

  test('say in words how busy and how even they were', () => {
    const svg = text([{ writeUnitsPerSecond: 900 }, { writeUnitsPerSecond: 100 }]).replaceAll('\u00a0', ' ');
    expect(svg).toContain('2 partitions: the busiest gave 90 % of its write ceiling (line), the mean 50 %');
    expect(svg).not.toContain('refused');
  });

  test('of a large table are the busiest 120', () => {
    const svg = text(Array.from({ length: 500 }, (_, index) => ({ writeUnitsPerSecond: index })));
    expect(svg.match(/class="taken"/g)).toHaveLength(120);
    expect(svg).toContain('the 120 busiest are drawn');
  });
});
