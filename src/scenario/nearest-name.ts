// "Did you mean": the closest of the names there are, for errors about names there are not.

/** The closest name, or undefined where none is close: at most a third of the letters may differ. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const distance = editDistance(wanted.toLowerCase(), name.toLowerCase());
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3));
    if (distance > allowed || distance >= bestDistance) continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}

/** The `fix` line for an unknown name. */
export function suggestion(wanted: string, names: readonly string[]): string {
  const nearest = nearestName(wanted, names);
  if (nearest !== undefined) return `did you mean "${nearest}"?`;
  return names.length === 0 ? 'leave it out' : `use one of ${listNames(names)}`;
}

/** Names in quotes, with commas. */
export function listNames(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

/**
 * Letters to insert, delete, replace or swap with their neighbour to get from one text to the other (optimal
 * string alignment).
 */
function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      let distance = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (isSame ? 0 : 1),
      );
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwap) distance = Math.min(distance, at(before, column - 2) + 1);
      current.push(distance);
    }
    before = previous;
    previous = current;
  }
  return at(previous, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
