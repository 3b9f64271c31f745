// Keys out of a measured variant, before anything is made of it: findings, reports and comparisons then know the
// replacements alone. Equal keys stay equal, so that what is hot can still be followed.
import type { MeasuredVariant } from './analyze-run.ts';
import type { ResourceResult } from './run-result.ts';

/** Makes of a key a short text that is the same for the same key. */
export type KeyHash = (key: string) => string;

/** The variant with every key replaced by its hash. */
export function redactKeys(variant: MeasuredVariant, hash: KeyHash): MeasuredVariant {
  const { contributorInsights, shadow } = variant;
  return {
    ...variant,
    resources: variant.resources.map((resource) => redactResource(resource, hash)),
    ...(shadow === undefined
      ? {}
      : { shadow: { ...shadow, resources: shadow.resources.map((one) => redactResource(one, hash)) } }),
    ...(contributorInsights === undefined
      ? {}
      : {
          contributorInsights: {
            ...contributorInsights,
            rules: contributorInsights.rules.map((rule) => ({
              ...rule,
              contributors: rule.contributors.map((one) => ({ ...one, keys: one.keys.map(hash) })),
            })),
          },
        }),
  };
}

function redactResource(resource: ResourceResult, hash: KeyHash): ResourceResult {
  const { heat } = resource;
  return {
    ...resource,
    keys: resource.keys.map((row) => ({ ...row, key: hash(row.key) })),
    ...(heat === undefined
      ? {}
      : { heat: { ...heat, keys: heat.keys.map((row) => ({ ...row, key: hash(row.key) })) } }),
  };
}
