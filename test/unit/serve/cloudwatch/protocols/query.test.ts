// Aim: forms of the query protocol are read as objects and lists, broken ones are refused in bounded time,
// and XML is well-formed whatever text is in it. Method: forms as rows with what they mean, and elements with
// what is written.
import { describe, expect, test } from 'vitest';
import { FormError, readForm } from '../../../../../src/serve/cloudwatch/protocols/query-form.ts';
import { element } from '../../../../../src/serve/cloudwatch/protocols/xml.ts';
import {
  Entries,
  Timestamp,
  WholeNumber,
  type WireValue,
} from '../../../../../src/serve/cloudwatch/wire-values.ts';

describe('a form', () => {
  test.each([
    ['without anything', '', {}],
    ['of one name', 'Action=ListMetrics', { Action: 'ListMetrics' }],
    ['with encoded text', 'a=x%2Fy+z%C3%BC%2B', { a: 'x/y zü+' }],
    ['with a sign of equality in a text', 'a=b=c', { a: 'b=c' }],
    ['with a name alone', 'a&b=', { a: '', b: '' }],
    ['with empty places', '&&a=1&', { a: '1' }],
    ['with members', 'Metric.Name=n&Metric.Unit=u', { Metric: { Name: 'n', Unit: 'u' } }],
    ['with a list', 'L.member.1=a&L.member.2=b', { L: ['a', 'b'] }],
    ['with a list in another order, with gaps', 'L.member.10=c&L.member.2=b', { L: ['b', 'c'] }],
    ['with objects in lists', 'L.member.1.N=a&L.member.1.V=b', { L: [{ N: 'a', V: 'b' }] }],
    ['with lists in lists', 'L.member.1.member.1=a', { L: [['a']] }],
    ['with members that are not numbered', 'L.member.x=a', { L: { member: { x: 'a' } } }],
    ['with a member beside others', 'L.member.1=a&L.x=b', { L: { member: { 1: 'a' }, x: 'b' } }],
    ['with encoded names', 'L%2Emember%2E1=a', { L: ['a'] }],
  ])('%s is read', (_, form, value) => {
    expect(readForm(Buffer.from(form))).toStrictEqual(value);
  });

  test.each([
    ['half an escape', 'a=%2'],
    ['an escape that is no UTF-8', 'a=%ff'],
    ['bytes that are no UTF-8', Buffer.of(0x61, 0x3d, 0xff)],
    ['a name given twice', 'a=1&a=2'],
    ['a text that has members', 'a=1&a.b=2'],
    ['members that are a text', 'a.b=1&a=2'],
    ['a name of many levels', `${'a.'.repeat(16)}a=1`],
    ['a name of millions of levels', `${'.'.repeat(5_000_000)}=1`],
    ['millions of parameters', 'a&'.repeat(2_000_000)],
    ['too many parameters of many names', Array.from({ length: 50_001 }, (_, at) => `a${at}=`).join('&')],
  ])('with %s is refused', (_, form) => {
    expect(() => readForm(Buffer.from(form))).toThrow(FormError);
  });

  test('takes names that objects inherit for what they are: names', () => {
    const value = readForm(Buffer.from('__proto__.a=1&constructor=2'));
    expect(Object.entries(value)).toEqual([
      ['__proto__', { a: '1' }],
      ['constructor', '2'],
    ]);
  });
});

describe('XML', () => {
  const rows: readonly (readonly [string, WireValue | undefined, string])[] = [
    ['a text', 'a<b>&"c"]]>', '<x>a&lt;b&gt;&amp;&quot;c&quot;]]&gt;</x>'],
    ['lines as they were', 'a\r\nb\tc', '<x>a&#xD;\nb\tc</x>'],
    ['signs for what XML cannot hold', 'a\0\x1b\ufffe\ud800b', '<x>a\ufffd\ufffd\ufffd\ufffdb</x>'],
    ['characters beyond the first plane', '𐅑', '<x>𐅑</x>'],
    ['numbers', 1.5, '<x>1.5</x>'],
    ['counts', new WholeNumber(3), '<x>3</x>'],
    ['flags', true, '<x>true</x>'],
    ['whole seconds', new Timestamp(1_767_225_600), '<x>2026-01-01T00:00:00Z</x>'],
    ['their fractions', new Timestamp(1_767_225_600.5), '<x>2026-01-01T00:00:00.500Z</x>'],
    ['lists', ['a', 'b'], '<x><member>a</member><member>b</member></x>'],
    ['empty lists', [], '<x></x>'],
    ['members, save those that are not there', { A: 'a', B: undefined, C: 1 }, '<x><A>a</A><C>1</C></x>'],
    ['pairs', new Entries([['p99', 2]]), '<x><entry><key>p99</key><value>2</value></entry></x>'],
    ['nothing for nothing', undefined, ''],
  ];
  test.each(rows)('gives %s', (_, value, xml) => {
    expect(element('x', value)).toBe(xml);
  });
});
