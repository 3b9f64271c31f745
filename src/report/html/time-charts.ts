// What happened over time, for each workload with all variants in it: offered and achieved, throttled by
// reason, other outcomes, units, and the slowest response of each window. Stages that do not count are
// shaded.
import { readableResource } from '../../analysis/resource-name.ts';
import type { RunResult, VariantResult, WorkloadResult } from '../../analysis/run-result.ts';
import { formatNumber } from '../../analysis/wording.ts';
import { US_PER_SECOND } from '../../units.ts';
import type { ChartFigure } from './chart-figure.ts';
import type { ChartLine, ChartSpec } from './chart-spec.ts';

export interface WorkloadTimeline {
  readonly workload: string;
  readonly figures: readonly ChartFigure[];
}

/** The timelines of all workloads that have windows; charts in which nothing happened are left out. */
export function timelines(result: RunResult): WorkloadTimeline[] {
  const names = [...new Set(result.variants.flatMap((variant) => variant.workloads.map((one) => one.name)))];
  return names
    .map((workload, index) => ({ workload, figures: figuresOf(new Timeline(result, workload, index)) }))
    .filter(({ figures }) => figures.length > 0);
}

function figuresOf(timeline: Timeline): ChartFigure[] {
  const rate = (column: Column) => timeline.perSecond(({ series }) => series[column]);
  const offered = timeline.offered();
  const achieved = offered.length === 0 ? 'achieved' : 'achieved (dashed: offered)';
  return [
    timeline.figure(achieved, 'operations/s', [...rate('ok'), ...offered]),
    ...timeline.throttleReasons().map((reason) =>
      timeline.figure(
        `throttled: ${reason}`,
        'requests/s',
        timeline.perSecond((workload, variant) => countsOf(workload, variant, reason)),
      ),
    ),
    ...(timeline.throttleReasons().length > 0
      ? []
      : [timeline.figure('throttled', 'operations/s', rate('throttled'))]),
    timeline.figure('other outcomes (failed, conditions, timed out)', 'operations/s', rate('otherOutcomes')),
    timeline.figure('dropped: no free slot', 'operations/s', rate('dropped')),
    timeline.figure('write units consumed', 'WCU/s', rate('writeUnits')),
    timeline.figure('read units consumed', 'RCU/s', rate('readUnits')),
    timeline.figure('slowest response in each window', 'ms', timeline.slowest()),
  ]
    .filter((figure) => figure !== null)
    .map((figure, index) => ({ ...figure, spec: { ...figure.spec, id: `${figure.spec.id}-${index}` } }));
}

type Column = 'planned' | 'ok' | 'throttled' | 'otherOutcomes' | 'dropped' | 'readUnits' | 'writeUnits';

/** One workload in all variants, on one axis of time. */
class Timeline {
  readonly #index: number;
  readonly #members: readonly { readonly variant: VariantResult; readonly workload: WorkloadResult }[];
  readonly #windowSeconds: number;
  readonly #x: readonly number[];
  readonly #shaded: ChartSpec['shaded'];

  constructor({ variants, scenario }: RunResult, name: string, index: number) {
    this.#index = index;
    this.#members = variants.flatMap((variant) =>
      variant.workloads.filter((one) => one.name === name).map((workload) => ({ variant, workload })),
    );
    this.#windowSeconds = Math.max(1, ...this.#members.map(({ workload }) => workload.series.windowSeconds));
    const planned = sum(scenario.stages.map((stage) => stage.durationUs)) / US_PER_SECOND;
    const reached = Math.max(
      0,
      ...this.#members.map(({ workload: { series } }) => series.planned.length * series.windowSeconds),
    );
    // What comes after the last stage is the drain: answers only.
    const count = Math.ceil(Math.min(planned, reached) / this.#windowSeconds);
    this.#x = Array.from({ length: count }, (_, window) => window * this.#windowSeconds);
    this.#shaded = unmeasuredSpans(scenario.stages);
  }

  /** Reason and resource as readers know them, in the order of how often they occur. */
  throttleReasons(): string[] {
    const rows = this.#members.flatMap(({ variant, workload }) =>
      (workload.throttleSeries ?? []).map((row) => ({
        name: reasonText(row, variant),
        count: sum(row.counts),
      })),
    );
    return [...new Set(rows.toSorted((a, b) => b.count - a.count).map((row) => row.name))];
  }

  perSecond(countsOf: (workload: WorkloadResult, variant: VariantResult) => readonly number[]): ChartLine[] {
    return this.#lines((workload, variant) => this.#rates(countsOf(workload, variant), workload));
  }

  /**
   * One grey line where all variants were offered the same, as they are unless rates are a parameter. A closed
   * loop has no schedule, so nothing is offered to it.
   */
  offered(): ChartLine[] {
    if (this.#members.some(({ workload }) => workload.load.kind === 'closed')) return [];
    const lines = this.perSecond(({ series }) => series.planned);
    const first = lines[0];
    if (first === undefined) return [];
    const isSame = lines.every((line) => line.values.every((value, at) => value === first.values[at]));
    if (isSame && lines.length > 1)
      return [{ ...first, label: 'offered', variantIndex: null, isDashed: true }];
    return lines.map((line) => ({ ...line, label: `${line.label}, offered`, isDashed: true }));
  }

  slowest(): ChartLine[] {
    return this.#lines(({ series }) => {
      const per = this.#windowSeconds / series.windowSeconds;
      return this.#x.map((_, window) => {
        const us = Math.max(0, ...series.maxResponseUs.slice(window * per, (window + 1) * per));
        return us === 0 ? null : short(us / 1_000);
      });
    });
  }

  figure(title: string, unit: string, lines: readonly ChartLine[]): ChartFigure | null {
    const own = lines.filter((line) => line.variantIndex !== null);
    if (this.#x.length < 2 || !own.some((line) => line.values.some((value) => (value ?? 0) > 0))) return null;
    return {
      spec: {
        id: `time-${this.#index}`,
        x: { kind: 'seconds', values: this.#x },
        y: { unit, isLogarithmic: false },
        lines,
        shaded: this.#shaded,
      },
      title: `${title}, ${unit}`,
      summary: own.map(rangeText).join('; '),
    };
  }

  #lines(
    valuesOf: (workload: WorkloadResult, variant: VariantResult) => readonly (number | null)[],
  ): ChartLine[] {
    return this.#members.map(({ variant, workload }) => ({
      label: variant.name,
      variantIndex: variant.index,
      isDashed: false,
      values: valuesOf(workload, variant),
    }));
  }

  /** Counts per window as rates on the common axis; nothing where this variant had ended. */
  #rates(counts: readonly number[], { series }: WorkloadResult): (number | null)[] {
    const per = this.#windowSeconds / series.windowSeconds;
    return this.#x.map((_, window) => {
      if (window * per >= counts.length) return null;
      return short(sum(counts.slice(window * per, (window + 1) * per)) / this.#windowSeconds);
    });
  }
}

function countsOf(workload: WorkloadResult, variant: VariantResult, reason: string): readonly number[] {
  const row = workload.throttleSeries?.find((one) => reasonText(one, variant) === reason);
  return row?.counts ?? workload.series.planned.map(() => 0);
}

function reasonText(
  { reason, resource }: { reason: string; resource: string },
  variant: VariantResult,
): string {
  return `${reason} on ${readableResource(resource, variant.tables)}`;
}

function unmeasuredSpans(stages: RunResult['scenario']['stages']): ChartSpec['shaded'] {
  let from = 0;
  return stages.flatMap(({ name, durationUs, isMeasured }) => {
    const span = { from, to: from + durationUs / US_PER_SECOND, label: name };
    from = span.to;
    return isMeasured ? [] : [span];
  });
}

function rangeText({ label, values }: ChartLine): string {
  const known = values.filter((value) => value !== null);
  return `${label}: ${formatNumber(Math.min(...known))} to ${formatNumber(Math.max(...known))}`;
}

/** Four digits are more than a chart can show, and keep the page small. */
function short(value: number): number {
  return Number(value.toPrecision(4));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
