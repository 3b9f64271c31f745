// How throughput of a table or index is bought and what it can serve at the start, read from a scenario.
import type { Billing, Start } from '../dynamodb/table-spec.ts';
import { isFields, SpecReader, showValue } from './spec-reader.ts';

/**
 * Units per second of one table or index. DynamoDB's quota of 40,000 can be raised on request; this bound keeps
 * the partitions behind it, one for each 1,000 write units, to ten thousand.
 */
const MOST_UNITS = 10_000_000;

const units = {
  least: 1,
  most: MOST_UNITS,
  unit: 'units per second',
  limit: {
    why: `a table has at most ${MOST_UNITS.toLocaleString('en-US')} units per second here; DynamoDB's quota is 40,000 unless raised`,
    fix: 'use the units that the table has or shall have',
  },
};

/** The billing of a table or index; undefined where it has none of its own or a wrong one. */
export function readBilling(reader: SpecReader): Billing | undefined {
  const value = reader.fields['billing'];
  if (value === undefined) return undefined;
  if (value === 'on-demand') return { mode: 'on-demand' };
  const at = reader.place('billing');
  const billing = isFields(value) ? new SpecReader(value, at, reader.issues) : undefined;
  if (billing?.has('provisioned')) {
    billing.allowOnly(['provisioned']);
    const inner = SpecReader.of(billing.fields['provisioned'], `${at}.provisioned`, reader.issues, 'it');
    inner?.allowOnly(['readUnits', 'writeUnits']);
    for (const name of ['readUnits', 'writeUnits'])
      inner?.require(name, 'provisioned throughput has reads and writes', `add ${name}: 100`);
    const readUnits = inner?.wholeNumber('readUnits', units);
    const writeUnits = inner?.wholeNumber('writeUnits', units);
    return { mode: 'provisioned', readUnits: readUnits ?? 1, writeUnits: writeUnits ?? 1 };
  }
  if (billing?.has('onDemand')) {
    billing.allowOnly(['onDemand']);
    const inner = SpecReader.of(billing.fields['onDemand'], `${at}.onDemand`, reader.issues, 'it');
    inner?.allowOnly(['maximumReadUnits', 'maximumWriteUnits']);
    const maximumReadUnits = inner?.wholeNumber('maximumReadUnits', units);
    const maximumWriteUnits = inner?.wholeNumber('maximumWriteUnits', units);
    return {
      mode: 'on-demand',
      ...(maximumReadUnits !== undefined && { maximumReadUnits }),
      ...(maximumWriteUnits !== undefined && { maximumWriteUnits }),
    };
  }
  return reader.problem(
    'billing',
    `is ${showValue(value)}`,
    'throughput is bought on demand or provisioned',
    "use 'on-demand', { onDemand: { maximumWriteUnits } } or { provisioned: { readUnits, writeUnits } }",
  );
}

/** The start of a table or index; undefined where it has none of its own or a wrong one. */
export function readStart(reader: SpecReader): Start | undefined {
  const value = reader.fields['starts'];
  if (value === undefined) return undefined;
  if (value === 'new') return { kind: 'new' };
  const warm = isFields(value) ? new SpecReader(value, reader.place('starts'), reader.issues) : undefined;
  if (!warm)
    return reader.problem(
      'starts',
      `is ${showValue(value)}`,
      'a table starts new or warmed to serve so many units per second',
      "use 'new' or { warmReadUnits: 12_000, warmWriteUnits: 20_000 }",
    );
  warm.allowOnly(['warmReadUnits', 'warmWriteUnits']);
  for (const name of ['warmReadUnits', 'warmWriteUnits'])
    warm.require(name, 'a warm start has reads and writes', `add ${name}: 12_000`);
  const warmReadUnits = warm.wholeNumber('warmReadUnits', units);
  const warmWriteUnits = warm.wholeNumber('warmWriteUnits', units);
  return { kind: 'warm', warmReadUnits: warmReadUnits ?? 1, warmWriteUnits: warmWriteUnits ?? 1 };
}
