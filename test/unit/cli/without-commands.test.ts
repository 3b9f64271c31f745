// Aim: in GitHub Actions nothing that is printed reads as a workflow command, but for annotations; elsewhere
// nothing changes. Method: texts that begin lines in every way a runner accepts, and streams that keep what
// they get.
import { describe, expect, test } from 'vitest';
import { errorText } from '../../../src/cli/error-text.ts';
import type { Io } from '../../../src/cli/io.ts';
import { breakCommands, withoutCommands } from '../../../src/cli/without-commands.ts';
import { publish } from '../../../src/cli/publish.ts';

function recorded(env: Io['env']): { readonly io: Io; readonly out: string[]; readonly err: string[] } {
  const [out, err]: [string[], string[]] = [[], []];
  const io: Io = {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    isOutTerminal: false,
    isErrTerminal: false,
    columns: undefined,
    env,
    cwd: '/',
    onSignal: () => () => undefined,
    exit: () => {
      throw new Error('the process would end');
    },
  };
  return { io, out, err };
}

describe('in GitHub Actions', () => {
  const env = { GITHUB_ACTIONS: 'true' };

  test.each([
    ['at the start', '::error::x', String.raw`\u003a:error::x`],
    ['in a later line, after blanks', 'a\n \t ::stop-commands::x', 'a\n \t \\u003a:stop-commands::x'],
    ['after a carriage return', 'a\r::add-mask::x', 'a\r\\u003a:add-mask::x'],
    ['after a colour', '\u001b[1m::error::x', '\u001b[1m\\u003a:error::x'],
    ['in the older form, anywhere', 'a ##[add-mask]x', String.raw`a \u0023#[add-mask]x`],
    ['not within a line', 'a ::error::x', 'a ::error::x'],
  ])('a command %s is broken', (_, text, expected) => {
    const { io, out, err } = recorded(env);
    const safe = withoutCommands(io);
    safe.out(text);
    safe.err(text);
    expect([out, err]).toEqual([[expected], [expected]]);
  });

  test('JSON still reads the same', () => {
    const text = JSON.stringify({ key: '##[error]' });
    expect(JSON.parse(breakCommands(text))).toEqual({ key: '##[error]' });
  });

  test('annotations are commands', async () => {
    const { io, err } = recorded(env);
    const nothing = () => '';
    const annotations = () => '::error::failed\n';
    await publish({ junit: nothing, markdown: nothing, annotations }, {}, withoutCommands(io));
    expect(err).toEqual(['::error::failed\n']);
  });
});

test('elsewhere nothing is changed', () => {
  const { io } = recorded({});
  expect(withoutCommands(io)).toBe(io);
});

test('an error that names a key moves no cursor and begins no line', () => {
  const text = errorText({
    code: 'USAGE',
    what: 'k\u001b[2J\n::error::x',
    why: '\u202e',
    fix: 'none',
    issues: [{ what: '\u009b', why: '\u0007', fix: '\r' }],
  });
  expect(text).toBe(String.raw`USAGE  k\x1b[2J\n::error::x` + '\n- \\x9b\n  why: \\x07\n  fix: \\r');
});
