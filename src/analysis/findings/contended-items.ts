// `contended-items`: transactions cancel each other, since they want the same item at the same time. Which
// item is not said by the service; the keys that most operations wrote are the likeliest.
// @see "Amazon DynamoDB Transactions: How it works", section on transaction conflict handling,
//   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html, read 2026-11-30
import type { ResourceResult, VariantResult, WorkloadResult } from '../run-result.ts';
import { countOf, formatNumber, formatPercent, joinNames } from '../wording.ts';
import type { Sighting } from './sighting.ts';

/** Share of operations that may meet a conflict before it is worth words. */
const NOTEWORTHY_RATIO = 0.01;

/** Keys that fewer of the operations wrote are no suspects. */
const SUSPECT_RATIO = 0.1;

/**
 * From here on nearly every operation wrote the key; where no other is suspect, the conflicts are its own.
 */
const EVERY_OPERATION_RATIO = 0.9;

const MOST_SUSPECTS = 3;

/** A number of copies that readers can still be asked to add up. */
const USUAL_COPIES = 10;

/** A key with the share of the workload's successful operations that wrote it. */
interface Suspect {
  readonly key: string;
  readonly ratio: number;
}

/** Workloads of one variant whose operations met conflicts. */
export function findContendedItems(variant: VariantResult): Sighting[] {
  return variant.workloads
    .filter(({ measured }) => measured.outcomes.conflict > NOTEWORTHY_RATIO * measured.started)
    .map((workload) => describe(workload, variant));
}

function describe(workload: WorkloadResult, variant: VariantResult): Sighting {
  const { name, measured } = workload;
  const ratio = measured.outcomes.conflict / measured.started;
  const suspects = suspectsOf(workload, variant);
  const sole = soleSuspect(suspects);
  return {
    code: 'contended-items',
    cause: name,
    severity: ratio,
    confidence: sole !== null ? 'high' : 'medium',
    seen: seenInWords(workload, ratio, variant.measuredSeconds),
    because: [
      suspectsInWords(name, suspects),
      'an item takes part in one transaction at a time, so that neither capacity nor partitions help',
    ].join('; '),
    advice: advise(suspects, ratio),
    evidence: {
      workload: name,
      conflictRatio: ratio,
      conflicts: measured.outcomes.conflict,
      successfulOperations: measured.outcomes.ok,
      ...(suspects[0] !== undefined && {
        key: suspects[0].key,
        keyWrittenByRatio: suspects[0].ratio,
      }),
      ...(sole !== null && { advisedCopies: copiesFor(NOTEWORTHY_RATIO, ratio) }),
    },
  };
}

function seenInWords({ name, kind, measured }: WorkloadResult, ratio: number, seconds: number): string {
  const isTransaction = kind.startsWith('transact');
  const perSecond = (count: number): string => `${formatNumber(count / seconds)} a second`;
  return (
    `${formatPercent(ratio)} of the operations of ${name} were ${isTransaction ? 'cancelled' : 'refused'}, ` +
    `because a transaction held one of their items: ${perSecond(measured.outcomes.conflict)}, while ` +
    `${perSecond(measured.outcomes.ok)} succeeded`
  );
}

/**
 * Keys of the tables that the workload writes, by how many of its successful operations wrote them. Writers
 * of the same key in other workloads count too, so a ratio is an upper bound.
 */
function suspectsOf({ measured }: WorkloadResult, variant: VariantResult): Suspect[] {
  const written = new Set(measured.units.filter((row) => row.writeUnits > 0).map((row) => row.resource));
  const operations = measured.outcomes.ok;
  if (operations === 0) return [];
  return variant.resources
    .filter((resource) => resource.indexName === null && written.has(resource.resource))
    .flatMap((resource) =>
      resource.keys.filter((row) => row.writeShare > 0).map((row) => suspect(row, operations)),
    )
    .filter(({ ratio }) => ratio >= SUSPECT_RATIO)
    .toSorted((a, b) => b.ratio - a.ratio)
    .slice(0, MOST_SUSPECTS);
}

function suspect({ key, requests }: ResourceResult['keys'][number], operations: number): Suspect {
  return { key, ratio: Math.min(1, requests / operations) };
}

/** The key that nearly every operation wrote, where it is the only suspect. */
function soleSuspect(suspects: readonly Suspect[]): Suspect | null {
  const [first] = suspects;
  return first !== undefined && suspects.length === 1 && first.ratio >= EVERY_OPERATION_RATIO ? first : null;
}

function suspectsInWords(name: string, suspects: readonly Suspect[]): string {
  if (suspects.length === 0) return `no key stands out among those that ${name} wrote`;
  const shares = suspects.map(({ key, ratio }) => `${key} (${ratio === 1 ? 'all' : formatPercent(ratio)})`);
  return `of the operations of ${name} that succeeded, so many wrote the same key: ${joinNames(shares)}`;
}

function advise(suspects: readonly Suspect[], ratio: number): string {
  const [first, ...others] = suspects;
  const retry = 'retry what is cancelled with jitter, under the same client token';
  if (first === undefined) return `let fewer operations at a time touch the same items; ${retry}`;
  const { key } = first;
  return (
    `take ${key} out of the transaction (a plain update after it, or an aggregate made from the stream), ` +
    `or spread it over copies (${key}#0 … #${USUAL_COPIES - 1}, one chosen at random, added up by readers)` +
    copiesInWords(soleSuspect(suspects), ratio) +
    (others.length === 0 ? '' : `, and so with ${joinNames(others.map((other) => other.key))}`) +
    `; ${retry}`
  );
}

function copiesInWords(sole: Suspect | null, ratio: number): string {
  if (sole === null) return '';
  const copies = copiesFor(NOTEWORTHY_RATIO, ratio);
  return (
    `: ${USUAL_COPIES} copies would leave about ${formatPercent(conflictWith(USUAL_COPIES, ratio))}, and ` +
    `${formatPercent(NOTEWORTHY_RATIO)} takes about ${countOf(copies, 'copy', 'copies')}`
  );
}

/**
 * Conflict ratio p(N) with N copies, from the ratio p seen with one: p(N) = (a ÷ N) ÷ (1 + a ÷ N), where a
 * = p ÷ (1 − p) is how many transactions want the item at a time on average (the loss formula of one server
 * without a queue). On the simulated table 10 copies of a counter left 15.9 % of 65.6 %, by the formula
 * 16.0 %.
 */
function conflictWith(copies: number, ratio: number): number {
  const perCopy = wantedAtATime(ratio) / copies;
  return perCopy / (1 + perCopy);
}

/** Smallest N with p(N) ≤ the wanted ratio. */
function copiesFor(wantedRatio: number, ratio: number): number {
  return Math.ceil(wantedAtATime(ratio) / wantedAtATime(wantedRatio));
}

function wantedAtATime(ratio: number): number {
  return ratio / (1 - Math.min(ratio, 0.999));
}
