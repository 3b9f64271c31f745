// run.json from outside: its JSON Schema for other tools, and the one way by which a file becomes a
// RunResult. Reads no file itself.
import * as z from 'zod';
import { DynoLoadError } from '../errors.ts';
import { RUN_SCHEMA_VERSION, type RunResult, runResultSchema } from './run-result.ts';

/** Problems named in an error; more would hide the first. */
const MOST_PROBLEMS = 5;

/** The JSON Schema (draft 2020-12) of run.json, as published in `src/analysis/run.schema.json`. */
export function runJsonSchema(): object {
  return {
    ...z.toJSONSchema(runResultSchema),
    title: `dyno-load run.json, schema version ${RUN_SCHEMA_VERSION}`,
  };
}

/**
 * The record of a run from parsed JSON.
 * @param source  where it came from, for the error, for example the path of the file
 * @throws DynoLoadError RUN_FOLDER_INVALID with the first problems in words; also where a newer dyno-load
 *   wrote it
 */
export function parseRunResult(value: unknown, source = 'run.json'): RunResult {
  const version = schemaVersionOf(value);
  if (version !== undefined && version > RUN_SCHEMA_VERSION) throw newerVersion(version, source);
  const parsed = runResultSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${placeOf(issue.path)}: ${issue.message}`);
  const more = problems.length > MOST_PROBLEMS ? [`and ${problems.length - MOST_PROBLEMS} more`] : [];
  const told = [...problems.slice(0, MOST_PROBLEMS), ...more].join('; ');
  throw new DynoLoadError('RUN_FOLDER_INVALID', {
    what: `${source} is not the record of a run: ${told}`,
    why: 'it was edited, cut short, or written by another program',
    fix: 'run the scenario again, or restore the file',
    cause: parsed.error,
  });
}

function newerVersion(version: number, source: string): DynoLoadError {
  return new DynoLoadError('RUN_FOLDER_INVALID', {
    what: `${source} has schema version ${version}, and this dyno-load reads up to ${RUN_SCHEMA_VERSION}`,
    why: 'a newer dyno-load wrote it, and reading it by the old rules could mislead',
    fix: 'update dyno-load',
  });
}

function schemaVersionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('schemaVersion' in value)) return undefined;
  return typeof value.schemaVersion === 'number' ? value.schemaVersion : undefined;
}

/** `variants[0].workloads[1].measured`, or `the file` for the whole. */
function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the file';
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}${text && '.'}${String(part)}`),
    '',
  );
}
