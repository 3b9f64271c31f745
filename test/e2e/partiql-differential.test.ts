// The simulator against Dynoxide over random statements of PartiQL. Method: seeded random sequences of
// requests of the three APIs go to both; after each the errors, items, returned values and consumed units are
// compared, page by page. What may differ is listed in `acceptedDifferences`, each with the rule that decides
// it.
import { afterAll, describe, expect, test } from 'vitest';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import type { AttributeMap } from '../../src/dynamodb/attribute-value.ts';
import type { WireConsumedCapacity } from '../../src/dynamodb/consumed-capacity.ts';
import type { ExecuteStatementInput, PartiqlRequest } from '../../src/dynamodb/operation.ts';
import { dataAnswer } from '../../src/serve/data-answer.ts';
import { SimulatedDatabase } from '../../src/simulator/simulated-database.ts';
import { US_PER_SECOND } from '../../src/units.ts';
import { canonical, sortedItems } from '../support/canonical-answers.ts';
import { type IndependentServer, startDynoxide } from '../support/independent-servers.ts';
import { differentialTables } from '../support/random-requests.ts';
import { RandomStatements } from '../support/random-statements.ts';
import { callServer, createTableInput } from '../support/wire-calls.ts';

const SEEDS = Number(process.env.DYNO_LOAD_DIFFERENTIAL_SEEDS ?? 12);
const REQUESTS_PER_SEED = 150;
const MAX_PAGES = 4;

/** An answer with everything in a fixed order whose order means nothing. */
interface Compared {
  readonly error: string | undefined;
  readonly items: unknown;
  readonly responses: unknown;
  readonly reasons: readonly string[] | undefined;
  readonly consumed: unknown;
  /** The sum on each table. */
  readonly units: unknown;
  readonly hasMore: boolean;
}

interface AcceptedDifference {
  readonly what: string;
  readonly rule: string;
  readonly applies: (request: PartiqlRequest, ours: Compared) => boolean;
  readonly mayDiffer: readonly (keyof Compared)[];
  /** False keeps the request from Dynoxide, because its effect would differ too. */
  readonly isSent: boolean;
}

const acceptedDifferences: readonly AcceptedDifference[] = [
  {
    what: 'a cancelled transaction of which several statements fail: Dynoxide tells the first',
    rule: 'reasons of all members in request order',
    applies: ({ api }, { reasons }) =>
      api === 'ExecuteTransaction' && reasons !== undefined && failedCount(reasons) > 1,
    mayDiffer: ['reasons'],
    isSent: true,
  },
  {
    what: 'a transaction of writes: Dynoxide answers each statement with an empty object',
    rule: 'an empty list: captures of 2026-10, paritysuite/dynamodb-conformance tests/tier2/partiql/writeResponses.test.ts',
    applies: ({ api }, { responses }) => api === 'ExecuteTransaction' && JSON.stringify(responses) === '[]',
    mayDiffer: ['responses'],
    isSent: true,
  },
  {
    what: 'a batch with statements that fail: Dynoxide leaves what they cost out of the table arm',
    rule: 'a failed statement is charged the write it attempted, and arms add up to the sum, which is compared',
    applies: ({ api }, { responses }) =>
      api === 'BatchExecuteStatement' && JSON.stringify(responses ?? []).includes('"code"'),
    mayDiffer: ['consumed'],
    isSent: true,
  },
  {
    what: 'a scan by pages: another order',
    rule: 'the hash is not published',
    applies: (request) => isScan(request) && 'Limit' in request.input,
    mayDiffer: ['items', 'consumed', 'units', 'hasMore'],
    isSent: true,
  },
  {
    what: 'one item by its key with a limit: Dynoxide goes on behind it',
    rule: 'a SELECT on the full key is a GetItem, which has no further pages',
    applies: ({ input }) => 'Limit' in input && /PK = \S+ AND SK = /.test(textOf(input)),
    mayDiffer: ['hasMore'],
    isSent: true,
  },
  {
    what: 'ORDER BY … DESC: Dynoxide 1.2.1 reads in ascending order',
    rule: 'captures of 2026-10, paritysuite/dynamodb-conformance tests/tier2/partiql/grammar.test.ts',
    applies: ({ input }) => textOf(input).endsWith(' DESC'),
    mayDiffer: ['items', 'consumed', 'units', 'hasMore'],
    isSent: true,
  },
  {
    what: 'keys joined by AND with an OR: Dynoxide overlooks the sort key, and reads all of the partition key',
    rule: 'a SELECT on the full key is a GetItem, on the partition key a Query',
    applies: ({ input }) => /^SELECT.* AND \(.* OR /.test(textOf(input)),
    mayDiffer: ['consumed', 'units'],
    isSent: true,
  },
  {
    what: 'a page that ends within a partition key of which an OR asks: Dynoxide evaluates other items, as above',
    rule: 'as above',
    applies: ({ input }) => 'Limit' in input && /^SELECT.* AND \(.* OR /.test(textOf(input)),
    mayDiffer: ['items', 'hasMore'],
    isSent: true,
  },
  {
    what: 'NOT before a condition on a sort key or BETWEEN: Dynoxide reads other items',
    rule: 'the model: NOT is true where the condition is false; a key condition knows no NOT',
    applies: ({ input }) => /^SELECT.*NOT \(/.test(textOf(input)),
    mayDiffer: ['items', 'hasMore', 'consumed', 'units'],
    isSent: true,
  },
  {
    what: 'a sort key held against a value of another type: Dynoxide finds nothing',
    rule: 'the model: a key condition has the type of its key, as in Query',
    applies: ({ input }, { error }) =>
      /"byNote".* note [<=>]/.test(textOf(input)) && error === 'ValidationException',
    mayDiffer: ['error', 'items', 'consumed', 'units', 'hasMore'],
    isSent: true,
  },
  {
    what: 'two conditions on the sort key of a local index: Dynoxide fetches items of which the first does not hold',
    rule: 'a Query pays for the items that it evaluates',
    applies: ({ input }) => /"byScore".* score .* score /.test(textOf(input)),
    mayDiffer: ['consumed', 'units'],
    isSent: true,
  },
  {
    what: 'an UPDATE that sets a key attribute: Dynoxide moves the item',
    rule: 'the model: key attributes cannot be updated, as in UpdateItem',
    applies: ({ input }) => textOf(input).includes('SET SK ='),
    mayDiffer: [],
    isSent: false,
  },
  {
    what: 'a condition with OR or NOT on what an index does not hold: Dynoxide lets it pass',
    rule: 'Dynoxide refuses the same condition alone or joined by AND, with the message of the service',
    applies: ({ input }, { error }) =>
      / FROM "[^"]+"\."/.test(textOf(input)) &&
      / OR |NOT \(/.test(textOf(input)) &&
      error === 'ValidationException',
    mayDiffer: ['error', 'items', 'consumed', 'units', 'hasMore'],
    isSent: true,
  },
];

/** The text of a single statement; empty for batches and transactions. */
function textOf(input: PartiqlRequest['input']): string {
  return 'Statement' in input ? input.Statement : '';
}

function failedCount(reasons: readonly string[]): number {
  return reasons.filter((code) => code !== 'None').length;
}

const server = await startDynoxide();
const isMissing = 'unavailable' in server;
if (isMissing) console.warn(`differential test not run: ${server.unavailable}`);

describe.skipIf(isMissing)('PartiQL in the simulator and in Dynoxide', () => {
  const { url } = server as IndependentServer; // Skipped where it is not one.
  afterAll(() => (server as IndependentServer).stop());

  test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'agree on the sequence of seed %i',
    async (seed) => {
      const tables = differentialTables(`partiql-${seed}`);
      const database = new SimulatedDatabase({ model: capacityModels.default, seed });
      for (const table of tables) {
        database.createTable(table);
        await callServer(url, 'CreateTable', createTableInput(table));
      }
      const requests = new RandomStatements(seed, tables);
      const differences: string[] = [];
      for (let step = 0; step < REQUESTS_PER_SEED && differences.length < 3; step++) {
        const difference = await compare(requests.next(), database, url, step);
        // One line each: what differs is easier to see side by side.
        if (difference !== undefined) differences.push(JSON.stringify({ seed, step, ...difference }));
      }
      expect(differences).toEqual([]);
    },
  );
});

/** Sends a request, and its further pages, to both; each goes on from its own token. */
async function compare(
  first: PartiqlRequest,
  database: SimulatedDatabase,
  url: string,
  step: number,
): Promise<object | undefined> {
  let ourRequest: PartiqlRequest = first;
  let theirRequest: PartiqlRequest = first;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = dataAnswer(ourRequest, database.handle(ourRequest, step * US_PER_SECOND));
    const ourBody = JSON.parse(answer.body) as Body;
    const ours = compared(first, errorType(answer.status, ourBody), ourBody);
    const accepted = acceptedDifferences.filter(({ applies }) => applies(first, ours));
    if (accepted.some(({ isSent }) => !isSent)) return undefined;
    const { errorType: theirError, body } = await callServer(url, theirRequest.api, theirRequest.input);
    const theirs = compared(first, theirError, body);
    const ignored = accepted.flatMap(({ mayDiffer }) => mayDiffer);
    const different = (Object.keys(ours) as (keyof Compared)[]).filter(
      (member) =>
        !ignored.includes(member) && JSON.stringify(ours[member]) !== JSON.stringify(theirs[member]),
    );
    if (different.length > 0) return { page, different, request: ourRequest, ours, theirs };
    if (!ours.hasMore || !theirs.hasMore || isScan(first)) return undefined;
    ourRequest = nextPage(first, ourBody);
    theirRequest = nextPage(first, body);
  }
  return undefined;
}

type Body = { readonly [member: string]: unknown };

function errorType(status: number, { __type: type }: Body): string | undefined {
  return status === 200 ? undefined : String(type).split('#').pop();
}

function nextPage(request: PartiqlRequest, { NextToken }: Body): PartiqlRequest {
  return {
    api: 'ExecuteStatement',
    input: { ...(request.input as ExecuteStatementInput), NextToken: String(NextToken) },
  };
}

function compared(request: PartiqlRequest, error: string | undefined, body: Body): Compared {
  // The server's word for it: what is not there is compared as such.
  const { Items, Responses, CancellationReasons, ConsumedCapacity, NextToken } = body as WireBody;
  const consumed = [ConsumedCapacity ?? []].flat();
  return {
    error,
    items: error === undefined ? itemsOf(request, Items) : undefined,
    responses: Responses?.map(({ Item, Error }) => canonical({ Item, code: Error?.Code })),
    reasons: CancellationReasons?.map(({ Code }) => Code),
    consumed: inOrder(consumed),
    units: inOrder(consumed.map(({ TableName, CapacityUnits }) => ({ TableName, CapacityUnits }))),
    hasMore: NextToken !== undefined && NextToken !== null,
  };
}

interface WireBody {
  readonly Items?: readonly AttributeMap[];
  readonly Responses?: readonly Response[];
  readonly CancellationReasons?: readonly { readonly Code: string }[];
  readonly ConsumedCapacity?: WireConsumedCapacity | readonly WireConsumedCapacity[];
  readonly NextToken?: string | null;
}

function inOrder(values: readonly unknown[]): readonly string[] {
  return values.map((value) => JSON.stringify(canonical(value))).sort((one, two) => (one < two ? -1 : 1));
}

interface Response {
  readonly Item?: AttributeMap;
  readonly Error?: { readonly Code: string };
}

/** Writes without RETURNING have no items in Dynoxide 1.2.1, and an empty list in DynamoDB. */
function itemsOf(request: PartiqlRequest, items: readonly AttributeMap[] = []): unknown {
  return isScan(request) ? sortedItems(items) : items.map(canonical);
}

/** A SELECT that names no partition key: the order of the hash is not published. */
function isScan(request: PartiqlRequest): boolean {
  return (
    request.api === 'ExecuteStatement' &&
    request.input.Statement.startsWith('SELECT') &&
    !/\b(PK|G1|phase|id) = /.test(request.input.Statement.replace(/NOT \(.*?\)/g, ''))
  );
}
