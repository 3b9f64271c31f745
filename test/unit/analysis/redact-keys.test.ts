// Aim: no key of a measured variant survives redaction, wherever it stands. Method: one marked key in every place.
import { expect, test } from 'vitest';
import { redactKeys } from '../../../src/analysis/redact-keys.ts';
import { buildKey, buildMeasuredVariant, buildResource } from '../../support/run-result-builder.ts';

test('hides keys in resources, heat, the shadow and Contributor Insights, and keeps equal keys equal', () => {
  const resource = buildResource({
    keys: [buildKey('SECRET#1'), buildKey('SECRET#2')],
    heat: { windowSeconds: 1, keys: [{ key: 'SECRET#1', read: [], write: [1] }] },
  });
  const variant = buildMeasuredVariant({
    resources: [resource],
    shadow: { preset: 'default', constants: [], workloads: [], resources: [resource] },
    contributorInsights: {
      mode: 'accessed',
      from: '',
      until: '',
      isSettled: true,
      rules: [
        {
          name: 'rule',
          tableName: 't',
          indexName: null,
          counts: 'accessed',
          by: 'partitionAndSortKey',
          contributors: [{ keys: ['SECRET#1', 'SECRET#sort'], total: 1, highestMinute: 1, minutes: [] }],
          approximateKeyCount: 1,
        },
      ],
      notes: [],
    },
  });
  const redacted = redactKeys(variant, (key) => `hash of ${key.length} characters`);
  expect(JSON.stringify(redacted)).not.toContain('SECRET');
  const [first] = redacted.resources;
  expect(first?.keys[0]?.key).toBe(redacted.contributorInsights?.rules[0]?.contributors[0]?.keys[0]);
  expect(first?.heat?.keys[0]?.key).toBe(first?.keys[0]?.key);
});
