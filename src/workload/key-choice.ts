// A choice among keys, told to whoever wants to know how the load falls on them: which distribution, over
// what, and how hot its hottest key is. Nobody listens while load runs.
import { formatDuration } from '../units.ts';
import type { Distribution } from './distribution.ts';
import { hottestShare } from './key-distribution.ts';

/** Keys were picked by a distribution that the scenario names. */
export interface KeyChoice {
  readonly by: Distribution;
  /** What is picked from, for example `data.orders`. */
  readonly from: string;
  /** How many keys there are to pick. */
  readonly count: number;
}

/** Random numbers that tell of choices made by them. */
interface Listening {
  readonly chosen?: ((choice: KeyChoice) => void) | undefined;
}

/**
 * Tells of a choice where the random numbers by which it was made belong to somebody who listens.
 * @param dataName  the member of the scenario's `data` that is picked from
 * @param count  how many keys it has
 */
export function tellChoice(random: object, by: Distribution, dataName: string, count: number): void {
  // Not `instanceof`: a scenario may have loaded another copy of this module.
  const { chosen } = random as Listening;
  if (chosen !== undefined) chosen({ by, from: `data.${dataName}`, count });
}

/** For example `data.orders by zipfian(0.99): the hottest of 100,000 is expected to get 7.8 % of them`. */
export function choiceText({ by, from, count }: KeyChoice): string {
  const share = hottestShare(by, count);
  const percent = `${Number((100 * share).toPrecision(3)).toLocaleString('en-US', { maximumSignificantDigits: 3 })} %`;
  return `picks of ${from} by ${distributionText(by)}: the hottest of ${count.toLocaleString('en-US')} is expected to get ${percent} of them`;
}

function distributionText(by: Distribution): string {
  switch (by.distribution) {
    case 'uniform':
    case 'sequential':
      return `${by.distribution}()`;
    case 'zipfian':
    case 'latest':
      return `${by.distribution}(${by.exponent})`;
    case 'gaussian':
      return `gaussian({ mean: ${by.mean}, deviation: ${by.deviation} })`;
    case 'hotspot': {
      const moves = by.moveEveryUs === undefined ? '' : `, moveEvery: '${formatDuration(by.moveEveryUs)}'`;
      return `hotspot({ share: ${by.share}, of: ${by.of}${moves} })`;
    }
    case 'exponential':
      return `exponential() that falls off by e^−${Number(by.decay.toPrecision(3))} from first to last`;
    case 'weighted':
      return `weights of ${by.parts.length} ${by.parts.length === 1 ? 'part' : 'parts'}`;
  }
}
