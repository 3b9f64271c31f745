// Aim: the health of the generator is read around the load, and what held it up before measuring does not
// count. Method: virtual time, and a probe that writes down when it is asked.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/clock.ts';
import type { HealthProbe } from '../../../src/engine/generator-health.ts';
import { ThreadLoad } from '../../../src/engine/thread-load.ts';
import { planOf, stagesOf } from '../../support/plan-builder.ts';
import { ScriptedTarget } from '../../support/scripted-target.ts';

test.each([
  ['after the warm-up', stagesOf({ seconds: 3, isMeasured: false }, { seconds: 2 }), 3_000_000, 5_000_000],
  ['at once where there is no warm-up', stagesOf({ seconds: 2 }), 0, 2_000_000],
])('the event loop is measured from the first measured stage on: %s', async (_, stages, fromUs, untilUs) => {
  const clock = new VirtualClock();
  const asked: [string, number][] = [];
  const probe: HealthProbe = {
    start: () => asked.push(['start', clock.nowUs()]),
    measure: (lateMs) => asked.push(['measure', clock.nowUs() + lateMs]),
    finish: () => {
      asked.push(['finish', clock.nowUs()]);
      return {
        wallSeconds: 1,
        cpuSeconds: 1,
        eventLoopDelayP99Ms: null,
        eventLoopDelayMaxMs: null,
        eventLoopUtilization: null,
      };
    },
  };
  const load = new ThreadLoad({
    plan: planOf({ stages }),
    clock,
    target: new ScriptedTarget(clock),
    sdk: undefined,
    knowsHeat: true,
    probe,
    connect: undefined,
  });
  await load.run();
  expect(asked.map(([what]) => what)).toEqual(['start', 'measure', 'finish']);
  expect(asked[1]?.[1]).toBe(fromUs);
  // The last operation is answered a moment before the stage is over.
  expect(Math.abs((asked[2]?.[1] ?? 0) - untilUs)).toBeLessThan(20_000);
});
