// The simulator against Dynoxide once more, where most rules meet: global and local indexes of every projection
// under writes that move entries, batches, and transactions with tokens. (Keys of several attributes are not
// compared: Dynoxide 1.2.1 takes them and keeps the first attribute of each kind alone.)
// Method: as in simulator-differential.test.ts; what may differ is listed with the rule that decides it.
import { afterAll, describe, expect, test } from 'vitest';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import type { Request } from '../../src/dynamodb/operation.ts';
import { SimulatedDatabase } from '../../src/simulator/simulated-database.ts';
import { US_PER_SECOND } from '../../src/units.ts';
import { type Answer, answerOf, theirAnswer } from '../support/canonical-answers.ts';
import { type IndependentServer, startDynoxide } from '../support/independent-servers.ts';
import { RandomIndexRequests, routedTable } from '../support/random-index-requests.ts';
import { callServer, createTableInput } from '../support/wire-calls.ts';

// The long form: more sequences by setting this variable.
const SEEDS = Number(process.env.DYNO_LOAD_DIFFERENTIAL_SEEDS ?? 8);
const REQUESTS_PER_SEED = 200;
const MAX_PAGES = 4;

interface AcceptedDifference {
  readonly what: string;
  readonly rule: string;
  readonly applies: (request: Request, ours: Answer) => boolean;
  readonly mayDiffer: readonly (keyof Answer)[];
}

const acceptedDifferences: readonly AcceptedDifference[] = [
  {
    what: 'a scan of a local index: Dynoxide reports its units on the table',
    rule: 'units of an index read sit on the index arm and Table.CapacityUnits is 0 (captured)',
    applies: ({ api, input }) => api === 'Scan' && (input.IndexName ?? '').startsWith('l'),
    mayDiffer: ['consumed'],
  },
];

const server = await startDynoxide();
const isMissing = 'unavailable' in server;
if (isMissing) console.warn(`differential test not run: ${server.unavailable}`);

describe.skipIf(isMissing)('simulator and Dynoxide, on indexes and transactions', () => {
  const { url } = server as IndependentServer; // Skipped where it is not one.
  afterAll(() => (server as IndependentServer).stop());

  test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'agree on the sequence of seed %i',
    async (seed) => {
      const table = routedTable(String(seed));
      const database = new SimulatedDatabase({ model: capacityModels.default, seed });
      database.createTable(table);
      await callServer(url, 'CreateTable', createTableInput(table));
      const requests = new RandomIndexRequests(seed, table);
      const differences: unknown[] = [];
      for (let step = 0; step < REQUESTS_PER_SEED && differences.length < 3; step++) {
        let request: Request | undefined = requests.next();
        for (let page = 0; request !== undefined && page < MAX_PAGES; page++) {
          // Seconds apart, so that repetitions of transactions fall within their ten minutes.
          const ours = answerOf(request, database.handle(request, step * US_PER_SECOND));
          const theirs = await theirAnswer(url, request);
          const different = differentMembers(request, ours, theirs);
          if (different.length > 0) differences.push({ seed, step, page, different, request, ours, theirs });
          request = nextPage(request, ours);
        }
      }
      expect(differences.map((one) => JSON.stringify(one, shortened, 1))).toEqual([]);
    },
  );
});

/** Keeps what is printed of a difference readable. */
function shortened(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/x{9,}/g, 'xxx…') : value;
}

function differentMembers(request: Request, ours: Answer, theirs: Answer): readonly string[] {
  const ignored = acceptedDifferences
    .filter(({ applies }) => applies(request, ours))
    .flatMap(({ mayDiffer }) => mayDiffer);
  return (['result', 'output', 'consumed', 'reasons'] as const).filter(
    (member) => !ignored.includes(member) && JSON.stringify(ours[member]) !== JSON.stringify(theirs[member]),
  );
}

function nextPage(request: Request, { lastKey }: Answer): Request | undefined {
  if (request.api !== 'Query' || lastKey === undefined) return undefined;
  return { api: 'Query', input: { ...request.input, ExclusiveStartKey: lastKey } };
}
