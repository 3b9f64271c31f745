// The types of a request's members. A body that passes has the shape that the rest of the server is typed
// for; members that DynamoDB does not know, and those that are null, are taken out.
import { validationError } from '../../dynamodb/api-error.ts';
import { conformItem, conformValues } from './attribute-values.ts';
import { type JsonObject, jsonObject, serializationError, wrongScalar } from './json-types.ts';
import type { ManyShape, Shape, StructureShape } from './shape.ts';

/**
 * Brings a parsed JSON value into a shape; changes the value in place, which belongs to the request alone.
 * @throws ApiError SerializationException for a member of another type; ValidationException for one that is
 *   refused, and for malformed attribute values
 */
function conform(value: unknown, shape: Shape, name = ''): unknown {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' ? value : refuseText(value);
    case 'whole':
      return conformWhole(value, shape.type);
    case 'flag':
      return typeof value === 'boolean' ? value : refuseFlag(value);
    case 'list':
      return conformList(value, shape);
    case 'map':
      return conformMap(value, shape);
    case 'structure':
      return conformStructure(value, shape);
    case 'item':
      return conformItem(value);
    case 'values':
      return conformValues(value);
    case 'refused':
      throw validationError(`dyno-load does not support ${name}: it ${shape.advice}`);
  }
}

/** As `conform`, for the body of a request. */
export function conformStructure(value: unknown, { members }: StructureShape): JsonObject {
  const object = jsonObject(value);
  for (const name in object) {
    const member = object[name];
    const known = members.get(name);
    if (known === undefined || member === null) delete object[name];
    else if (typeof member !== 'string' || known.shape.kind !== 'text')
      object[name] = conform(member, known.shape, name);
  }
  return object;
}

function refuseText(value: unknown): never {
  throw wrongScalar(value, 'String');
}

function refuseFlag(value: unknown): never {
  if (typeof value === 'string') throw serializationError('Unexpected token received from parser');
  throw wrongScalar(value, 'Boolean');
}

function conformWhole(value: unknown, type: string): number {
  if (typeof value !== 'number') throw wrongScalar(value, type);
  return Math.floor(value);
}

function conformList(value: unknown, { of }: ManyShape): unknown {
  if (!Array.isArray(value)) {
    throw serializationError(
      typeof value === 'object'
        ? 'Start of structure or map found where not expected'
        : 'Unexpected field type',
    );
  }
  const list: unknown[] = value;
  for (let index = 0; index < list.length; index++) {
    // A list of structures with a hole in it is taken as if the structure were empty.
    list[index] = list[index] === null && of.kind !== 'text' ? conform({}, of) : conform(list[index], of);
  }
  return list;
}

function conformMap(value: unknown, { of }: ManyShape): unknown {
  const object = jsonObject(value);
  for (const name in object) {
    if (object[name] === null) delete object[name];
    else object[name] = conform(object[name], of, name);
  }
  return object;
}
