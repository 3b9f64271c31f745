// `--latency`: no time at all, modelled times, or a file with measured ones: a histogram log that a run wrote, or any
// other HdrHistogram tool, or percentiles as JSON, by operation where they are named.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { dataApis } from '../dynamodb/operation.ts';
import { DynoLoadError } from '../errors.ts';
import {
  MeasuredTimes,
  modelledTimes,
  type ServiceTimes,
  type TimeCurve,
} from '../simulator/service-times.ts';
import { decodeCounts } from '../stats/histogram-encoding.ts';
import { US_PER_MS, US_PER_SECOND } from '../units.ts';
import { type RunOptions, SERVED, SIMULATED } from './run-options.ts';

/** Where service times come from, and how that is said. */
export interface LatencyChoice {
  /** Undefined: answers come at once. */
  readonly times: ServiceTimes | undefined;
  readonly kind: 'none' | 'modelled' | 'measured';
  /** For example `measured (reports/…/1-read.hlog)`; to stand behind "service times: ". */
  readonly label: string;
}

/**
 * Reads the value of `--latency`: `none`, `aws` (or `modelled`, its name before), or a file.
 * @throws DynoLoadError LATENCY_FILE_INVALID
 */
export function readLatency(text: string): LatencyChoice {
  if (text === 'none') return { times: undefined, kind: 'none', label: 'none' };
  if (text === 'aws' || text === 'modelled')
    return { times: modelledTimes, kind: 'modelled', label: 'modelled' };
  return { times: readLatencyFile(text), kind: 'measured', label: `measured (${text})` };
}

/** The times of a simulated table, and from where they are. */
export interface RunLatency {
  readonly times: ServiceTimes;
  /** The file with measured times; undefined: they are modelled. */
  readonly source: string | undefined;
}

/**
 * What `--latency` means for a run; undefined where it was not given.
 * @throws DynoLoadError LATENCY_FILE_INVALID; USAGE where the target takes the time that it takes
 */
export function latencyOfRun({
  latency,
  target,
}: Pick<RunOptions, 'latency' | 'target'>): RunLatency | undefined {
  if (latency === undefined) return undefined;
  const isSimulated = target === undefined || target === SIMULATED || target === SERVED;
  const { times, kind } = readLatency(latency);
  if (isSimulated && times !== undefined) return { times, source: kind === 'measured' ? latency : undefined };
  throw new DynoLoadError('USAGE', {
    what: `--latency ${latency}${isSimulated ? '' : ` with --target ${target}`}`,
    why: isSimulated
      ? 'a simulated table that takes no time has no requests under way, and no latencies to report'
      : 'a live target takes the time that it takes; only that of the simulated table can be chosen',
    fix: isSimulated ? 'give "aws" or a file, or leave it out' : 'leave --latency out, or leave out --target',
  });
}

function readLatencyFile(path: string): ServiceTimes {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw invalid(
      path,
      `it cannot be read (${cause instanceof Error ? cause.message : String(cause)})`,
      cause,
    );
  }
  return text.trimStart().startsWith('{') ? fromPercentiles(path, text) : fromLog(path, text);
}

/** Lines of a histogram log without a tag; lines with one are of stages that are not measured. */
function fromLog(path: string, text: string): MeasuredTimes {
  const counts = new Map<number, number>();
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || /^["#]|^Tag=/.test(line)) continue;
    for (const { valueUs, count } of histogramIn(path, line))
      counts.set(valueUs, (counts.get(valueUs) ?? 0) + count);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0)
    throw invalid(path, 'there is no measured time in it: no line without a tag has a histogram');
  const timesUs = [...counts.keys()].sort((a, b) => a - b);
  let seen = 0;
  const ratios = timesUs.map((us) => (seen += counts.get(us) ?? 0) / total);
  return new MeasuredTimes({ byApi: new Map(), others: { kind: 'counts', ratios, timesUs } });
}

function histogramIn(path: string, line: string): ReturnType<typeof decodeCounts> {
  const encoded = line.slice(line.lastIndexOf(',') + 1);
  try {
    return decodeCounts(encoded);
  } catch (cause) {
    throw invalid(path, `one of its lines has no histogram: ${line.slice(0, 60)}`, cause);
  }
}

/** Timers of Node end at once where they are to last longer than 24.8 days; a fault waits for an hour at most too. */
const LONGEST_US = 3_600 * US_PER_SECOND;

const curve = z.record(z.string(), z.number().nonnegative());
const percentileFile = z.strictObject({
  unit: z.enum(['ms', 'us']),
  default: curve.optional(),
  ...Object.fromEntries(dataApis.map((api) => [api, curve.optional()])),
});

function fromPercentiles(path: string, text: string): MeasuredTimes {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(path, `it is no JSON (${cause instanceof Error ? cause.message : String(cause)})`, cause);
  }
  const parsed = percentileFile.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(path, `${issue?.path.map(String).join('.') || 'the whole'}: ${issue?.message ?? ''}`);
  }
  const { unit, default: others, ...byApi } = parsed.data;
  const factor = unit === 'ms' ? US_PER_MS : 1;
  const curves = dataApis.flatMap((api) => {
    const points = byApi[api as keyof typeof byApi] as Readonly<Record<string, number>> | undefined; // One of its keys.
    return points === undefined ? [] : [[api, curveOf(path, api, points, factor)] as const];
  });
  if (curves.length === 0 && others === undefined)
    throw invalid(path, 'it names neither "default" nor an operation such as "GetItem"');
  return new MeasuredTimes({
    byApi: new Map(curves),
    others: others && curveOf(path, 'default', others, factor),
  });
}

/**
 * `min`, `p50`, `p99.9`, `max` → points in rising order; the ends are those of the first and last point where
 * absent.
 */
function curveOf(
  path: string,
  name: string,
  points: Readonly<Record<string, number>>,
  factor: number,
): TimeCurve {
  const sorted = Object.entries(points)
    .map(([label, time]) => ({ label, ratio: ratioOf(path, `${name}.${label}`, label), us: time * factor }))
    .sort((a, b) => a.ratio - b.ratio);
  const [first] = sorted;
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) throw invalid(path, `${name} has no percentile`);
  for (const [index, { label, us }] of sorted.entries())
    if (us < (sorted[index - 1]?.us ?? 0))
      throw invalid(path, `${name}.${label} is shorter than the percentile below it`);
  if (last.us > LONGEST_US) throw invalid(path, `${name}.${last.label} is longer than an hour`);
  const whole = [{ ratio: 0, us: first.us }, ...sorted, { ratio: 1, us: last.us }].filter(
    ({ ratio }, index, all) => ratio !== all[index + 1]?.ratio,
  );
  return { kind: 'percentiles', ratios: whole.map(({ ratio }) => ratio), timesUs: whole.map(({ us }) => us) };
}

function ratioOf(path: string, place: string, label: string): number {
  if (label === 'min') return 0;
  if (label === 'max') return 1;
  const percent = /^p(\d{1,2}(?:\.\d{1,6})?|100)$/.exec(label)?.[1];
  if (percent === undefined) throw invalid(path, `${place} is no percentile; they read min, p50, p99.9, max`);
  return Number(percent) / 100;
}

function invalid(path: string, problem: string, cause?: unknown): DynoLoadError {
  return new DynoLoadError('LATENCY_FILE_INVALID', {
    what: `${path} has no latencies that could be used: ${problem}`,
    why: '--latency takes "none", "aws", or a file: a histogram log (.hlog in the folder of a run) or percentiles as JSON',
    fix: 'write, for example: { "unit": "ms", "default": { "p50": 2, "p99": 8, "max": 40 }, "GetItem": { "p50": 1, "p99": 5 } }',
    cause,
  });
}
