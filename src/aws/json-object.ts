// JSON from outside, before anything is known about it.

/** A JSON object of unknown content. */
export interface JsonObject {
  readonly [name: string]: unknown;
}

/** Whether a parsed JSON value is an object, lists and null excluded. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object in a JSON text, or undefined where the text is not JSON or not an object. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // Not JSON: the caller says so, with the place.
  }
}

/** A member that is a non-empty text, or undefined. */
export function textMember(object: JsonObject | undefined, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
