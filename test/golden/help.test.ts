// Aim: the help texts, the part of the manual that is always at hand. Method: the program itself prints them,
// without a terminal and with one; they are compared with the committed text (UPDATE_GOLDEN=1 writes it
// anew), so that a changed option shows as a change of what users read.
import { expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { main } from '../../src/cli/main.ts';
import { frozenText } from '../support/frozen-file.ts';

test('the help of every command is as committed', async () => {
  const overview = await helpText([]);
  const sections = [`$ dyno-load --help\n${overview}`];
  for (const command of commandsIn(overview))
    sections.push(`$ dyno-load ${command} --help\n${await helpText([command])}`);
  expect(sections.length).toBeGreaterThan(4);
  const actual = sections.join('\n');
  expect(actual).toBe(frozenText('test/golden/help.golden.txt', actual));
});

test('help keeps to the width of the terminal', async () => {
  const widths = [];
  for (const columns of [90, 130]) {
    const lines = (await helpText(['run'], columns)).split('\n');
    widths.push(Math.max(...lines.map((line) => line.length)));
  }
  expect(widths[0]).toBeLessThanOrEqual(90);
  expect(widths[1]).toBeGreaterThan(90);
  expect(widths[1]).toBeLessThanOrEqual(130);
});

/** Names in the list of commands, as the overview prints it. */
function commandsIn(overview: string): readonly string[] {
  const [, list = ''] = overview.split('Commands:\n');
  return [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name);
}

/** What `--help` prints on stdout; anything on stderr and any other end is an error here. */
async function helpText(command: readonly string[], columns?: number): Promise<string> {
  let text = '';
  const refuse = () => {
    throw new Error('help asks nothing else of the process');
  };
  const io: Io = {
    out: (part) => void (text += part),
    err: refuse,
    isOutTerminal: columns !== undefined,
    isErrTerminal: false,
    columns,
    env: {},
    cwd: '/nowhere',
    onSignal: refuse,
    exit: refuse,
  };
  expect(await main([...command, '--help'], io)).toBe(0);
  return text;
}
