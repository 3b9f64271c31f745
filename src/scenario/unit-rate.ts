// Rates in units per second become operations per second: a sample of operations is generated and their
// estimated units are averaged.
import type { AttributeMap } from '../dynamodb/attribute-value.ts';
import { itemSizeBytes } from '../dynamodb/item-size.ts';
import type { TableSpec } from '../dynamodb/table-spec.ts';
import { estimateUnits, type Resource } from './estimate-units.ts';
import type { IssueList } from './issues.ts';
import type { UnitRate } from './load-plan.ts';
import { suggestion } from './nearest-name.ts';
import type { OperationGenerator, PlannedPreload } from './run-plan.ts';

const SAMPLE_OPERATIONS = 1_000;
const SAMPLE_ITEMS = 100;

interface Conversion {
  readonly rate: UnitRate;
  /** Path of the rate, for problems. */
  readonly at: string;
  /** The table the operation names; undefined where it names none. */
  readonly tableName: string | undefined;
  readonly tables: readonly TableSpec[];
  readonly preloads: readonly PlannedPreload[];
  readonly generator: OperationGenerator;
  readonly issues: IssueList;
}

/** A rate in units as operations per second, and the sentence that says how it was converted. */
export interface ConvertedRate {
  readonly perSecond: number;
  readonly note: string;
}

/** Operations per second for a rate in units; undefined with an issue where that cannot be told. */
export function convertUnitRate(conversion: Conversion): ConvertedRate | undefined {
  const { rate } = conversion;
  const resource = findResource(conversion);
  if (!resource) return undefined;
  const average = averageUnits(conversion, resource);
  const label = resource.index ? `index ${resource.index.name}` : `table ${resource.table.logicalName}`;
  if (average === undefined || average === 0) {
    conversion.issues.add({
      at: conversion.at,
      is: `asks for ${rate.perSecond} ${rate.unit} units/s on ${label}`,
      why:
        average === 0
          ? `this workload spends no ${rate.unit} units there`
          : `what one of its operations spends there cannot be told before it runs`,
      fix: 'give the rate in operations per second',
    });
    return undefined;
  }
  const perSecond = rate.perSecond / average;
  return {
    perSecond,
    note:
      `${rate.perSecond} ${rate.unit} units/s on ${label} ≈ ${Number(perSecond.toFixed(2))} operations/s: ` +
      `${Number(average.toFixed(3))} units each, estimated from ${SAMPLE_OPERATIONS} generated operations`,
  };
}

function findResource({ rate, at, tableName, tables, preloads, issues }: Conversion): Resource | undefined {
  const named = tables.find((table) => table.logicalName === (tableName ?? tables[0]?.logicalName));
  const table = tables.find((candidate) => candidate.logicalName === rate.of) ?? named;
  if (!table) return undefined;
  const itemBytes = averageItemBytes(preloads.filter((preload) => preload.tableName === table.tableName));
  if (rate.of === undefined || rate.of === table.logicalName) return { table, index: undefined, itemBytes };
  const index = table.globalIndexes.find((candidate) => candidate.name === rate.of);
  if (index) return { table, index, itemBytes };
  const names = [table.logicalName, ...table.globalIndexes.map(({ name }) => name)];
  issues.add({
    at: `${at}.of`,
    is: `is "${rate.of}"`,
    why: 'units are spent on a table or on one of its global indexes',
    fix: suggestion(rate.of, names),
  });
  return undefined;
}

function averageUnits({ rate, generator }: Conversion, resource: Resource): number | undefined {
  let sum = 0;
  let count = 0;
  for (let sequence = 0; sequence < SAMPLE_OPERATIONS; sequence++) {
    const operation = generator.next(sequence, 0);
    if (operation.kind === 'skipped') continue;
    const units = estimateUnits(operation, rate.unit, resource);
    if (units === undefined) return undefined;
    generator.acknowledge(operation, sequence, 0);
    sum += units;
    count++;
  }
  return count === 0 ? undefined : sum / count;
}

function averageItemBytes(preloads: readonly PlannedPreload[]): number | undefined {
  const sizes = preloads.flatMap((preload) => sampleItems(preload).map(itemSizeBytes));
  return sizes.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
}

/** Items spread evenly over a preload. */
function sampleItems({ count, itemAt }: PlannedPreload): AttributeMap[] {
  const length = Math.min(count, SAMPLE_ITEMS);
  return Array.from({ length }, (_, index) => itemAt(Math.floor((index * count) / length)));
}
