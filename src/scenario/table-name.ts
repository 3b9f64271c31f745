// Names of the tables that a run creates. They start with `dyno-load-`, which is what marks a table as ours
// to delete.

/**
 * Most characters of a table name; the others it may have are a-z, A-Z, 0-9, `_`, `-` and `.`.
 * @see "Naming rules and supported data types",
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html,
 *   read 2026-11-30
 */
const MAX_NAME_LENGTH = 255;

interface TableNaming {
  readonly scenarioName: string;
  readonly variantName: string;
  readonly variantIndex: number;
  /** Tells runs against one endpoint apart; empty where there is no need. */
  readonly suffix: string;
}

/**
 * `dyno-load-<scenario>-<variant>-<table>`, and the suffix if there is one. Long variants are named by their
 * number.
 */
export function tableNameFor(
  { scenarioName, variantName, variantIndex, suffix }: TableNaming,
  logicalName: string,
): string {
  const end = suffix === '' ? '' : `-${allowed(suffix)}`;
  const whole = (variant: string, scenario: string) =>
    `dyno-load-${scenario}-${variant}-${allowed(logicalName)}${end}`;
  const scenario = allowed(scenarioName);
  const name = whole(allowed(variantName), scenario);
  if (name.length <= MAX_NAME_LENGTH) return name;
  const short = `v${variantIndex}`;
  const excess = whole(short, scenario).length - MAX_NAME_LENGTH;
  return whole(short, excess > 0 ? scenario.slice(0, Math.max(1, scenario.length - excess)) : scenario);
}

/** `count=5, suffix=random` → `count-5-suffix-random`. */
function allowed(text: string): string {
  return text.replaceAll(/[^\w.]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'x';
}
