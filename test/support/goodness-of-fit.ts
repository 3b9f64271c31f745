// Tests of fit for random draws at fixed seeds. Limits are at about one in a million, so that a seed fails
// for a defect and not by chance.

/** The normal quantile that one draw in about a million exceeds. */
const FAR = 4.75;

/** The sum of (seen − expected)² ÷ expected; cells expected fewer than ten times are put together. */
export function chiSquare(seen: readonly number[], expected: readonly number[]): ChiSquare {
  let statistic = 0;
  let cells = 0;
  let restSeen = 0;
  let restExpected = 0;
  const addCell = (observed: number, wanted: number) => {
    statistic += (observed - wanted) ** 2 / wanted;
    cells++;
  };
  for (const [index, wanted] of expected.entries()) {
    restSeen += seen[index] ?? 0;
    restExpected += wanted;
    if (restExpected < 10) continue;
    addCell(restSeen, restExpected);
    restSeen = restExpected = 0;
  }
  if (restExpected > 0) addCell(restSeen, restExpected);
  return { statistic, limit: chiSquareLimit(cells - 1) };
}

export interface ChiSquare {
  readonly statistic: number;
  readonly limit: number;
}

/** Wilson and Hilferty's approximation of the chi-square quantile. */
function chiSquareLimit(degrees: number): number {
  const spread = 2 / (9 * Math.max(1, degrees));
  return Math.max(1, degrees) * (1 - spread + FAR * Math.sqrt(spread)) ** 3;
}

/**
 * Kolmogorov and Smirnov's distance of a sample from a distribution, times √n; above 2.7 about once in a
 * million samples.
 */
export function kolmogorovDistance(sample: readonly number[], cumulative: (value: number) => number): number {
  const sorted = [...sample].sort((left, right) => left - right);
  let distance = 0;
  for (const [index, value] of sorted.entries()) {
    const wanted = cumulative(value);
    distance = Math.max(
      distance,
      Math.abs(wanted - index / sorted.length),
      Math.abs(wanted - (index + 1) / sorted.length),
    );
  }
  return distance * Math.sqrt(sorted.length);
}
