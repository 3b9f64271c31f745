// Reads the form in which the query protocol sends input: `Dimensions.member.1.Name=TableName&…`. Names are
// paths through objects and lists; all values are texts.
// @see "AWS query protocol" in `smithy-lang/smithy docs/source-2.0/aws/protocols/aws-query-protocol.rst`, and requests of
//   botocore 1.34.0, read 2026-11-30
import { isUtf8 } from 'node:buffer';

/** Thrown where a body is no such form. */
export class FormError extends Error {}

/** 500 queries for metrics of 30 dimensions, the most that an operation takes, are 33,000. */
const MAX_PARAMETERS = 50_000;
/** Characters in a name; requests have about 80. */
const MAX_NAME_LENGTH = 1_000;
const MAX_LEVELS = 16;
/** The step of a path into a list. */
const MEMBER = 'member';

/** What stands at a path of a form: a text, or what has paths of its own. */
export type FormValue = string | readonly FormValue[] | FormObject;

/** Members by name, each of which may be missing. */
export interface FormObject {
  readonly [name: string]: FormValue;
}

type Tree = Map<string, Tree | string>;

/**
 * The object that a form describes. Members of a list stand in the order of their numbers, which may have gaps; an
 * empty list is an empty text.
 * @throws FormError
 */
export function readForm(body: Buffer): FormObject {
  if (!isUtf8(body)) throw new FormError('it is not UTF-8');
  const tree: Tree = new Map();
  let count = 0;
  for (const parameter of parametersIn(body.toString())) {
    count++;
    if (count > MAX_PARAMETERS) throw new FormError(`there are more than ${MAX_PARAMETERS} parameters`);
    const at = parameter.indexOf('=');
    const name = decoded(at < 0 ? parameter : parameter.slice(0, at));
    put(tree, name, at < 0 ? '' : decoded(parameter.slice(at + 1)));
  }
  return objectOf(tree);
}

/** One by one, since there may be millions in a body that is none of ours. */
function* parametersIn(text: string): Iterable<string> {
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('&', start);
    const end = found < 0 ? text.length : found;
    if (end > start) yield text.slice(start, end);
    start = end + 1;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new FormError(`${shown(text)} is not encoded as it should be`);
  }
}

function put(tree: Tree, name: string, value: string): void {
  if (name.length > MAX_NAME_LENGTH) throw new FormError(`the name ${shown(name)}… is too long`);
  const path = name.split('.');
  const last = path.pop() as string; // A split text has one part at least.
  if (path.length >= MAX_LEVELS) throw new FormError(`${shown(name)} has more than ${MAX_LEVELS} levels`);
  let at = tree;
  for (const step of path) {
    const next = at.get(step) ?? new Map<string, Tree | string>();
    if (typeof next === 'string') throw contradiction(name);
    at.set(step, next);
    at = next;
  }
  if (at.has(last)) throw contradiction(name);
  at.set(last, value);
}

function valueOf(node: Tree | string): FormValue {
  if (typeof node === 'string') return node;
  const members = node.size === 1 ? node.get(MEMBER) : undefined;
  if (!(members instanceof Map) || ![...members.keys()].every(isPlace)) return objectOf(node);
  return [...members]
    .sort(([left], [right]) => Number(left) - Number(right))
    .map(([, value]) => valueOf(value));
}

/** Defines members, whatever their names: none is taken for a prototype. */
function objectOf(tree: Tree): FormObject {
  return Object.fromEntries([...tree].map(([name, node]) => [name, valueOf(node)]));
}

function isPlace(name: string): boolean {
  return /^[1-9]\d{0,8}$/.test(name);
}

function contradiction(name: string): FormError {
  return new FormError(`the parameter ${shown(name)} is given twice, or contradicts another`);
}

/** Not more of what a client sent than an error needs. */
function shown(text: string): string {
  return text.slice(0, 100);
}
