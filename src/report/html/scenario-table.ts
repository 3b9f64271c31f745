// What was asked and of which target, as the first table of the configuration.
import type { RunResult } from '../../analysis/run-result.ts';
import { formatNumber } from '../../analysis/wording.ts';
import { type Cell, cell, left, type TableSection } from '../section.ts';

type Row = readonly [what: string, value: string];

/** Scenario, target, and what else a reader needs to run it again. Rows of what the record lacks are left out. */
export function scenarioTable(result: RunResult): TableSection {
  const { scenario, target, tool, schemaVersion } = result;
  const parameters = Object.entries(scenario.parameters).map(
    ([name, values]): Row => [`parameter ${name}`, values.join(', ')],
  );
  const rows: Row[] = [
    ['scenario', scenario.name],
    ['question', scenario.question],
    ...parameters,
    ['goals', scenario.goals.length === 0 ? 'none' : scenario.goals.join('; ')],
    ['seed', String(scenario.seed)],
    ['rates multiplied by', formatNumber(scenario.rateFactor)],
    ['starts at (time of the data)', scenario.startsAt],
    ['target', `${target.label}, ${target.time === 'virtual' ? 'virtual time' : 'wall-clock time'}`],
    ['the target', capabilitiesText(target.capabilities)],
    ...optionalRows(result),
    ...target.notes.map((note): Row => ['note', note]),
    ['written by', `${tool.name} ${tool.version}, record version ${schemaVersion}`],
  ];
  return {
    kind: 'table',
    title: 'Scenario and target',
    isGrouped: false,
    columns: [left('what'), left('value')],
    rows: rows.map(([what, value]): Cell[] => [cell(what), cell(value)]),
  };
}

function capabilitiesText(capabilities: RunResult['target']['capabilities']): string {
  const { enforcesThroughput, reportsIndexUnits, transactions, parallelScan } = capabilities;
  return (
    `enforces throughput: ${enforcesThroughput}; reports units of indexes: ${reportsIndexUnits}; ` +
    `transactions: ${transactions}; parallel scans: ${parallelScan}`
  );
}

/** What only some records have. */
function optionalRows({ environment: { repetition, workers }, prices }: RunResult): Row[] {
  const rows: Row[] = [];
  if (repetition !== undefined)
    rows.push(['runs of each variant', `${repetition.repeats}, in the order ${repetition.order.join(', ')}`]);
  if (workers !== undefined) rows.push(['worker threads', `${workers.count}: ${workers.why}`]);
  if (prices !== undefined) rows.push(['prices', `${prices.region}, as of ${prices.asOf}`]);
  return rows;
}
