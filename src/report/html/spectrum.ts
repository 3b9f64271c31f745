// Response times as curves over percentiles, one chart for each workload with all variants in it. The axis
// grows by nines, so that the tail, where throttling and retries live, has as much room as the rest.
import type { HistogramResult, RunResult, VariantResult } from '../../analysis/run-result.ts';
import { formatLatency } from '../../analysis/wording.ts';
import { LatencyHistogram } from '../../stats/histogram.ts';
import type { ChartFigure } from './chart-figure.ts';
import type { ChartLine } from './chart-spec.ts';

const STEPS_PER_NINE = 24;
const MOST_NINES = 6;

/** Service times get a curve of their own where they differ by more than this share of the response time. */
const NOTABLE_DIFFERENCE = 0.05;

/** From here on a linear axis would press the body of the curve flat. */
const LOGARITHMIC_FROM_SPREAD = 12;

/** One figure for each workload that had successful operations. */
export function spectrumFigures({ variants, target }: RunResult): ChartFigure[] {
  const names = [...new Set(variants.flatMap((variant) => variant.workloads.map((one) => one.name)))];
  return names.flatMap((name, index) => spectrumFigure(name, index, variants, target) ?? []);
}

function spectrumFigure(
  workload: string,
  index: number,
  variants: readonly VariantResult[],
  target: RunResult['target'],
): ChartFigure | null {
  const curves = variants.flatMap((variant) => curvesOf(variant, workload));
  const most = Math.min(MOST_NINES, Math.max(0, ...curves.map((curve) => curve.nines)));
  if (curves.length === 0) return null;
  const steps = Math.ceil(most * STEPS_PER_NINE);
  const x = Array.from({ length: steps + 1 }, (_, step) => step / STEPS_PER_NINE);
  const lines = curves.map((curve) => lineOf(curve, x));
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
  const spread = Math.max(...values) / Math.max(Math.min(...values), Number.MIN_VALUE);
  const modelled = target.kind === 'simulated' ? ', modelled' : '';
  return {
    spec: {
      id: `spectrum-${index}`,
      x: { kind: 'nines', values: x.map((value) => Number(value.toFixed(4))) },
      y: { unit: 'ms', isLogarithmic: spread >= LOGARITHMIC_FROM_SPREAD },
      lines,
      shaded: [],
    },
    title: `${workload}: response time by percentile${modelled}, ms`,
    summary: curves
      .filter((curve) => !curve.isService)
      .map(
        ({ variant, histogram }) =>
          `${variant.name}: p50 ${formatLatency(histogram.p50Us)}, p99 ${formatLatency(histogram.p99Us)}`,
      )
      .join('; '),
  };
}

interface Curve {
  readonly variant: VariantResult;
  readonly isService: boolean;
  readonly histogram: HistogramResult;
  /** How far the sample reaches: 1,000 operations tell of three nines. */
  readonly nines: number;
  readonly valueAt: (nines: number) => number;
}

function curvesOf(variant: VariantResult, workload: string): Curve[] {
  const measured = variant.workloads.find((one) => one.name === workload)?.measured;
  const response = measured?.response.ok;
  const service = measured?.service.ok;
  if (response === undefined || response.count === 0) return [];
  const curves = [curveOf(variant, response, false)];
  if (service !== undefined && differ(service, response)) curves.push(curveOf(variant, service, true));
  return curves;
}

function curveOf(variant: VariantResult, histogram: HistogramResult, isService: boolean): Curve {
  return {
    variant,
    isService,
    histogram,
    nines: Math.log10(histogram.count),
    valueAt: quantiles(histogram),
  };
}

function differ(service: HistogramResult, response: HistogramResult): boolean {
  return (['p50Us', 'p99Us', 'p99_9Us'] as const).some(
    (quantile) => response[quantile] - service[quantile] > NOTABLE_DIFFERENCE * response[quantile],
  );
}

/** µs by nines. A record without counts, which other programs may write, still has its five quantiles. */
function quantiles(record: HistogramResult): (nines: number) => number {
  if (record.encoded === '') return (nines) => stepwise(record, nines);
  const histogram = LatencyHistogram.fromRecord(record);
  return (nines) => histogram.quantile(1 - 10 ** -nines);
}

function stepwise(record: HistogramResult, nines: number): number {
  const share = 1 - 10 ** -nines;
  if (share <= 0.5) return record.p50Us;
  if (share <= 0.9) return record.p90Us;
  if (share <= 0.99) return record.p99Us;
  return share <= 0.999 ? record.p99_9Us : record.maxUs;
}

/** The curve ends with the slowest operation, at the first point that the sample does not reach. */
function lineOf({ variant, isService, histogram, nines, valueAt }: Curve, x: readonly number[]): ChartLine {
  const last = x.findIndex((at) => at >= nines);
  return {
    label: isService ? `${variant.name}, service time` : variant.name,
    variantIndex: variant.index,
    isDashed: isService,
    values: x.map((at, step) => {
      if (last === -1 || step < last) return milliseconds(valueAt(at));
      return step === last ? milliseconds(histogram.maxUs) : null;
    }),
  };
}

function milliseconds(us: number): number {
  return Number((us / 1_000).toPrecision(4));
}
