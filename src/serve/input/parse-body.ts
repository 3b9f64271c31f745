// The text of a body as JSON.
import { isUtf8 } from 'node:buffer';
import { serializationError } from './json-types.ts';

/** @throws ApiError SerializationException where it is not JSON, which is written in UTF-8 */
export function parseBody(body: Buffer): unknown {
  // Decoding would put a replacement in place of each wrong byte, and different keys would become one.
  if (!isUtf8(body)) throw serializationError('The request body is not valid UTF-8');
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    // What the parser says quotes the body; the service says nothing at all.
    throw serializationError('The request body is not valid JSON');
  }
}
