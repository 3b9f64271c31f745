// Problems of a scenario, gathered until all are known, and the one error that tells them.
import { DynoLoadError, type ErrorCode, type ErrorIssue } from '../errors.ts';

/** One problem: where it is, what is there, why that is wrong, and what to write instead. */
export interface Issue {
  /**
   * Dotted path in the scenario, for example `workloads.placeOrder.rate`; empty for the scenario as a whole.
   */
  readonly at: string;
  /** Goes on after the place, for example `is -5`. */
  readonly is: string;
  readonly why: string;
  readonly fix: string;
  /** SCENARIO_INVALID unless given. */
  readonly code?: ErrorCode;
  readonly cause?: unknown;
}

interface Found {
  readonly issue: Issue;
  readonly variants: Set<string>;
}

/** Gathers problems. One that is found in several variants is told once. */
export class IssueList {
  /** The scenario file as the user named it. */
  readonly file: string;
  readonly #found = new Map<string, Found>();
  readonly #variants = new Set<string>();
  #variant: string | undefined;

  constructor(file: string) {
    this.file = file;
  }

  /** How many different problems were found. */
  get count(): number {
    return this.#found.size;
  }

  /** What is added from now on concerns this variant; undefined: the scenario as a whole. */
  enterVariant(name: string | undefined): void {
    this.#variant = name;
    if (name !== undefined) this.#variants.add(name);
  }

  add(issue: Issue): void {
    const key = [issue.at, issue.is, issue.why, issue.fix].join('\n');
    const found = this.#found.get(key) ?? { issue, variants: new Set() };
    if (this.#variant !== undefined) found.variants.add(this.#variant);
    this.#found.set(key, found);
  }

  /** Throws what was gathered, if anything was. */
  throwIfAny(): void {
    if (this.count > 0) throw this.toError();
  }

  /** One problem as an error of its own code; several as one error that lists them. */
  toError(): DynoLoadError {
    const found = [...this.#found.values()];
    const issues = found.map((one) => this.#tell(one));
    const codes = new Set(found.map(({ issue }) => issue.code ?? 'SCENARIO_INVALID'));
    const code: ErrorCode = codes.size === 1 ? ([...codes][0] ?? 'SCENARIO_INVALID') : 'SCENARIO_INVALID';
    const [only, ...more] = issues;
    if (only && more.length === 0) return new DynoLoadError(code, { ...only, cause: found[0]?.issue.cause });
    return new DynoLoadError(code, {
      what: `${issues.length} problems in ${this.file}`,
      why: 'a scenario runs once all of it is sound',
      fix: 'correct each of them',
      issues,
    });
  }

  #tell({ issue, variants }: Found): ErrorIssue {
    const place = issue.at === '' ? this.file : `${issue.at} in ${this.file}`;
    return { what: `${place} ${issue.is}${this.#where(variants)}`, why: issue.why, fix: issue.fix };
  }

  /** Names the variants of a problem that not all variants have. */
  #where(variants: ReadonlySet<string>): string {
    if (variants.size === 0 || variants.size === this.#variants.size) return '';
    const [first, ...more] = variants;
    return ` (variant ${first}${more.length === 0 ? '' : ` and ${more.length} more`})`;
  }
}
