// Aim: what README.md shows is what happens. Method: every `$ dyno-load …` line of it is run in one folder,
// in order, with the scenario that it tells the reader to write; shown output is compared paragraph by
// paragraph (UPDATE_GOLDEN=1 writes it anew). The server at port 8000 is dynalite.
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../../src/errors.ts';
import { packageRoot, removeFolder, runCli, temporaryFolder } from '../support/cli.ts';
import { frozenText } from '../support/frozen-file.ts';
import { type IndependentServer, startDynalite } from '../support/independent-servers.ts';

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8').replaceAll('\r\n', '\n');
const consoleBlocks = [...readme.matchAll(/^```console\n([^]*?)^```$/gm)].map(([, text = '']) => text);
const commandLines = consoleBlocks.flatMap((block) =>
  [...block.matchAll(/^\$ dyno-load (.+)$/gm)].map(([, line = '']) => line),
);
const SHOWN_SERVER = 'http://localhost:8000';

describe('README.md', () => {
  let folder = '';
  let server: IndependentServer;
  const outputs = new Map<string, string>();

  beforeAll(async () => {
    folder = await temporaryFolder();
    server = await startDynalite();
    const { name, text } = shownScenario();
    await mkdir(join(folder, dirname(name)), { recursive: true });
    await writeFile(join(folder, name), text);
  });
  afterAll(async () => {
    await server.stop();
    await removeFolder(folder);
  });

  test('shows commands at all', () => {
    expect(commandLines.length).toBeGreaterThan(7);
  });

  test.each(commandLines)('dyno-load %s ends with exit code 0', async (line) => {
    const { code, stdout, stderr } = await runCli(wordsOf(line.replace(SHOWN_SERVER, server.url)), {
      cwd: folder,
    });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toBe('');
    outputs.set(line, stdout);
  });

  test('shows output as it is', () => {
    const refreshed = consoleBlocks.reduce(
      (text, block) => text.replace(block, () => withOutput(block, outputs)),
      readme,
    );
    expect(refreshed).not.toContain('undefined');
    expect(refreshed).toBe(frozenText('README.md', refreshed));
  });

  test('names no option that the help does not', () => {
    const help = readFileSync(join(packageRoot, 'test', 'golden', 'help.golden.txt'), 'utf8');
    const own = readme.replaceAll(/^aws (?:.*\\\n)*.*$/gm, ''); // The AWS CLI has options of its own.
    const named = new Set(own.match(/(?<=[\s`])--[a-z][a-z-]*/g));
    expect(named.size).toBeGreaterThan(8);
    expect([...named].filter((option) => !help.includes(`${option} `))).toEqual([]);
  });

  test('lists every exit code', () => {
    const listed = [...readme.matchAll(/^\| (\d[\d, ]*) \|/gm)].flatMap(([, codes = '']) =>
      codes.split(', ').map(Number),
    );
    expect(new Set(listed)).toEqual(new Set(Object.values(exitCodes)));
  });

  test('links to files that exist', async () => {
    const paths = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(4);
    for (const path of paths) await expect(stat(join(packageRoot, path))).resolves.toBeDefined();
  });
});

/** The TypeScript block, and the file name that the sentence before it gives. */
function shownScenario(): { readonly name: string; readonly text: string } {
  const [, name = '', text = ''] = /`(scenarios\/[\w-]+\.ts)`[^`]*```ts\n([^]*?)```/.exec(readme) ?? [];
  if (text === '') throw new Error('README.md shows a scenario and names its file');
  return { name, text };
}

/** Words of a command line; quotes hold one together. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
}

/** A block with each paragraph of shown output as the command prints it now; `…` stands for those left out. */
function withOutput(block: string, outputs: ReadonlyMap<string, string>): string {
  const [command = '', ...shown] = block.trimEnd().split('\n');
  if (shown.length === 0 || shown.some((line) => line.startsWith('$'))) return block;
  const printed = (outputs.get(command.replace('$ dyno-load ', '')) ?? '').trimEnd().split('\n\n');
  const paragraphs = shown
    .join('\n')
    .split('\n\n')
    .map((paragraph) => {
      if (paragraph === '…') return paragraph;
      return printed.find((one) => titleOf(one) === titleOf(paragraph)) ?? `undefined: ${titleOf(paragraph)}`;
    });
  return `${command}\n${paragraphs.join('\n\n')}\n`;
}

/** The first words of a paragraph, by which it is known again. */
function titleOf(paragraph: string): string {
  return paragraph.split(/[:(\n]/)[0]?.trim() ?? '';
}
