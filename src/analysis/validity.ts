// Can the figures of a variant be believed? Judges the generator (late, starved, too slow) and the experiment
// (saturated target, unsettled stage, interrupted), each by a rule with a named bound. `suspect` figures may
// be used with the doubt in mind, `invalid` ones may not.
import { US_PER_SECOND } from '../units.ts';
import type { Validity } from './run-result.ts';
import { findTransients } from './transient.ts';
import { judgeGenerator } from './validity-generator.ts';
import { type Reason, reason, type ValidityInput } from './validity-reason.ts';
import { judgeWorkload } from './validity-workload.ts';
import { formatNumber, formatPercent } from './wording.ts';

/**
 * Judges one variant. In virtual time nothing of the machine matters: operations are sent when due and only
 * rules on the experiment apply, so that equal seeds give equal judgements.
 */
export function judgeValidity(input: ValidityInput): Validity {
  const reasons = [...judgeCompletion(input.variant)];
  if (reasons.every((reason) => reason.status !== 'invalid')) {
    for (const workload of input.variant.workloads) reasons.push(...judgeWorkload(workload, input));
    reasons.push(...judgeTransients(input), ...judgeCarryOver(input.variant));
    if (input.target.time === 'wall-clock') reasons.push(...judgeGenerator(input.variant));
  }
  reasons.sort((a, b) => Number(b.status === 'invalid') - Number(a.status === 'invalid'));
  return { status: reasons[0]?.status ?? 'valid', reasons };
}

function judgeCompletion({ status, abort, measuredSeconds }: ValidityInput['variant']): Reason[] {
  if (status === 'notRun') {
    return [reason('invalid', 'not-run', 'the variant did not run', 'run it to the end')];
  }
  if (measuredSeconds <= 0) {
    const advice = 'let the run reach its measured stages, or shorten the warm-up';
    return [reason('invalid', 'nothing-measured', 'no measured stage was reached', advice)];
  }
  if (status === 'complete') return [];
  if (abort !== undefined) {
    const text =
      `ended ${formatNumber(abort.atUs / US_PER_SECOND)} s after the start of load, as the scenario asks: ` +
      `${abort.condition} held over 10 s`;
    return [reason('suspect', 'aborted', text, 'lower the load, or loosen the condition under abort')];
  }
  const text = `interrupted after ${formatNumber(measuredSeconds)} s of the measured stages`;
  return [reason('suspect', 'interrupted', text, 'run it to the end before you rely on it')];
}

function judgeTransients({ variant, stages }: ValidityInput): Reason[] {
  return findTransients(variant.workloads, stages).map((found) => {
    const text =
      `${found.workload} was not steady in stage ${found.stage}: ` +
      `${formatPercent(found.firstThirdRatio)} of it was ` +
      `${found.measure} in the first third, ${formatPercent(found.lastThirdRatio)} in the last`;
    const advice = 'lengthen the warm-up or the stage until burst is spent and partitions have split';
    return reason('suspect', 'transient', text, advice);
  });
}

function judgeCarryOver({ isCarriedOver }: ValidityInput['variant']): Reason[] {
  if (isCarriedOver !== true) return [];
  const text =
    'an earlier variant wrote to the same table: its items, heat and splits were there from the start';
  return [reason('suspect', 'carry-over', text, 'give each variant a table of its own: leave --table away')];
}
