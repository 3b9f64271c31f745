// What the option parser complains of, as one of our errors in three parts. Its messages are the only place
// where it names option and value.
import type { CommanderError } from 'commander';
import { DynoLoadError } from '../errors.ts';

interface Complaint {
  readonly what: string;
  readonly why: string;
  /** Undefined: the help is the way on. */
  readonly fix?: string;
}

/**
 * The error for a command line that cannot be read.
 * @param help  the command line that prints the help in question, for example `dyno-load run --help`
 * @returns USAGE
 */
export function usageError({ code, message }: CommanderError, help: string): DynoLoadError {
  const [first = '', ...more] = message.replace(/^error: /, '').split('\n');
  const nearest = /\(Did you mean (?:one of )?(.+)\?\)/.exec(more.join(' '))?.[1];
  const complaint = invalidValue(first) ?? {
    what: first.replace(/\.$/, ''),
    why: reasons[code] ?? 'the command line cannot be read',
  };
  const fix =
    complaint.fix ?? fixes[code] ?? (nearest === undefined ? `see ${help}` : `did you mean ${nearest}?`);
  return new DynoLoadError('USAGE', { ...complaint, fix });
}

const reasons: Readonly<Record<string, string>> = {
  'commander.unknownOption': 'this command has no such option',
  'commander.unknownCommand': 'dyno-load has no such command',
  'commander.missingArgument': 'the command does not know what to work on without it',
  'commander.excessArguments':
    'each name or path is one argument: one with spaces needs quotes, and a pattern like orders/* may stand for several',
  'commander.optionMissingArgument': 'the option stands for nothing without a value',
  'commander.conflictingOption': 'the two ask for different things',
};

const fixes: Readonly<Record<string, string>> = {
  'commander.excessArguments':
    'quote it, or name one; for an earlier run the folder that holds the runs will do, of which the newest is taken',
};

/** `option '--seed <number>' argument 'x' is invalid. It must be a whole number – for example 1.` */
function invalidValue(text: string): Complaint | undefined {
  const [, option = '', value = '', reason = ''] =
    /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. ?(.*)$/.exec(text) ?? [];
  if (option === '') return undefined;
  const [why = '', example] = reason.replace(/\.$/, '').split(' – for example ');
  return {
    what: `${option} is "${value}"`,
    why: why.charAt(0).toLowerCase() + why.slice(1),
    ...(example === undefined ? {} : { fix: `write for example ${option} ${example}` }),
  };
}
