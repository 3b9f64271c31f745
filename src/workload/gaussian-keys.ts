// Keys under a bell: key i of n has what a normal distribution has between i ÷ n and (i + 1) ÷ n, in proportion
// to what it has between 0 and 1.

interface Bell {
  readonly mean: number;
  readonly deviation: number;
}

interface Ends {
  readonly below0: number;
  readonly below1: number;
}

/** By the distribution, which is one object for all its draws. */
const knownEnds = new WeakMap<Bell, Ends>();

/** The index of a key, 0 … count − 1, by the inverse of the normal distribution. */
export function pickGaussian(bell: Bell, count: number, draw: number): number {
  const { below0, below1 } = endsOf(bell);
  const z = deviationsAt(below0 + draw * (below1 - below0));
  const index = Math.floor((bell.mean + z * bell.deviation) * count);
  return Math.max(0, Math.min(count - 1, index));
}

function endsOf(bell: Bell): Ends {
  let ends = knownEnds.get(bell);
  if (ends === undefined) {
    ends = { below0: below(bell, 0), below1: below(bell, 1) };
    knownEnds.set(bell, ends);
  }
  return ends;
}

const CLOSE_ENOUGH = 1e-10;

/**
 * The z with Φ(z) = share, by Newton's method from the middle: Φ bends down to the right of it, so that no step
 * goes too far, and to the left it is the same in the mirror.
 */
function deviationsAt(share: number): number {
  const side = share < 0.5 ? -1 : 1;
  const wanted = share < 0.5 ? 1 - share : share;
  let z = 0;
  for (let step = 1; step > CLOSE_ENOUGH && z < FAR; z += step)
    step = (wanted - normalShareBelow(z)) * Math.sqrt(2 * Math.PI) * Math.exp((z * z) / 2);
  return side * Math.min(z, FAR);
}

/** The share of the key at the mean, or of one of its neighbours where that is cut off by the end. */
export function hottestGaussian(bell: Bell, count: number): number {
  const all = below(bell, 1) - below(bell, 0);
  const middle = Math.min(count - 1, Math.floor(bell.mean * count));
  const shares = [middle - 1, middle]
    .filter((index) => index >= 0)
    .map((index) => (below(bell, (index + 1) / count) - below(bell, index / count)) / all);
  return Math.max(...shares);
}

function below({ mean, deviation }: Bell, x: number): number {
  return normalShareBelow((x - mean) / deviation);
}

/** Beyond this many deviations less than 1e-15 is left. */
const FAR = 8;

/**
 * Φ(z) = ½ + φ(z)·(z + z³ ÷ 3 + z⁵ ÷ (3·5) + …), a series of terms of one sign, good to the last digits.
 * @see G. Marsaglia, "Evaluating the Normal Distribution", Journal of Statistical Software 11 (4), 2004
 */
function normalShareBelow(z: number): number {
  if (z <= -FAR) return 0;
  if (z >= FAR) return 1;
  let term = z;
  let sum = z;
  for (let factor = 3, before = 0; sum !== before; factor += 2) {
    before = sum;
    term *= (z * z) / factor;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}
