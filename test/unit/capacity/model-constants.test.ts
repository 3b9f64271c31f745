// Aim: every constant of the capacity model can be set, to what makes sense and to nothing else. Method:
// rows, and each constant's own default in turn.
import { describe, expect, test } from 'vitest';
import { capacityModels } from '../../../src/capacity/capacity-model.ts';
import { constantNames, parseConstant, withConstants } from '../../../src/capacity/model-constants.ts';

test('all constants can be set, and the preset is none of them', () => {
  const names = Object.keys(capacityModels.default).filter((name) => name !== 'preset');
  expect([...constantNames].sort()).toEqual(names.sort());
});

test.each(constantNames)('%s takes what the presets have, as text and as it is', (name) => {
  for (const model of Object.values(capacityModels)) {
    const constant = { [name]: model[name] };
    expect(parseConstant(name, String(model[name]))).toEqual(constant);
    expect(parseConstant(name, model[name])).toEqual(constant);
  }
});

describe('refused is', () => {
  test.each([
    ['a name that it does not know', 'burst', '2', /no constant "burst"; it has partitionWriteUnits, /],
    ['the preset', 'preset', 'default', /no constant "preset"/],
    [
      'a word for a number',
      'partitionBurstSeconds',
      'long',
      /cannot be "long": it must be a number of 0 or more/,
    ],
    ['nothing for a number', 'partitionBurstSeconds', '', /cannot be ""/],
    ['less than no time', 'splitDelaySeconds', '-1', /a number of 0 or more/],
    ['a partition that serves nothing', 'partitionWriteUnits', '0', /a number of 1 or more/],
    ['no quota at all', 'tableQuotaUnits', '0', /a number above 0/],
    ['more partitions than fit in memory', 'newTablePartitions', '1e9', /a whole number from 1 to 100000/],
    ['endless time', 'bankSeconds', 'Infinity', /cannot be "Infinity"/],
    ['half a partition', 'newTablePartitions', '1.5', /a whole number from 1 to 100000/],
    ['more than all of it', 'splitThresholdRatio', '80', /a number from 0 to 1/],
    ['a number for a switch', 'splitsForHeat', '1', /true or false/],
    ['another word', 'bankStart', 'half', /"spent" or "full"/],
    ['a list', 'bankStart', ['full'], /cannot be \["full"\]/],
    ['null', 'bankSeconds', null, /cannot be null/],
  ])('%s', (_, name, value, expected) => {
    expect(parseConstant(name, value)).toMatch(expected);
  });
});

test('constants take the place of those of a preset, which stays named', () => {
  const model = withConstants(capacityModels.pessimistic, { bankSeconds: 60 });
  expect(model).toEqual({ ...capacityModels.pessimistic, bankSeconds: 60 });
});
