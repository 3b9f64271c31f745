// Aim: every constant of the model is listed with its source or as a guess, and presets differ as documented.
import { expect, test } from 'vitest';
import { capacityModels, describeModel } from '../../../src/capacity/capacity-model.ts';

test.each(Object.values(capacityModels))(
  'every constant of the preset $preset is described once',
  (model) => {
    const described = describeModel(model).map((constant) => constant.name);
    expect([...described].sort()).toEqual(Object.keys(model).sort());
  },
);

test('only constants with a source count as published', () => {
  const described = describeModel(capacityModels.default);
  const published = described.filter(({ isPublished }) => isPublished).map(({ name }) => name);
  expect(published).toEqual(described.filter(({ source }) => source !== undefined).map(({ name }) => name));
  expect(published).toContain('partitionWriteUnits');
  expect(published).not.toContain('partitionStartSeconds');
});

test('a published constant that a preset changes is no longer called published', () => {
  const bank = describeModel(capacityModels.pessimistic).find(({ name }) => name === 'bankSeconds');
  expect(bank).toMatchObject({ value: 1, unit: 's', isPublished: false });
});

test.each([
  { preset: 'default', changes: { bankStart: 'spent', eventualReadFactor: 1, splitsForHeat: true } },
  { preset: 'pessimistic', changes: { bankSeconds: 1, eventualReadFactor: 1, splitsForHeat: false } },
  { preset: 'optimistic', changes: { bankStart: 'full', eventualReadFactor: 1.5, splitsForHeat: true } },
] as const)('the preset $preset is what its name says', ({ preset, changes }) => {
  expect(capacityModels[preset]).toMatchObject({ preset, ...changes });
});
