// Aim: one exit code out of several causes. Method: the table of the README, each row a pair that competes.
import { expect, test } from 'vitest';
import { type CommandEnd, exitCodeOf } from '../../../src/analysis/exit-code.ts';

const quiet: CommandEnd = { signal: null, errors: [], verdict: null };

test.each<[string, Partial<CommandEnd>, number]>([
  ['nothing went wrong', {}, 0],
  ['the verdict is pass', { verdict: { status: 'pass' } }, 0],
  ['a goal was missed', { verdict: { status: 'fail' } }, 1],
  ['the verdict is inconclusive', { verdict: { status: 'inconclusive' } }, 4],
  ['the scenario is wrong', { errors: ['SCENARIO_INVALID'] }, 2],
  ['the scenario is wrong and a goal was missed', { errors: ['USAGE'], verdict: { status: 'fail' } }, 2],
  [
    'the scenario is wrong and the verdict is inconclusive',
    { errors: ['USAGE'], verdict: { status: 'inconclusive' } },
    2,
  ],
  ['the endpoint refuses and a flag is wrong', { errors: ['USAGE', 'TARGET_UNREACHABLE'] }, 3],
  ['we have a bug and the endpoint refuses', { errors: ['TARGET_UNREACHABLE', 'INTERNAL'] }, 70],
  ['SIGTERM came and we have a bug', { signal: 'SIGTERM', errors: ['INTERNAL'] }, 143],
  ['SIGINT came and a goal was missed', { signal: 'SIGINT', verdict: { status: 'fail' } }, 130],
])('where %s, the exit code follows from what comes first', (_, end, code) => {
  expect(exitCodeOf({ ...quiet, ...end })).toBe(code);
});
