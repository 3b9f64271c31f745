// `provisioned-exceeded`: a whole table or index was asked for more than its provisioned units, or than the
// maximum set on demand; `account-limit-exceeded` where it was the quota. More partitions do not help.
// @see "Diagnosing throttling",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-diagnosing-workflow.html, and
//   "DynamoDB maximum throughput for on-demand tables",
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode-max-throughput.html,
//   read 2026-11-30
import { type ExceededUnits, exceededUnits, type WholeLimit } from '../exceeded-units.ts';
import { readableResource, resourceInWords } from '../resource-name.ts';
import type { VariantResult } from '../run-result.ts';
import { TARGET_UTILIZATION } from '../shards-needed.ts';
import { formatNumber, formatPercent, joinNames } from '../wording.ts';
import type { Sighting } from './sighting.ts';

/** Limits of whole tables and indexes that one variant passed, by side. */
export function findExceededUnits(variant: VariantResult): Sighting[] {
  return exceededUnits(variant).map((found) => describe(found, variant));
}

function describe(found: ExceededUnits, variant: VariantResult): Sighting {
  const { limit, side, limitUnits, demandUnits, throttles } = found;
  const nameInWords = resourceInWords(found.resource, variant.tables);
  const ratio = throttles === null ? 0 : throttles.count / throttles.requests;
  return {
    code: limit === 'Account' ? 'account-limit-exceeded' : 'provisioned-exceeded',
    cause: `${readableResource(found.resource, variant.tables)} ${side} ${limit}`,
    severity: ratio,
    confidence: limitUnits === null ? 'medium' : 'high',
    seen:
      (throttles === null
        ? `${nameInWords} was asked for `
        : `${nameInWords} throttled ${formatPercent(ratio)} of the requests of ` +
          `${joinNames(throttles.workloads)}: it was asked for `) +
      `${inUnits(demandUnits, side)}, and ${limitInWords(found)}`,
    because: [
      throttles === null
        ? 'units that were not used before made up for the rest; they last for 300 seconds of the limit at most'
        : `${throttles.reason} on ${readableResource(found.resource, variant.tables)}`,
      'it is a limit of the whole, which neither other keys nor more partitions change',
      ...backPressure(found, variant),
    ].join('; '),
    advice: advise(found, nameInWords),
    evidence: {
      resource: readableResource(found.resource, variant.tables),
      demandUnitsPerSecond: demandUnits,
      ...(limitUnits !== null && { limitUnitsPerSecond: limitUnits }),
      ...(throttles !== null && {
        reason: throttles.reason,
        throttledRequests: throttles.count,
        throttledRatio: ratio,
      }),
      advisedUnitsPerSecond: advisedUnits(demandUnits),
    },
  };
}

function inUnits(units: number, side: 'read' | 'write'): string {
  return `${formatNumber(units)} ${side === 'read' ? 'RCU/s' : 'WCU/s'}`;
}

function limitInWords({ limit, limitUnits, side }: ExceededUnits): string {
  const phrases: Readonly<Record<WholeLimit, string>> = {
    Provisioned: 'is provisioned for',
    MaxOnDemand: 'its maximum on demand is set to',
    Account: 'the quota of the account gives a table or index',
  };
  return `${phrases[limit]} ${limitUnits === null ? 'less' : inUnits(limitUnits, side)}`;
}

/** A write that its index cannot take is refused by the table: the table looks guilty and is not. */
function backPressure({ resource, side, throttles }: ExceededUnits, variant: VariantResult): string[] {
  const [tableName, indexName] = resource.split('/');
  if (indexName === undefined || side !== 'write' || throttles === null) return [];
  const table = variant.resources.find((one) => one.resource === tableName);
  if (table === undefined || table.throttledWriteUnits > 0) return [];
  return ['the table itself throttled nothing: the index pushes back on its writes'];
}

/** What is asked for then takes no more than 70 % of it, which leaves room for uneven seconds. */
function advisedUnits(demandUnits: number): number {
  return Math.ceil(demandUnits / TARGET_UTILIZATION);
}

function advise({ limit, limitUnits, side, demandUnits }: ExceededUnits, nameInWords: string): string {
  const now = limitUnits === null ? '' : ` from ${formatNumber(limitUnits)}`;
  const least = `at least ${formatNumber(Math.ceil(demandUnits))}`;
  const room = `${formatNumber(advisedUnits(demandUnits))} for a use of ${formatPercent(TARGET_UTILIZATION)}`;
  switch (limit) {
    case 'Provisioned':
      return (
        `raise the provisioned ${side} units of ${nameInWords}${now} to ${least} (${room}), by hand ` +
        'or by auto scaling, which takes minutes to follow; or use on-demand billing'
      );
    case 'MaxOnDemand':
      return (
        `raise the maximum on demand of ${nameInWords} ` +
        `(${side === 'read' ? 'MaxReadRequestUnits' : 'MaxWriteRequestUnits'})${now} to ${least}, or take it ` +
        'away where it is not meant to cap the cost'
      );
    case 'Account':
      return (
        `ask for a higher quota of ${side} units per table (${least}), or divide the load over several ` +
        'tables'
      );
  }
}
