// The JSON text of a request: its input as DynamoDB expects it, with fillers written out and the accounting mode added.
import type { Request, ReturnConsumedCapacity } from '../dynamodb/operation.ts';

const FILLER = '{"fillerBytes":';
// Quotes inside JSON strings are escaped, so this text can only be an attribute value that is a filler.
const everyFiller = /\{"fillerBytes":(\d+)\}/g;

let fillerText = 'x'.repeat(4_096);

/**
 * The body of a request.
 *
 * @param accounting  asked for where the input itself does not say; undefined leaves it out
 */
export function jsonBody(request: Request, accounting: ReturnConsumedCapacity | undefined): string {
  const text = JSON.stringify(request.input);
  const filled = text.includes(FILLER) ? text.replace(everyFiller, writeFiller) : text;
  if (accounting === undefined || request.input.ReturnConsumedCapacity !== undefined) return filled;
  return `{"ReturnConsumedCapacity":"${accounting}",${filled.slice(1)}`;
}

function writeFiller(_match: string, digits: string): string {
  const sizeBytes = Number(digits);
  while (fillerText.length < sizeBytes) fillerText += fillerText;
  return `{"S":"${fillerText.slice(0, sizeBytes)}"}`;
}
