// Aim: what CloudWatch's protocols write reads as what was meant, and nothing that a client sends makes them
// throw anything but errors of the client. Method: values of every kind through our own reader, a form writer
// of this file, and the SDK's readers of CBOR and XML; noise, and sound requests with a few bytes changed.
import { isDeepStrictEqual } from 'node:util';
import { AwsSmithyRpcV2CborProtocol, XmlCodec } from '@aws-sdk/core/protocols';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CborError, decodeCbor } from '../../../src/serve/cloudwatch/protocols/cbor-decode.ts';
import { encodeCbor } from '../../../src/serve/cloudwatch/protocols/cbor-encode.ts';
import { FormError, type FormValue, readForm } from '../../../src/serve/cloudwatch/protocols/query-form.ts';
import { element } from '../../../src/serve/cloudwatch/protocols/xml.ts';
import {
  Entries,
  Timestamp,
  WholeNumber,
  type WireValue,
} from '../../../src/serve/cloudwatch/wire-values.ts';
import { recordedRequests } from '../../support/cloudwatch-requests.ts';

const text = fc.string({ unit: 'binary' });
const seconds = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_000 }).map((ms) => ms / 1_000);
const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString'));

/** A value as it is written, and what a reader of CBOR is to find. */
interface Written {
  readonly value: WireValue;
  readonly read: unknown;
}

const same = (value: WireValue): Written => ({ value, read: value });

const { written } = fc.letrec<{ written: Written }>((tie) => ({
  written: fc.oneof(
    { depthSize: 'small', maxDepth: 6 },
    text.map(same),
    fc.double().map(same),
    fc.boolean().map(same),
    seconds.map((moment) => same(new Timestamp(moment))),
    fc.maxSafeNat().map((count) => ({ value: new WholeNumber(count), read: count })),
    fc.array(fc.tuple(text, fc.double())).map((pairs) => ({
      value: new Entries([...new Map(pairs)]),
      read: Object.fromEntries(pairs),
    })),
    fc.array(tie('written')).map((items) => ({
      value: items.map(({ value }) => value),
      read: items.map(({ read }) => read),
    })),
    fc.array(fc.tuple(name, tie('written'))).map((members) => ({
      value: Object.fromEntries(members.map(([key, { value }]) => [key, value])),
      read: Object.fromEntries(members.map(([key, { read }]) => [key, read])),
    })),
  ),
}));

test('a value in CBOR reads as itself', () => {
  fc.assert(
    fc.property(written, ({ value, read }) => {
      // Vitest would take a member called `constructor` for a class.
      expect(isDeepStrictEqual(decodeCbor(encodeCbor(value)), read)).toBe(true);
    }),
  );
});

/** The schema of a document: whatever is there is read. */
const DOCUMENT = 15;

test('a value in CBOR reads as itself to the SDK', () => {
  const codec = new AwsSmithyRpcV2CborProtocol({
    defaultNamespace: 'x',
    errorTypeRegistries: [],
  }).getPayloadCodec();
  const scalars = fc.oneof(text, fc.double(), fc.boolean());
  const values = fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), fc.array(scalars));
  fc.assert(
    fc.property(values, (value) => {
      // The SDK assigns members, so that this name would be a prototype.
      fc.pre(!Object.hasOwn(value, '__proto__'));
      const read: unknown = codec.createDeserializer().read(DOCUMENT, encodeCbor(value));
      expect(read).toEqual({ ...value });
    }),
  );
});

/** Characters that XML has, without white space at the ends, which the SDK's reader takes away. */
const xmlText = text
  .map((raw) => raw.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '').trim())
  .filter((kept) => kept !== '');

test('a text in XML reads as itself to the SDK', async () => {
  const timestampFormat = { useTrait: true, default: 5 } as const;
  const codec = new XmlCodec({ timestampFormat, xmlNamespace: 'urn:x', serviceNamespace: 'x' });
  await fc.assert(
    fc.asyncProperty(xmlText, async (value) => {
      const bytes = Buffer.from(element('x', { a: value, b: [value] }));
      expect(await codec.createDeserializer().read(DOCUMENT, bytes)).toEqual({
        a: value,
        b: { member: value },
      });
    }),
  );
});

test('any text in XML is well-formed: no control character, no stray sign', () => {
  fc.assert(
    fc.property(text, (value) => {
      const content = element('x', value).slice(3, -4);
      expect(content).not.toMatch(/[<>"\r]|&(?!(?:amp|lt|gt|quot|#xD);)/);
      expect(content).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u);
    }),
  );
});

/** Parameters as the protocol wants them; an empty list is an empty text. */
function parametersOf(value: FormValue, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (isList(value)) {
    if (value.length === 0) return [[path, '']];
    return value.flatMap((each, at) => parametersOf(each, `${path}.member.${at + 1}`));
  }
  return Object.entries(value).flatMap(([member, each]) => parametersOf(each, `${path}.${member}`));
}

function isList(value: FormValue): value is readonly FormValue[] {
  return Array.isArray(value);
}

const memberName = fc.stringMatching(/^[A-Z][A-Za-z]{0,10}$/);
const { formValue } = fc.letrec<{ formValue: FormValue }>((tie) => ({
  formValue: fc.oneof(
    { depthSize: 'small', maxDepth: 6 },
    text.filter((value) => !/\p{Surrogate}/u.test(value)),
    fc.array(tie('formValue'), { minLength: 1, maxLength: 12 }),
    fc.dictionary(memberName, tie('formValue'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
  ),
}));

test('input in a form reads as itself, in whatever order its parameters come', () => {
  fc.assert(
    fc.property(fc.dictionary(memberName, formValue, { noNullPrototype: true }), fc.nat(), (input, turn) => {
      const parameters = Object.entries(input).flatMap(([member, value]) => parametersOf(value, member));
      const at = turn % (parameters.length + 1);
      const turned = [...parameters.slice(at), ...parameters.slice(0, at)];
      const form = turned.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
      expect(readForm(Buffer.from(form))).toEqual(input);
    }),
  );
});

/** Bytes out of nowhere, or a request with some of its bytes changed, taken out or repeated. */
function damaged(bodies: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const noise = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));
  const changed = fc
    .tuple(
      fc.constantFrom(...bodies),
      fc.array(fc.tuple(fc.nat(500), fc.nat(255), fc.nat(3)), { maxLength: 6 }),
    )
    .map(([body, changes]) =>
      changes.reduce((bytes, [place, byte, kind]) => {
        const at = place % bytes.length;
        const put = kind === 0 ? [] : kind === 1 ? [byte] : [byte, byte];
        return Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(put),
          bytes.subarray(at + (kind < 2 ? 1 : 0)),
        ]);
      }, body),
    );
  return fc.oneof(noise, changed);
}

test.each([
  ['CBOR', decodeCbor, CborError, recordedRequests.map(({ cbor }) => cbor.body)],
  ['a form', readForm, FormError, recordedRequests.map(({ query }) => query.body)],
])('%s that is damaged is read or refused, and nothing else', (_, read, refusal, bodies) => {
  const seen = { read: 0, refused: 0 };
  fc.assert(
    fc.property(damaged(bodies), (bytes) => {
      try {
        read(bytes);
        seen.read++;
      } catch (error) {
        expect(error).toBeInstanceOf(refusal);
        seen.refused++;
      }
    }),
    { numRuns: 3_000, seed: 1 },
  );
  expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(100);
});
