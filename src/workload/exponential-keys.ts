// Keys whose load falls off exponentially from the first: the share of the first x of the keys (0…1) is
// F(x) = (1 − e^(−decay·x)) ÷ (1 − e^(−decay)), so that all keys together have all of it.

/** F(x); x itself where nothing decays. */
function shareBelow(decay: number, x: number): number {
  return decay === 0 ? x : Math.expm1(-decay * x) / Math.expm1(-decay);
}

/** The index of a key, 0 … count − 1, by the inverse of F. */
export function pickExponential(decay: number, count: number, draw: number): number {
  const x = decay === 0 ? draw : -Math.log1p(draw * Math.expm1(-decay)) / decay;
  return Math.min(count - 1, Math.floor(x * count));
}

/** The share of the first key. */
export function hottestExponential(decay: number, count: number): number {
  return shareBelow(decay, 1 / count);
}

const HALVINGS = 100;

/** The decay by which the first `of` of the keys have the share `share`, by halving: F grows with the decay. */
export function decayFor(share: number, of: number): number {
  if (share === of) return 0;
  let low = 0;
  let high = 1;
  while (shareBelow(high, of) < share) high *= 2;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (shareBelow(middle, of) < share) low = middle;
    else high = middle;
  }
  return high;
}
