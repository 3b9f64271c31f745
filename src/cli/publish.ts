// Results for machines and for those who look at a pull request: files that options ask for, and in GitHub
// Actions annotations and the step summary. The report itself goes to stdout elsewhere.
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DynoLoadError } from '../errors.ts';
import { visibleText } from '../report/visible-text.ts';
import type { Io } from './io.ts';

export interface PublishOptions {
  /** Where to write JUnit XML. */
  readonly junit?: string;
  /** Where to write Markdown. */
  readonly markdown?: string;
}

export interface Publication {
  junit(): string;
  markdown(): string;
  annotations(): string;
}

/**
 * Writes what options and environment ask for. Annotations go to stderr: GitHub reads them from both streams,
 * and stdout may be JSON. A step summary that cannot be written is no reason to fail: it is said.
 * @throws DynoLoadError REPORT_UNWRITABLE for a file that an option names
 */
export async function publish(publication: Publication, options: PublishOptions, io: Io): Promise<void> {
  if (options.junit !== undefined) await writeReport(options.junit, publication.junit());
  if (options.markdown !== undefined) await writeReport(options.markdown, publication.markdown());
  if (io.command === undefined) return;
  io.command(publication.annotations());
  const summary = io.env.GITHUB_STEP_SUMMARY;
  if (summary === undefined || summary === '') return;
  try {
    await appendFile(summary, publication.markdown());
  } catch (error) {
    io.err(`The step summary could not be written: ${visibleText(messageOf(error))}\n`);
  }
}

/** Writes a report, folders included. @throws DynoLoadError REPORT_UNWRITABLE */
export async function writeReport(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (cause) {
    throw new DynoLoadError('REPORT_UNWRITABLE', {
      what: `${path} cannot be written`,
      why: messageOf(cause),
      fix: 'free space, correct the permissions, or name another file',
      cause,
    });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
