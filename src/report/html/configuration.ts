// What was run, on what, with which assumptions: enough to run it again and to know where a figure's limits are.
import { readableResource } from '../../analysis/resource-name.ts';
import type { RunResult, VariantResult, WorkloadResult } from '../../analysis/run-result.ts';
import { formatLatency, formatNumber } from '../../analysis/wording.ts';
import { US_PER_SECOND } from '../../units.ts';
import { MISSING, numberCell } from '../number-format.ts';
import { type Cell, cell, left, right, type TableSection } from '../section.ts';
import { healthTable } from './health-table.ts';
import { html, type Markup } from './markup.ts';
import { scenarioTable } from './scenario-table.ts';
import { renderTable } from './view-section.ts';

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
    rows: rows.map(([name, value]) => [cell(name), cell(value)]),
  };
}
