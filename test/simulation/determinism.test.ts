// Aim: the same seed and the same operations give the same bytes, on every machine and every version of Node.
// Method: digests of whole records, segments and answers are committed; this test makes them anew with the
// Node that runs it, so that running it under two versions shows them equal. Where the model or the record is
// meant to change, UPDATE_GOLDEN=1 rewrites the digests.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capacityModels } from '../../src/capacity/capacity-model.ts';
import { SimulatedDatabase } from '../../src/simulator/simulated-database.ts';
import { removeFolder, runFolders, temporaryFolder } from '../support/cli.ts';
import { frozenText } from '../support/frozen-file.ts';
import { InProcessCli } from '../support/in-process-cli.ts';
import { differentialTables, RandomRequests } from '../support/random-requests.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterAll(() => removeFolder(folder));

/** What of a record may differ between equal runs is left out; keys keep their order. */
function withoutSurroundings(name: string, value: unknown): unknown {
  return name === 'environment' || name === 'generatorHealth' ? undefined : value;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The digests of one scenario: its record, and its segments without the line that tells of the surroundings. */
async function digestsOf(scenario: string, options: readonly string[]): Promise<string> {
  const args = ['run', join(root, scenario), '--duration', '3s', '--json', ...options];
  const cli = new InProcessCli(args, { cwd: join(folder, scenario), world: {} });
  await cli.ended;
  const record = JSON.stringify(JSON.parse(cli.stdout, withoutSurroundings));
  const [run = ''] = await runFolders(join(folder, scenario), basename(scenario, '.ts'));
  const segments = await readFile(join(folder, scenario, run, 'segments.jsonl'), 'utf8');
  const afterSurroundings = segments.slice(segments.indexOf('\n'));
  return `record ${digest(record)}\nsegments ${digest(afterSurroundings)}\n`;
}

test.each([
  ['scenarios/sharding.ts', ['--set', 'count=1,5']],
  ['scenarios/cold-table.ts', []],
  ['scenarios/query-vs-scan.ts', []],
  ['test/types/accepted/order-placement.ts', []],
  ['test/types/accepted/page-view.ts', []],
  ['test/types/accepted/every-operation.ts', []],
])('a run of %s', async (scenario, options) => {
  const text = await digestsOf(scenario, options);
  const name = scenario.replaceAll(/[/.]/g, '-');
  expect(text).toBe(frozenText(`test/golden/determinism/${name}.txt`, text));
});

test('answers to random requests', () => {
  const database = new SimulatedDatabase({ model: capacityModels.default, seed: 1 });
  const tables = differentialTables('x');
  for (const table of tables) database.createTable(table);
  const requests = new RandomRequests(1, tables);
  const answers: unknown[] = [];
  for (let index = 0; index < 5_000; index++) answers.push(database.handle(requests.next(), index * 1_000));
  const text = `${digest(JSON.stringify(answers))}\n`;
  expect(text).toBe(frozenText('test/golden/determinism/random-requests.txt', text));
});
