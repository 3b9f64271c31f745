// Which of `count` keys an operation takes. Every choice uses exactly one draw, so that another distribution,
// or another count of keys, shifts no later draw of the same operation.
import { assert, DynoLoadError } from '../errors.ts';
import { CounterRandom, type Random } from '../prng.ts';
import type { Distribution } from './distribution.ts';
import { hottestExponential, pickExponential } from './exponential-keys.ts';
import { hottestGaussian, pickGaussian } from './gaussian-keys.ts';
import { hottestWeighted, pickWeighted } from './weighted-keys.ts';
import { harmonic, zipfRank } from './zipf.ts';

/**
 * The index of one key, 0 … count − 1, by exactly one draw from `random`.
 * @param distribution  uniform where absent
 * @param count  integer ≥ 1
 * @param sequence  for `sequential`; the place at which `random` stands where absent
 * @throws DynoLoadError SCENARIO_INVALID for a distribution that no function here made
 */
export function pickIndex(
  distribution: Distribution | undefined,
  random: Random,
  count: number,
  sequence?: number,
): number {
  const draw = random.float();
  if (distribution === undefined) return Math.floor(draw * count);
  switch (distribution.distribution) {
    case 'uniform':
      return Math.floor(draw * count);
    case 'zipfian':
      return zipfRank(distribution.exponent, count, draw) - 1;
    case 'latest':
      return count - zipfRank(distribution.exponent, count, draw);
    case 'hotspot':
      return pickHotspot(distribution, { count, draw, loadUs: loadTimeOf(random) });
    case 'sequential':
      return (sequence ?? sequenceOf(random)) % count;
    case 'gaussian':
      return pickGaussian(distribution, count, draw);
    case 'exponential':
      return pickExponential(distribution.decay, count, draw);
    case 'weighted':
      return pickWeighted(distribution.parts, count, draw);
    default:
      throw unknownDistribution(distribution);
  }
}

/** The share of the draws that the hottest of `count` keys gets, 0…1. */
export function hottestShare(distribution: Distribution | undefined, count: number): number {
  switch (distribution?.distribution) {
    case 'zipfian':
    case 'latest':
      return 1 / harmonic(distribution.exponent, count);
    case 'hotspot': {
      const hot = hotKeyCount(distribution, count);
      const { share } = distribution;
      return hot === count ? 1 / count : Math.max(share / hot, (1 - share) / (count - hot));
    }
    case 'gaussian':
      return hottestGaussian(distribution, count);
    case 'exponential':
      return hottestExponential(distribution.decay, count);
    case 'weighted':
      return hottestWeighted(distribution.parts, count);
    case 'uniform':
    case 'sequential':
    case undefined:
      return 1 / count;
  }
}

/** Files in plain JavaScript may hold anything. */
function unknownDistribution(value: unknown): DynoLoadError {
  const name: unknown = (value as { distribution?: unknown } | null)?.distribution ?? value; // Not what its type says.
  const isName = typeof name === 'string' && names.some((known) => known === name);
  return new DynoLoadError('SCENARIO_INVALID', {
    what: `a key was picked by the distribution ${typeof name === 'string' ? `"${name}"` : String(name)}`,
    why: isName ? 'a name alone is none' : `there is none of that name; there are ${names.join(', ')}`,
    fix: `make it with the function of that name, for example ${isName ? name : 'zipfian'}()`,
  });
}

const names: readonly (Distribution['distribution'] | 'observed')[] = [
  'uniform',
  'zipfian',
  'hotspot',
  'latest',
  'sequential',
  'gaussian',
  'exponential',
  'weighted',
  'observed',
];

function sequenceOf(random: Random): number {
  assert(random instanceof CounterRandom, 'sequential() is picked with the random numbers of an operation');
  return random.sequence;
}

type Hotspot = Extract<Distribution, { distribution: 'hotspot' }>;

function hotKeyCount({ of }: Hotspot, count: number): number {
  // 0.07 × 100 is a little above 7 in floating point.
  return Math.max(1, Math.ceil(of * count - 1e-9));
}

/** Load time of the operation whose numbers these are, µs; 0 before load. */
function loadTimeOf(random: Random): number {
  // Not `instanceof`: a scenario may have loaded another copy of this module.
  return 'dueUs' in random && typeof random.dueUs === 'number' ? random.dueUs : 0;
}

function pickHotspot(
  distribution: Hotspot,
  { count, draw, loadUs }: { readonly count: number; readonly draw: number; readonly loadUs: number },
): number {
  const hot = hotKeyCount(distribution, count);
  const { share, moveEveryUs } = distribution;
  if (hot === count) return Math.floor(draw * count);
  const first = moveEveryUs === undefined ? 0 : (Math.floor(loadUs / moveEveryUs) * hot) % count;
  if (draw < share) return (first + Math.min(hot - 1, Math.floor((draw / share) * hot))) % count;
  const cold = Math.min(count - 1, hot + Math.floor(((draw - share) / (1 - share)) * (count - hot)));
  return (first + cold) % count;
}
