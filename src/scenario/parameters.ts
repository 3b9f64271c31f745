// Parameters: what a scenario varies. Here are their types, their reading, and the values that `--set` puts in their place.

/** A list of values, or named choices of anything: billing modes, projections, whole tables. */
export type Choices = readonly (string | number | boolean)[] | { readonly [label: string]: unknown };

/** Numbers widen, since `--set` takes any number; strings stay the declared ones. */
type Widen<V> = V extends number ? number : V extends boolean ? boolean : V;

/** The parameters as the scenario's functions see them: one value each; of named choices the thing that was named. */
export type Chosen<P> = {
  readonly [N in keyof P]: P[N] extends readonly (infer V)[] ? Widen<V> : P[N][keyof P[N]];
};
