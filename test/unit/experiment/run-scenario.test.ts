// Aim: what stops a run is told by its first error, and nothing that hangs holds back the record of a run
// that was stopped. Method: runs in virtual time on a scripted target, whose sessions open, answer and close
// as a test says.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/clock.ts';
import type { TargetDescription, TargetProvider } from '../../../src/engine/target.ts';
import { DynoLoadError } from '../../../src/errors.ts';
import type { RunParts } from '../../../src/experiment/run-parts.ts';
import { ScenarioRun } from '../../../src/experiment/run-scenario.ts';
import { nothingObserved } from '../../support/observation.ts';
import { planOf, stagesOf } from '../../support/plan-builder.ts';
import { buildMeasuredRun } from '../../support/run-result-builder.ts';
import { type Script, ScriptedTarget } from '../../support/scripted-target.ts';

const { variants: _, status: __, target, environment, ...frame } = buildMeasuredRun();

interface Wishes {
  readonly script?: Script;
  readonly whenOpened?: () => Promise<void>;
  readonly whenClosed?: () => Promise<void>;
  /** When the run is over and what its variants shared is to go. */
  readonly whenReleased?: () => Promise<void>;
}

function providerOf({ script = {}, whenOpened, whenClosed, whenReleased }: Wishes): TargetProvider {
  const description: TargetDescription = { ...target, notes: [], model: null };
  return {
    description,
    open: async () => {
      await whenOpened?.();
      const clock = new VirtualClock();
      return {
        target: new ScriptedTarget(clock, script),
        clock,
        knowsHeat: true,
        observe: () => nothingObserved,
        close: async () => whenClosed?.(),
      };
    },
    close: async () => whenReleased?.(),
  };
}

function runOf(wishes: Wishes): ScenarioRun {
  const parts: RunParts = {
    plans: [planOf({ stages: stagesOf({ seconds: 1 }) })],
    frame: { ...frame, environment },
    provider: providerOf(wishes),
    probe: {
      start: () => undefined,
      measure: () => undefined,
      finish: () => ({
        wallSeconds: 1,
        cpuSeconds: 1,
        eventLoopDelayP99Ms: null,
        eventLoopDelayMaxMs: null,
        eventLoopUtilization: null,
      }),
    },
    analysis: { gate: false },
    model: undefined,
    listener: { preparing: () => undefined, running: () => undefined, recorded: async () => undefined },
    patience: async () => undefined,
    turn: async () => undefined,
    timeOfDay: () => environment.startedAt,
  };
  return new ScenarioRun(parts);
}

const cannotDelete = new DynoLoadError('TARGET_UNREACHABLE', {
  what: 'cannot delete table "t"',
  why: 'connect ECONNREFUSED',
  fix: 'start the server',
});
const rejects = () => Promise.reject(cannotDelete);
const refused: Script = {
  outcome: () => ({
    kind: 'failed',
    code: 'ECONNREFUSED',
    message: 'connect ECONNREFUSED',
    isRetryable: false,
  }),
};

test('a run that comes to its end is complete and names nothing that stopped it', async () => {
  const { result, error } = await runOf({}).run();
  expect({ status: result.status, stoppedBy: result.stoppedBy, error }).toEqual({ status: 'complete' });
});

test('tables that cannot be deleted stop a run, and what was measured is kept', async () => {
  const { result, error } = await runOf({ whenClosed: rejects }).run();
  expect(error).toBe(cannotDelete);
  expect(result.stoppedBy).toBe('cannot delete table "t"');
  expect(result.variants).toHaveLength(1);
});

test('a target that was lost under load is the error, and that its tables stay is a note', async () => {
  const { result, error } = await runOf({ script: refused, whenClosed: rejects }).run();
  expect(error).toMatchObject({ code: 'TARGET_UNREACHABLE', what: 'the target was lost while default ran' });
  expect(result.target.notes).toEqual(['Not cleaned up: cannot delete table "t".']);
});

test('tables that variants shared and that cannot be deleted stop a run as others do', async () => {
  const { result, error, cleanedUp } = await runOf({ whenReleased: rejects }).run();
  expect(error).toBe(cannotDelete);
  expect(result.stoppedBy).toBe('cannot delete table "t"');
  expect(result.variants).toHaveLength(1);
  await expect(cleanedUp).resolves.toBeUndefined();
});

test('a target that was lost is the error, and that shared tables stay is a note', async () => {
  const { result, error } = await runOf({ script: refused, whenReleased: rejects }).run();
  expect(error).toMatchObject({ code: 'TARGET_UNREACHABLE', what: 'the target was lost while default ran' });
  expect(result.target.notes).toEqual(['Not cleaned up: cannot delete table "t".']);
});

test('what stopped a run is told, and not the trouble of cleaning up after it', async () => {
  const first = new DynoLoadError('REFUSED_MAX_COST', {
    what: 'too dear',
    why: 'a limit',
    fix: 'a higher one',
  });
  const run = runOf({ whenClosed: rejects });
  run.stop(first);
  const { result, error } = await run.run();
  expect(error).toBe(first);
  expect(result).toMatchObject({ status: 'interrupted', stoppedBy: 'too dear' });
});

test.each<{ name: string; hangsIn: keyof Wishes; variants: number }>([
  { name: 'deletes its tables', hangsIn: 'whenClosed', variants: 1 },
  { name: 'makes its tables', hangsIn: 'whenOpened', variants: 0 },
])(
  'an interrupt while the target $name and hangs ends in a record at once',
  async ({ hangsIn, variants }) => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const hang = () => {
      begin();
      return new Promise<void>(() => undefined);
    };
    const run = runOf({ [hangsIn]: hang });
    const ended = run.run();
    await begun;
    run.interrupt();
    const { result, error } = await ended;
    expect({ status: result.status, stoppedBy: result.stoppedBy, error }).toEqual({ status: 'interrupted' });
    expect(result.variants).toHaveLength(variants);
  },
);

test('an interrupt does not wait for tables to go, and tells when they are gone', async () => {
  let goOn = () => {};
  const gone = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const run = runOf({ whenClosed: () => gone });
  const ended = run.run();
  run.interrupt();
  const { cleanedUp } = await ended;
  const state = () => Promise.race([cleanedUp.then(() => 'gone'), soon('there')]);
  expect(await state()).toBe('there');
  goOn();
  expect(await state()).toBe('gone');
});

/** Long after everything that is ready has been done. */
function soon<T>(value: T): Promise<T> {
  return new Promise((resolve) => setImmediate(resolve, value));
}
