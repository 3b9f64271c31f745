// Aim: the text of a moment is that of its date, however moments follow on each other. Method: contexts moved through
// time, compared with the language's own dates.
import { expect, test } from 'vitest';
import { streamKey } from '../../../src/prng.ts';
import { OperationContext } from '../../../src/scenario/operation-context.ts';

test.each([
  ['within one second', '2026-01-01T00:00:00.000Z', [0, 400, 1_000, 999_000, 999_999]],
  ['over the end of a year', '2025-12-31T23:59:58.500Z', [0, 1_499_000, 1_500_000, 2_000_000]],
  ['back and forth', '2026-06-30T12:00:00.007Z', [5_000_000, 0, 5_000_000, 60_000_000, 1]],
  ['before 1970', '1969-12-31T23:59:59.250Z', [0, 749_000, 750_000, 751_000]],
])('nowIso is the text of now %s', (_, startsAt, dueUs) => {
  const context = new OperationContext(streamKey(1, 'w'), Date.parse(startsAt));
  for (const us of dueUs) {
    context.moveTo(0, us);
    expect(context.nowIso).toBe(new Date(Date.parse(startsAt) + Math.floor(us / 1_000)).toISOString());
    expect(context.nowIso).toBe(context.now.toISOString());
  }
});
