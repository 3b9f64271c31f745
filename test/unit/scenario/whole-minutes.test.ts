// Aim: stages that CloudWatch is to be held against fill whole minutes. Method: lengths in seconds in, lengths out.
import { expect, test } from 'vitest';
import { wholeMinuteStages } from '../../../src/scenario/whole-minutes.ts';
import { US_PER_SECOND } from '../../../src/units.ts';

const stage = (name: string, seconds: number, isMeasured: boolean) => ({
  name,
  durationUs: seconds * US_PER_SECOND,
  isMeasured,
  rateFactor: 1,
});

test.each([
  ['a short stage lasts two minutes', [['steady', 30, true]], undefined, [120], 1],
  [
    'a warm-up before it keeps its length',
    [
      ['warm-up', 10, false],
      ['steady', 30, true],
    ],
    undefined,
    [10, 120],
    1,
  ],
  [
    'whole minutes stay',
    [
      ['warm-up', 90, false],
      ['steady', 180, true],
    ],
    undefined,
    [90, 180],
    0,
  ],
  ['others are rounded up', [['steady', 181, true]], undefined, [240], 1],
  [
    'a pause between measured stages is rounded too',
    [
      ['a', 120, true],
      ['pause', 10, false],
      ['b', 120, true],
    ],
    undefined,
    [120, 60, 120],
    1,
  ],
  [
    '--duration replaces, caps the warm-up, and is rounded',
    [
      ['warm-up', 300, false],
      ['steady', 30, true],
    ],
    150,
    [150, 180],
    1,
  ],
] as const)('%s', (_, stages, duration, seconds, noteCount) => {
  const checked = stages.map(([name, length, isMeasured]) => stage(name, length, isMeasured));
  const rounded = wholeMinuteStages(checked, duration === undefined ? undefined : duration * US_PER_SECOND);
  expect(rounded.stages.map(({ durationUs }) => durationUs / US_PER_SECOND)).toEqual(seconds);
  expect(rounded.notes).toHaveLength(noteCount);
});
