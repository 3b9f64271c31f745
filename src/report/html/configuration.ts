// What was run, on what, with which assumptions: enough to run it again and to know where a figure's limits are.
import { readableResource } from '../../analysis/resource-name.ts';
import type { GeneratorHealth, RunResult, VariantResult, WorkloadResult } from '../../analysis/run-result.ts';
import { formatLatency, formatNumber, formatPercent } from '../../analysis/wording.ts';
import { US_PER_SECOND } from '../../units.ts';
import { MISSING, numberCell } from '../number-format.ts';
import { type Cell, cell, type Column, type TableSection } from '../section.ts';
import { html, type Markup } from './markup.ts';
import { renderTable } from './view-section.ts';

const left = (head: string): Column => ({ head, align: 'left' });
const right = (head: string): Column => ({ head, align: 'right' });

/** All of the configuration, as tables. */
export function renderConfiguration(result: RunResult): Markup {
  const tables = [
    scenarioTable(result),
    stagesTable(result),
    workloadsTable(result),
    resourcesTable(result),
    modelTable(result),
    healthTable(result),
    environmentTable(result),
  ];
  return html`${tables.filter((table) => table !== null).map(renderTable)}`;
}

function scenarioTable({
  scenario,
  target,
  tool,
  schemaVersion,
  environment: { repetition, workers },
  prices,
}: RunResult): TableSection {
  const parameters = Object.entries(scenario.parameters).map(([name, values]) => [
    cell(`parameter ${name}`),
    cell(values.join(', ')),
  ]);
  const { enforcesThroughput, reportsIndexUnits, transactions, parallelScan } = target.capabilities;
  const rows: [string, string][] = [
    ['scenario', scenario.name],
    ['question', scenario.question],
    ['goals', scenario.goals.length === 0 ? 'none' : scenario.goals.join('; ')],
    ['seed', String(scenario.seed)],
    ['rates multiplied by', formatNumber(scenario.rateFactor)],
    ['starts at (time of the data)', scenario.startsAt],
    ['target', `${target.label}, ${target.time === 'virtual' ? 'virtual time' : 'wall-clock time'}`],
    [
      'the target',
      `enforces throughput: ${enforcesThroughput}; reports units of indexes: ${reportsIndexUnits}; ` +
        `transactions: ${transactions}; parallel scans: ${parallelScan}`,
    ],
    ...(repetition === undefined
      ? []
      : [
          [
            'runs of each variant',
            `${repetition.repeats}, in the order ${repetition.order.join(', ')}`,
          ] satisfies [string, string],
        ]),
    ...(workers === undefined
      ? []
      : [['worker threads', `${workers.count}: ${workers.why}`] satisfies [string, string]]),
    ...(prices === undefined
      ? []
      : [['prices', `${prices.region}, as of ${prices.asOf}`] satisfies [string, string]]),
    ...target.notes.map((note): [string, string] => ['note', note]),
    ['written by', `${tool.name} ${tool.version}, record version ${schemaVersion}`],
  ];
  return {
    kind: 'table',
    title: 'Scenario and target',
    isGrouped: false,
    columns: [left('what'), left('value')],
    rows: [...rows.slice(0, 2).map(toCells), ...parameters, ...rows.slice(2).map(toCells)],
  };
}

function toCells([name, value]: [string, string]): Cell[] {
  return [cell(name), cell(value)];
}

function stagesTable({ scenario }: RunResult): TableSection {
  return {
    kind: 'table',
    title: 'Stages',
    isGrouped: false,
    columns: [left('stage'), right('length, s'), left('measured'), right('rate factor')],
    rows: scenario.stages.map(({ name, durationUs, isMeasured, rateFactor }) => [
      cell(name),
      cell(formatNumber(durationUs / US_PER_SECOND)),
      cell(isMeasured ? 'yes' : 'no'),
      cell(formatNumber(rateFactor)),
    ]),
  };
}

/** Equal workloads of several variants are one row. */
function workloadsTable({ variants }: RunResult): TableSection | null {
  const found = new Map<string, { names: string[]; cells: readonly Cell[] }>();
  for (const variant of variants) {
    for (const workload of variant.workloads) {
      const cells = workloadCells(workload);
      const key = cells.map((one) => one.text).join('\n');
      const known = found.get(key);
      if (known) known.names.push(variant.name);
      else found.set(key, { names: [variant.name], cells });
    }
  }
  if (found.size === 0) return null;
  return {
    kind: 'table',
    title: 'Workloads',
    isGrouped: false,
    columns: [
      left('workload'),
      left('operation'),
      left('load'),
      right('in flight at most'),
      right('time-out'),
      left('retries'),
      left('expected outcomes'),
      left('notes'),
      left('variants'),
    ],
    rows: [...found.values()].map(({ names, cells }) => [
      ...cells,
      cell(names.length === variants.length ? 'all' : names.join('; ')),
    ]),
  };
}

function workloadCells({ name, kind, load, policy, notes }: WorkloadResult): Cell[] {
  return [
    cell(name),
    cell(kind),
    cell(`${load.text}, ${load.kind} loop`),
    cell(formatNumber(policy.maxInFlight)),
    cell(formatLatency(policy.timeoutUs)),
    cell(policy.retry),
    cell(policy.expect.length === 0 ? MISSING : policy.expect.join(', ')),
    cell(notes.length === 0 ? MISSING : notes.join('; ')),
  ];
}

function resourcesTable({ variants }: RunResult): TableSection | null {
  const rows = variants.flatMap((variant) =>
    variant.resources.map((resource, index) => [
      cell(index === 0 ? variant.name : '', 'strong'),
      cell(readableResource(resource.resource, variant.tables)),
      cell(resource.resource),
      cell(resource.billing),
      cell(resource.start),
      ...itemCells(variant, resource),
    ]),
  );
  if (rows.length === 0) return null;
  return {
    kind: 'table',
    title: 'Tables and indexes',
    isGrouped: true,
    columns: [
      left('variant'),
      left('table or index'),
      left('name on the target'),
      left('billing'),
      left('start'),
      right('items after the run'),
      right('largest item, bytes'),
    ],
    rows,
  };
}

function itemCells(
  { tables }: VariantResult,
  resource: { readonly tableName: string; readonly indexName: string | null },
): Cell[] {
  const table = tables.find((one) => one.tableName === resource.tableName);
  if (table === undefined || resource.indexName !== null) return [cell(''), cell('')];
  return [cell(numberCell(table.itemCount)), cell(numberCell(table.largestItemBytes))];
}

function modelTable({ target }: RunResult): TableSection | null {
  if (target.model === null) return null;
  return {
    kind: 'table',
    title: `Constants of the capacity model, preset ${target.model.preset}`,
    isGrouped: false,
    columns: [left('constant'), right('value'), left('unit'), left('source')],
    // The preset's name is in the title.
    rows: target.model.constants
      .filter(({ name }) => name !== 'preset')
      .map(({ name, value, unit, isPublished }) => [
        cell(name),
        cell(value),
        cell(unit),
        isPublished
          ? cell('✓ published by AWS', 'good')
          : cell('◦ not published: our assumption', 'doubtful'),
      ]),
  };
}

/** Requests that wait less for a connection (p99) than this are not worth a column. */
const WAIT_SHOWN_US = 1_000;

function healthTable({ variants, target }: RunResult): TableSection | null {
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

function environmentTable({ environment }: RunResult): TableSection {
  const rows: [string, string][] = [
    ['started', environment.startedAt],
    ['finished', environment.finishedAt],
    ['Node.js', environment.node],
    ['platform', environment.platform],
    ['processor', `${environment.cpu}, ${environment.cpuCount} cores`],
    ['AWS SDK', environment.sdkVersion ?? MISSING],
  ];
  return {
    kind: 'table',
    title: 'Environment',
    isGrouped: false,
    columns: [left('what'), left('value')],
    rows: rows.map(toCells),
  };
}
