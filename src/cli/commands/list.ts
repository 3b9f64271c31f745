// `dyno-load list`: the scenarios at hand, with the question each answers.
import { exitCodes } from '../../errors.ts';
import { validateScenario } from '../../scenario/validate.ts';
import { visibleText } from '../../report/visible-text.ts';
import type { Io } from '../io.ts';
import { loadScenario } from '../load-scenario.ts';
import { listScenarios, type ScenarioFile } from '../resolve-scenario.ts';

/** Lists names, questions and files. A scenario that cannot be loaded is listed with what is wrong. */
export async function listCommand(io: Io): Promise<number> {
  const files = await listScenarios(io.cwd);
  if (files.length === 0) io.out('There are no scenarios here.\n');
  for (const file of files) {
    const lines = [file.name, await questionOf(file), file.shownPath].map(visibleText);
    io.out(`${lines.join('\n  ')}\n`);
  }
  return exitCodes.success;
}

async function questionOf({ path, shownPath }: ScenarioFile): Promise<string> {
  try {
    return validateScenario(await loadScenario(path, { shownPath }), { file: shownPath }).question;
  } catch (error) {
    return `cannot be run: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`;
  }
}
