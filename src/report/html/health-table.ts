// The load generator's own figures, variant by variant. Whether they make a run suspect is said elsewhere.
import type { GeneratorHealth, RunResult } from '../../analysis/run-result.ts';
import { formatLatency, formatNumber, formatPercent } from '../../analysis/wording.ts';
import { MISSING, numberCell } from '../number-format.ts';
import { cell, left, right, type TableSection } from '../section.ts';

/** Requests that wait less for a connection (p99) than this are not worth a column. */
const WAIT_SHOWN_US = 1_000;

/** A row for each variant; null where none ran. Readings of a wall clock are left out in virtual time. */
export function healthTable({ variants, target }: RunResult): TableSection | null {
  if (variants.length === 0) return null;
  const isWallClock = target.time === 'wall-clock';
  const milliseconds = (value: number | null): string => (value === null ? MISSING : formatNumber(value));
  const extras = isWallClock ? extraColumns(variants.map(({ generatorHealth }) => generatorHealth)) : [];
  const waits = variants.map(({ generatorHealth }) => generatorHealth.attemptTimes?.queue.p99Us ?? 0);
  const haveWaited = waits.some((waitUs) => waitUs > WAIT_SHOWN_US);
  return {
    kind: 'table',
    title: 'The load generator',
    isGrouped: true,
    columns: [
      left('variant'),
      right('wall time, s'),
      right('CPU time, s'),
      right('operations per CPU second'),
      ...(isWallClock
        ? [
            right('lateness p99'),
            right('event loop delay p99, ms'),
            right('event loop busy'),
            right('connections'),
          ]
        : []),
      ...extras.map(({ title }) => right(title)),
      ...(haveWaited ? [right('wait for a connection p99')] : []),
    ],
    rows: variants.map(({ name, generatorHealth: health }, index) => [
      cell(name, 'strong'),
      cell(formatNumber(health.wallSeconds)),
      cell(formatNumber(health.cpuSeconds)),
      cell(formatNumber(health.operationsPerCpuSecond)),
      ...(isWallClock
        ? [
            cell(health.latenessP99Us === null ? MISSING : formatLatency(health.latenessP99Us)),
            cell(milliseconds(health.eventLoopDelayP99Ms)),
            cell(health.eventLoopUtilization === null ? MISSING : formatPercent(health.eventLoopUtilization)),
            cell(numberCell(health.connectionsOpened)),
          ]
        : []),
      ...extras.map(({ texts }) => cell(texts[index] ?? MISSING)),
      ...(haveWaited ? [cell(formatLatency(waits[index] ?? 0))] : []),
    ]),
  };
}

interface HealthColumn {
  readonly title: string;
  /** By variant; undefined: not known of it. */
  readonly texts: readonly (string | undefined)[];
}

/** What not every record tells of; a column that would say nothing at all is left out. */
function extraColumns(all: readonly GeneratorHealth[]): HealthColumn[] {
  const percent = (ratio: number | null | undefined) =>
    ratio === null || ratio === undefined ? undefined : formatPercent(ratio);
  const columns: HealthColumn[] = [
    {
      title: 'longest block, ms',
      texts: all.map(({ eventLoopDelayMaxMs }) =>
        typeof eventLoopDelayMaxMs === 'number' ? formatNumber(eventLoopDelayMaxMs) : undefined,
      ),
    },
    {
      title: 'garbage collection',
      texts: all.map(
        ({ garbageCollection: gc, wallSeconds }) =>
          gc && percent(wallSeconds > 0 ? gc.seconds / wallSeconds : 0),
      ),
    },
    { title: 'all cores busy', texts: all.map(({ machine }) => percent(machine?.busyRatio)) },
    { title: 'stolen by the host', texts: all.map(({ machine }) => percent(machine?.stolenRatio)) },
    { title: 'CPU limit reached', texts: all.map(({ machine }) => percent(machine?.limitedRatio)) },
  ];
  return columns.filter(({ texts }) => texts.some((text) => text !== undefined));
}
