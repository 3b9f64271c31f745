// The AWS query protocol: operation and input come as a form, answers are XML. Older clients speak it.
// @see "AWS query protocol" in `smithy-lang/smithy docs/source-2.0/aws/protocols/aws-query-protocol.rst`, and the model of
//   CloudWatch in `boto/botocore botocore/data/cloudwatch/2010-08-01/service-2.json`, read 2026-11-30
import { CloudWatchError } from '../cloudwatch-error.ts';
import { Input, type ScalarReader } from '../input.ts';
import { FormError, type FormObject, readForm } from './query-form.ts';
import type { CloudWatchProtocol } from './protocol.ts';
import { element } from './xml.ts';

const VERSION = '2010-08-01';
const NAMESPACE = `http://monitoring.amazonaws.com/doc/${VERSION}/`;
const headers = { 'content-type': 'text/xml' };

const scalars: ScalarReader = {
  number: (value) => (isText(value) && decimal.test(value) ? Number(value) : undefined),
  flag: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
  seconds: (value) => (isText(value) ? secondsOf(value) : undefined),
  list: (value) => (value === '' ? [] : Array.isArray(value) ? value : undefined),
};

/** Requests as forms, answers as XML with the id of the request. */
export const queryProtocol: CloudWatchProtocol = {
  read: (body) => {
    const form = formIn(body);
    const { Action: operation, Version: version = VERSION } = form;
    if (typeof operation !== 'string')
      throw new CloudWatchError('MissingAction', 'The request has no parameter Action.');
    if (version !== VERSION)
      throw new CloudWatchError(
        'UnknownOperationException',
        `CloudWatch's version is ${VERSION}; the request is for another.`,
      );
    return { operation, input: new Input(form, scalars) };
  },
  success: (operation, output, nextRequestId) => {
    const requestId = nextRequestId();
    const content =
      element(`${operation}Result`, output) + element('ResponseMetadata', { RequestId: requestId });
    return { status: 200, headers, requestId, body: root(`${operation}Response`, content) };
  },
  failure: (error, nextRequestId) => {
    const requestId = nextRequestId();
    const { fault: Type, queryCode: Code, message: Message } = error;
    const content = element('Error', { Type, Code, Message }) + element('RequestId', requestId);
    return { status: error.status, headers, requestId, body: root('ErrorResponse', content) };
  },
};

function root(name: string, content: string): string {
  return `<${name} xmlns="${NAMESPACE}">${content}</${name}>`;
}

function formIn(body: Buffer): FormObject {
  try {
    return readForm(body);
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    throw new CloudWatchError('SerializationException', `The request body is no query: ${error.message}.`);
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

const decimal = /^[+-]?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;
const isoDate = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/;

/** Seconds since 1970 of a date in ISO 8601; in UTC where it does not say. */
function secondsOf(text: string): number | undefined {
  const [, date, fraction = '', zone = 'Z'] = isoDate.exec(text) ?? [];
  const ms = date === undefined ? Number.NaN : Date.parse(date + zone);
  return Number.isNaN(ms) ? undefined : ms / 1_000 + Number(`0${fraction}`);
}
