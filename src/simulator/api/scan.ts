// Scan: every item of a table or index, or of one segment of it, in the order of the hash of their partition
// keys.
import { HASH_RANGE } from '../../capacity/placement.ts';
import { validationError } from '../../dynamodb/api-error.ts';
import { MAX_SCAN_SEGMENTS } from '../../dynamodb/limits.ts';
import type { ScanInput } from '../../dynamodb/operation.ts';
import type { Outcome } from '../../dynamodb/outcome.ts';
import { tellPage } from '../access-listener.ts';
import type { DatabaseState } from '../database-state.ts';
import type { ItemCollection } from '../item-collection.ts';
import type { ScanPlace } from '../item-store.ts';
import type { StoredEntry } from '../stored-entry.ts';
import { refuseRead } from '../read-admission.ts';
import { Page, type PageView, sourceOf } from '../read-pages.ts';
import { keyStateOf } from '../simulated-table.ts';
import { pageView, startEntry } from './page-view.ts';
import { constraint } from './request-checks.ts';

export function scan(state: DatabaseState, input: ScanInput, atUs: number, keepsItems = true): Outcome {
  const view = pageView(state, input, undefined);
  const { from, until } = hashRange(input);
  const after = startEntry(view, input.ExclusiveStartKey);
  const source = sourceOf(view);
  const place = after === undefined ? from : source.store.placeOf(after.partition);
  checkSegment(place, from, until);
  const nextCollection = source.store.scan(place, until);
  const first = nextCollection();
  if (first !== undefined) {
    const start = first.partition === after?.partition ? after.sort : '';
    const refusal = refuseRead(source, keyStateOf(source, first.partition).at(start), undefined, atUs);
    if (refusal !== undefined) {
      if (state.listener) tellPage(state.listener, view, { partition: undefined, units: 0, refusal, atUs });
      return refusal;
    }
  }
  const page = new Page(view, keepsItems);
  const shares = readCollections(page, first, nextCollection, after);
  charge(view, page, shares, atUs);
  const units = page.entryUnits + page.fetchedUnits;
  if (state.listener) tellPage(state.listener, view, { partition: undefined, units, atUs });
  return { kind: 'ok', consumed: page.consumed, output: page.output };
}

/** Bytes that a page read of one collection. */
interface Share {
  readonly collection: ItemCollection;
  /** Of the first entry that it read there, as sort text. */
  readonly sort: string;
  readonly sizeBytes: number;
}

function readCollections(
  page: Page,
  first: ItemCollection | undefined,
  nextCollection: () => ItemCollection | undefined,
  after: StoredEntry | undefined,
): readonly Share[] {
  const shares: Share[] = [];
  for (let collection = first; collection !== undefined && !page.isFull; collection = nextCollection()) {
    const bytesBefore = page.sizeBytes;
    const start = collection.partition === after?.partition ? after : undefined;
    const next = collection.read(undefined, true, start);
    const entry = next();
    for (let one = entry; one !== undefined; one = page.isFull ? undefined : next()) page.add(one);
    if (entry !== undefined)
      shares.push({ collection, sort: entry.sort, sizeBytes: page.sizeBytes - bytesBefore });
  }
  return shares;
}

/**
 * Parts of a unit in which a page is shared out; a power of two, so that the parts add up to the whole
 * without rounding.
 */
const PARTS_PER_UNIT = 1_024;

/**
 * Charges a page to the collections it read, in proportion to their bytes; what it read of one that was cut
 * inside, to the part where it began. An empty page is reported and charged to nobody: there is no key to
 * charge it to, and what it would take from a partition is half a unit.
 */
function charge(view: PageView, page: Page, shares: readonly Share[], atUs: number): void {
  // A page may have come to a collection and found nothing behind the place where it went on.
  if (page.sizeBytes === 0) return;
  const source = sourceOf(view);
  const units = page.entryUnits + page.fetchedUnits;
  let bytesSoFar = 0;
  let chargedUnits = 0;
  for (const { collection, sort, sizeBytes } of shares) {
    bytesSoFar += sizeBytes;
    const until = Math.round((units * PARTS_PER_UNIT * bytesSoFar) / page.sizeBytes) / PARTS_PER_UNIT;
    if (until <= chargedUnits) continue;
    const keyState = keyStateOf(source, collection.partition).asked(sort);
    source.throughput.spendRead(keyState, until - chargedUnits, atUs, view.consistency === 'eventual');
    chargedUnits = until;
  }
}

/** The part of the hash range that a segment reads. */
function hashRange({ Segment, TotalSegments }: ScanInput): { readonly from: number; readonly until: number } {
  if (Segment === undefined && TotalSegments === undefined) return { from: 0, until: HASH_RANGE };
  if (Segment === undefined)
    throw validationError(
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    );
  if (TotalSegments === undefined)
    throw validationError(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    );
  if (!(TotalSegments >= 1 && TotalSegments <= MAX_SCAN_SEGMENTS))
    throw constraint(
      TotalSegments,
      'totalSegments',
      `Member must have value between 1 and ${MAX_SCAN_SEGMENTS}`,
    );
  if (!(Segment >= 0))
    throw constraint(Segment, 'segment', 'Member must have value greater than or equal to 0');
  if (Segment >= TotalSegments)
    throw validationError(
      `The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: ${Segment} is not less than TotalSegments: ${TotalSegments}`,
    );
  const border = (segment: number) => Math.ceil((segment / TotalSegments) * HASH_RANGE);
  return { from: border(Segment), until: border(Segment + 1) };
}

function checkSegment(place: number | ScanPlace, from: number, until: number): void {
  if (typeof place === 'number' || (place.position >= from && place.position < until)) return;
  throw validationError(
    'The provided starting key is outside the boundaries of this segment: The provided starting key is invalid',
  );
}
