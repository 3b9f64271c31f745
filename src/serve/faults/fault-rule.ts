// The faults that a server is asked to make, as users write them: `KIND[=VALUE]:PROBABILITY[@OPERATION][/TABLE]`,
// for example `latency=200ms:0.01`, `throttle:0.05@PutItem/orders` or `drop=after:0.001`.
import { type DataApi, dataApis } from '../../dynamodb/operation.ts';
import { parseDecimal, parseDuration } from '../../units.ts';

/** What can be made to go wrong. */
export const faultKinds = ['latency', '5xx', 'throttle', 'partial', 'drop'] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Whether the request has taken effect when it fails; `either`: chance decides, half and half. */
export type FaultMoment = 'before' | 'after' | 'either';

export interface FaultRule {
  /** As it was written. */
  readonly text: string;
  readonly kind: FaultKind;
  /** How likely a request that the rule is about meets it, above 0 and up to 1. */
  readonly probability: number;
  /** How much longer the answer takes, µs; 0 for all kinds but `latency`. */
  readonly latencyUs: number;
  readonly moment: FaultMoment;
  /** The only operation that it is about; undefined: all of the data plane. */
  readonly operation: DataApi | undefined;
  /** The only table that it is about; undefined: all. */
  readonly tableName: string | undefined;
}

/** Longer than any client waits. */
const LONGEST_LATENCY_US = 3_600_000_000;

const grammar = /^([^=:@/]+)(?:=([^:@/]*))?(?::([^@/]*))?(?:@([^/]*))?(?:\/(.*))?$/;

/** A rule about a name that no table can have would silently never happen. */
const TABLE_NAME = /^[a-zA-Z0-9_.-]{3,255}$/;

/** Reads a rule. @returns what is wrong with it, as a sentence, where it is none */
export function parseFaultRule(text: string): FaultRule | string {
  const [, kindText = '', value, probabilityText, operation, tableName] = grammar.exec(text.trim()) ?? [];
  const kind = faultKinds.find((name) => name === kindText);
  if (kind === undefined)
    return `"${text}" begins with no kind of fault: it must be one of ${faultKinds.join(', ')} – for example throttle:0.05.`;
  const probability = parseDecimal(probabilityText ?? '') ?? 0;
  if (probability === 0 || probability > 1)
    return `"${text}" needs a probability above 0 and up to 1, in plain decimal digits, behind a colon – for example ${example(kind)}.`;
  const api = dataApis.find((name) => name === operation);
  if (operation !== undefined && api === undefined)
    return `"${text}" names the operation "${operation}"; faults are made in ${dataApis.join(', ')}.`;
  if (kind === 'partial' && api !== undefined && api !== 'BatchWriteItem' && api !== 'BatchGetItem')
    return `"${text}" can never happen: only BatchWriteItem and BatchGetItem are served in part.`;
  if (tableName === '')
    return `"${text}" ends with a slash: a table's name must follow – for example /orders.`;
  const details = kind === 'latency' ? latencyOf(text, value) : momentOf(text, kind, value);
  if (typeof details === 'string') return details;
  if (tableName !== undefined && !TABLE_NAME.test(tableName))
    return `"${text}" names the table "${tableName}", and no table can have that name – for example /orders.`;
  return { text: text.trim(), kind, probability, operation: api, tableName, ...details };
}

type Details = Pick<FaultRule, 'latencyUs' | 'moment'>;

function latencyOf(text: string, value: string | undefined): Details | string {
  const latencyUs = value === undefined ? undefined : parseDuration(value);
  if (latencyUs === undefined || latencyUs === 0 || latencyUs > LONGEST_LATENCY_US)
    return `"${text}" needs a time with its unit, an hour at most – for example ${example('latency')}.`;
  return { latencyUs, moment: 'before' };
}

function momentOf(text: string, kind: FaultKind, value: string | undefined): Details | string {
  if (value === undefined) return { latencyUs: 0, moment: 'either' };
  if (kind !== '5xx' && kind !== 'drop')
    return `"${text}": ${kind} takes no value – for example ${example(kind)}.`;
  if (value === 'before' || value === 'after') return { latencyUs: 0, moment: value };
  return (
    `"${text}": ${kind} takes "before" or "after", for a request that has taken effect or has not ` +
    `when it fails – for example ${kind}=after:0.01.`
  );
}

function example(kind: FaultKind): string {
  return kind === 'latency' ? 'latency=200ms:0.01' : `${kind}:0.01`;
}
