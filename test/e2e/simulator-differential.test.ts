// The simulator against Dynoxide, an independent implementation of DynamoDB whose units and rules follow
// captures of the service. Method: seeded random sequences of requests over all ten APIs go to both; after
// each request the outputs, the error types and the consumed units are compared. What may differ is listed in
// `acceptedDifferences`, each with the rule that decides it; everything else is a failure with its seed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import type { ApiOutput } from '../../src/dynamodb/api-output.ts';
import type { AttributeMap } from '../../src/dynamodb/attribute-value.ts';
import { totalUnits } from '../../src/dynamodb/consumed-capacity.ts';
import type { QueryInput, Request, UpdateItemInput } from '../../src/dynamodb/operation.ts';
import { SimulatedDatabase } from '../../src/simulator/simulated-database.ts';
import { US_PER_MINUTE } from '../../src/units.ts';
import { type Answer, answerOf, canonical, sortedItems, theirAnswer } from '../support/canonical-answers.ts';
import { type IndependentServer, startDynoxide } from '../support/independent-servers.ts';
import { differentialTables, RandomRequests } from '../support/random-requests.ts';
import { callServer, createTableInput } from '../support/wire-calls.ts';

// The long form: more sequences by setting this variable.
const SEEDS = Number(process.env.DYNO_LOAD_DIFFERENTIAL_SEEDS ?? 12);
const REQUESTS_PER_SEED = 150;

/**
 * Where the two may differ. `mayDiffer` names the members of the answer that are not compared; `isSent` false keeps
 * a request from Dynoxide altogether, because its effect would differ too. Order never counts: of ConsumedCapacity
 * entries, of items in a Scan or a BatchGetItem (the hash is not published), of set members. Rules marked
 * "captured" are as third parties recorded the service.
 */
interface AcceptedDifference {
  readonly what: string;
  readonly rule: string;
  readonly applies: (request: Request, ours: Answer, database: SimulatedDatabase) => boolean;
  readonly mayDiffer: readonly (keyof Answer)[];
  readonly isSent: boolean;
}

/** Those that do not hold all attributes. */
const narrowIndexes: readonly string[] = ['keys', 'some', 'byScore'];

const acceptedDifferences: readonly AcceptedDifference[] = [
  {
    what: 'a query of a local index that asks for attributes it does not hold: Dynoxide leaves them out, or rounds the fetched items together',
    rule: 'they are fetched from the table, and every base item is rounded individually (captured)',
    applies: (request) => request.api === 'Query' && isFetching(request),
    mayDiffer: ['output', 'consumed'],
    isSent: true,
  },
  {
    what: 'a scan of a local index that asks for attributes it does not hold: Dynoxide leaves them out',
    rule: 'as above',
    applies: (request) => request.api === 'Scan' && isFetching(request),
    mayDiffer: ['output', 'consumed'],
    isSent: true,
  },
  {
    what: 'a projection or filter of what an index does not hold: Dynoxide answers as if no item had it',
    rule: 'refused, as localstack/localstack#478 (projection) and dynamodb-toolbox/dynamodb-toolbox#1195 (filter) report of the service',
    applies: (request, ours) =>
      (request.api === 'Query' || request.api === 'Scan') &&
      narrowIndexes.includes(request.input.IndexName ?? '') &&
      ours.result === 'ValidationException',
    mayDiffer: ['result', 'output', 'consumed'],
    isSent: true,
  },
  {
    what: 'a scan of a local index: Dynoxide reports its units on the table',
    rule: 'units of an index read sit on the index arm and Table.CapacityUnits is 0 (captured)',
    applies: (request) => request.api === 'Scan' && isLocal(request.input.IndexName),
    mayDiffer: ['consumed'],
    isSent: true,
  },
  {
    what: 'a transaction with a broken expression or value: Dynoxide makes it the reason of one action',
    rule: 'refused up front: captures of 2026-10-09, paritysuite/dynamodb-conformance tests/tier3/validation-ordering/transactions.test.ts',
    applies: (request, ours) => request.api.startsWith('Transact') && ours.result === 'ValidationException',
    mayDiffer: ['result', 'reasons'],
    isSent: true,
  },
  {
    what: 'GetItem and TransactGetItems with a projection: Dynoxide charges what it leaves of the item',
    rule: 'the whole stored item is paid for; ProjectionExpression changes nothing',
    applies: (request) =>
      (request.api === 'GetItem' || request.api === 'TransactGetItems') && isProjected(request),
    mayDiffer: ['consumed'],
    isSent: true,
  },
  {
    what: 'UPDATED_OLD and UPDATED_NEW of a list element: Dynoxide gives the whole list back',
    rule: 'only the elements named: scylladb/scylladb test/alternator/test_returnvalues.py, whose tests are run against the service',
    applies: (request) =>
      request.api === 'UpdateItem' &&
      (request.input.ReturnValues ?? '').startsWith('UPDATED') &&
      (request.input.UpdateExpression ?? '').includes('['),
    mayDiffer: ['output'],
    isSent: true,
  },
  {
    what: 'an unused placeholder beside a condition that fails: Dynoxide looks at the condition first',
    rule: 'an unused value is refused before anything runs: captures of 2026-10-09, as above',
    applies: (request, ours) =>
      JSON.stringify(request).includes(':unused') && ours.result === 'ValidationException',
    mayDiffer: ['result', 'output'],
    isSent: true,
  },
  {
    what: 'UpdateItem with ALL_OLD where there was no item: Dynoxide gives the key back',
    rule: 'no Attributes: scylladb/scylladb test/alternator/test_returnvalues.py, whose tests are run against the service',
    applies: (request, ours) =>
      request.api === 'UpdateItem' &&
      request.input.ReturnValues === 'ALL_OLD' &&
      JSON.stringify(ours.output) === '{}',
    mayDiffer: ['output'],
    isSent: true,
  },
  {
    what: 'TransactGetItems with a projection: Dynoxide adds the key, and takes an item of which nothing is left for absent',
    rule: 'the model: ProjectionExpression names the attributes to retrieve',
    applies: (request) =>
      request.api === 'TransactGetItems' && JSON.stringify(request).includes('"Projection'),
    mayDiffer: ['output'],
    isSent: true,
  },
  {
    what: 'a descending query of a table without a sort key, continued: Dynoxide starts over for ever',
    rule: 'the model: ExclusiveStartKey is where the operation goes on, and the key was evaluated already',
    applies: (request) =>
      request.api === 'Query' &&
      request.input.TableName.startsWith('plain') &&
      request.input.ExclusiveStartKey !== undefined,
    mayDiffer: ['output', 'consumed'],
    isSent: true,
  },
  {
    what: 'REMOVE of a nested path that leads nowhere in an item that exists: Dynoxide overlooks it',
    rule: 'ValidationException: scylladb/scylladb test/alternator/test_update_expression.py, whose tests are run against the service',
    applies: (request, ours) => JSON.stringify(request).includes('REMOVE') && ours.isLostPath === true,
    mayDiffer: [],
    isSent: false,
  },
  {
    what: 'an update that only removes, where there is no item: Dynoxide makes one of the bare key',
    rule: 'no item is made: scylladb/scylladb test/alternator/test_returnvalues.py, as above',
    applies: (request, _, database) =>
      request.api === 'UpdateItem' &&
      isOnlyClearing(request.input.UpdateExpression) &&
      isAbsent(database, request.input),
    mayDiffer: [],
    isSent: false,
  },
];

function isProjected(request: Request): boolean {
  return JSON.stringify(request).includes('"ProjectionExpression"');
}

function sumOf(counts: Totals['counts'], member: 0 | 1 | 2): number {
  return counts.reduce((sum, count) => sum + count[member], 0);
}

function isOnlyClearing(expression = ''): boolean {
  return /^(REMOVE|DELETE)/.test(expression) && !/ADD|SET/.test(expression);
}

/** Whether the simulator has no item at a key; looked at after the update, which takes no item away. */
function isAbsent(database: SimulatedDatabase, { TableName, Key }: UpdateItemInput): boolean {
  const outcome = database.handle({ api: 'GetItem', input: { TableName, Key } }, 0);
  return outcome.kind === 'ok' && outcome.output.Item === undefined;
}

function isLocal(indexName: string | undefined): boolean {
  return indexName === 'byScore' || indexName === 'byNote';
}

/** Whether a read of the local index `byScore`, which holds keys only, asks for more. */
function isFetching({ input }: Extract<Request, { api: 'Query' | 'Scan' }>): boolean {
  if (input.IndexName !== 'byScore') return false;
  return input.Select === 'ALL_ATTRIBUTES' || input.ProjectionExpression !== undefined;
}

const server = await startDynoxide();
const isMissing = 'unavailable' in server;
if (isMissing) console.warn(`differential test not run: ${server.unavailable}`);

describe.skipIf(isMissing)('simulator and Dynoxide', () => {
  const { url } = server as IndependentServer; // Skipped where it is not one.
  afterAll(() => (server as IndependentServer).stop());

  test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'agree on the sequence of seed %i',
    async (seed) => {
      const tables = differentialTables(String(seed));
      const database = new SimulatedDatabase({ model: capacityModels.default, seed });
      for (const table of tables) {
        database.createTable(table);
        await callServer(url, 'CreateTable', createTableInput(table));
      }
      const requests = new RandomRequests(seed, tables);
      const differences: unknown[] = [];
      for (let step = 0; step < REQUESTS_PER_SEED && differences.length < 3; step++) {
        let request: Request | undefined = requests.next();
        for (let page = 0; request !== undefined && page < MAX_PAGES; page++) {
          const ours = answerOf(request, database.handle(request, step * US_PER_MINUTE));
          const difference = await differenceOf(request, ours, database, url);
          if (difference !== undefined) differences.push({ seed, step, page, ...difference });
          request = nextPage(request, ours);
        }
      }
      expect(differences).toEqual([]);
    },
  );

  describe('over pages of 1 MB', () => {
    const [table] = differentialTables('paged');
    const { tableName } = table;
    const database = new SimulatedDatabase({ model: capacityModels.default, seed: 1 });
    let atUs = 0;
    const ourPage = async (request: Request): Promise<Page> => {
      atUs += US_PER_MINUTE; // Far enough apart that nothing throttles.
      const outcome = database.handle(request, atUs);
      if (outcome.kind !== 'ok') throw new Error(`${request.api} ended ${outcome.kind}`);
      return { ...outcome.output, units: totalUnits(outcome.consumed).readUnits };
    };
    const theirPage = async (request: Request): Promise<Page> => {
      const { body } = await callServer(url, request.api, request.input);
      const { CapacityUnits } = body.ConsumedCapacity as { readonly CapacityUnits: number }; // Asked for below.
      return { ...(body as ApiOutput), units: CapacityUnits };
    };

    beforeAll(async () => {
      database.createTable(table);
      await callServer(url, 'CreateTable', createTableInput(table));
      for (let index = 0; index < BIG_ITEMS; index++) {
        database.preload(tableName, bigItem(index));
        await callServer(url, 'PutItem', { TableName: tableName, Item: bigItem(index) });
      }
    });

    const accounted = { TableName: tableName, ReturnConsumedCapacity: 'TOTAL' } as const;
    const ofPartition = {
      KeyConditionExpression: 'PK = :p',
      ExpressionAttributeValues: { ':p': { S: 'p1' } },
    } as const;
    const ofIndex = {
      IndexName: 'all',
      KeyConditionExpression: 'G1 = :g',
      ExpressionAttributeValues: { ':g': { S: 'g' } },
    } as const;

    test.each<[string, QueryInput]>([
      ['a whole partition', { ...accounted, ...ofPartition }],
      ['a whole partition, newest first', { ...accounted, ...ofPartition, ScanIndexForward: false }],
      ['a partition by seven', { ...accounted, ...ofPartition, Limit: 7 }],
      ['a partition by exactly its count', { ...accounted, ...ofPartition, Limit: BIG_ITEMS / 3 }],
      ['an index, descending, by eleven', { ...accounted, ...ofIndex, Limit: 11, ScanIndexForward: false }],
      ['a count', { ...accounted, ...ofPartition, Select: 'COUNT' }],
    ])('a query of %s gives the same items, counts and units on every page', async (_, input) => {
      const request = { api: 'Query', input } as const;
      const ours = await allPages(request, ourPage);
      const theirs = await allPages(request, theirPage);
      expect(ours.counts).toEqual(theirs.counts);
      expect(ours.items.map(canonical)).toEqual(theirs.items.map(canonical));
    });

    // The item that crosses 1 MB: the simulator gives it back as the last of its page (our
    // belief: AWS does not say), Dynoxide counts it on both pages. So ScannedCount may differ by one and units by
    // what one item costs, 0.5, on each page.
    test.each<[string, PagedRequest]>([
      ['a query of an index with ties in its key', { api: 'Query', input: { ...accounted, ...ofIndex } }],
      ['a count', { api: 'Query', input: { ...accounted, ...ofIndex, Select: 'COUNT' } }],
      ['a scan', { api: 'Scan', input: accounted }],
      ['a scan by 50', { api: 'Scan', input: { ...accounted, Limit: 50 } }],
      ['a scan of an index', { api: 'Scan', input: { ...accounted, IndexName: 'all' } }],
      [
        'a scan with a filter',
        {
          api: 'Scan',
          input: {
            ...accounted,
            FilterExpression: 'score < :s',
            ExpressionAttributeValues: { ':s': { N: '5' } },
          },
        },
      ],
    ])(
      '%s over several pages gives the same items and Count, ScannedCount and units but for the boundary',
      async (_, request) => {
        const ours = await allPages(request, ourPage);
        const theirs = await allPages(request, theirPage);
        const pageCount = ours.counts.length;
        expect(sortedItems(ours.items)).toEqual(sortedItems(theirs.items));
        expect(sumOf(ours.counts, 0)).toBe(sumOf(theirs.counts, 0));
        expect(Math.abs(sumOf(ours.counts, 1) - sumOf(theirs.counts, 1))).toBeLessThanOrEqual(pageCount);
        expect(Math.abs(sumOf(ours.counts, 2) - sumOf(theirs.counts, 2))).toBeLessThanOrEqual(
          0.5 * pageCount,
        );
      },
    );

    test('four segments together read what one scan reads', async () => {
      const segments = await Promise.all(
        [0, 1, 2, 3].map((Segment) =>
          allPages({ api: 'Scan', input: { ...accounted, Segment, TotalSegments: 4 } }, ourPage),
        ),
      );
      const whole = await allPages({ api: 'Scan', input: accounted }, theirPage);
      expect(sortedItems(segments.flatMap(({ items }) => items))).toEqual(sortedItems(whole.items));
    });
  });
});

const MAX_PAGES = 4;

/**
 * The next page of a query; a scan's pages differ with the order of the hash, see the test of whole scans.
 */
function nextPage(request: Request, { lastKey }: Answer): Request | undefined {
  if (request.api !== 'Query' || lastKey === undefined) return undefined;
  return { api: 'Query', input: { ...request.input, ExclusiveStartKey: lastKey } };
}

async function differenceOf(
  request: Request,
  ours: Answer,
  database: SimulatedDatabase,
  url: string,
): Promise<object | undefined> {
  const accepted = acceptedDifferences.filter(({ applies }) => applies(request, ours, database));
  if (accepted.some(({ isSent }) => !isSent)) return undefined;
  const theirs = await theirAnswer(url, request);
  const ignored = accepted.flatMap(({ mayDiffer }) => mayDiffer);
  const different = comparedMembers.filter(
    (member) => !ignored.includes(member) && JSON.stringify(ours[member]) !== JSON.stringify(theirs[member]),
  );
  return different.length === 0 ? undefined : { different, request, ours, theirs };
}

const comparedMembers = ['result', 'output', 'consumed', 'reasons'] as const;

/** Items of about 3 KB in few collections: several pages of 1 MB, and ties in index keys. */
const BIG_ITEMS = 900;

function bigItem(index: number): AttributeMap {
  return {
    PK: { S: `p${index % 3}` },
    SK: { S: String(index).padStart(5, '0') },
    G1: { S: 'g' },
    score: { N: String(index % 40) },
    body: { S: 'x'.repeat(2_800 + (index % 7) * 100) },
  };
}

type PagedRequest = Extract<Request, { api: 'Query' | 'Scan' }>;

interface Totals {
  readonly items: readonly AttributeMap[];
  readonly counts: readonly (readonly [count: number, scannedCount: number, units: number])[];
}

/** Reads all pages, each from where the last one of the same side ended. */
async function allPages(request: PagedRequest, send: (request: Request) => Promise<Page>): Promise<Totals> {
  const items: AttributeMap[] = [];
  const counts: [number, number, number][] = [];
  let startKey: AttributeMap | undefined;
  do {
    const input = { ...request.input, ...(startKey && { ExclusiveStartKey: startKey }) };
    const page = await send({ ...request, input } as Request); // The same API with the input of the same API.
    items.push(...(page.Items ?? []));
    counts.push([page.Count ?? 0, page.ScannedCount ?? 0, page.units]);
    startKey = page.LastEvaluatedKey;
  } while (startKey !== undefined && counts.length < BIG_ITEMS);
  return { items, counts };
}

type Page = ApiOutput & { readonly units: number };
