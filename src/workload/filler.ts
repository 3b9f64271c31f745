// Sizes of strings whose content does not matter. They are counted everywhere and written out only where they
// must cross a wire.
import { DynoLoadError } from '../errors.ts';
import type { Filler } from './item.ts';

type SizeUnit = 'B' | 'KB' | 'MB';

/** A size as users write it: `300`, `'300 B'`, `'2 KB'` (2,048 bytes), `'1 MB'` (1,048,576 bytes). */
export type FillerSize = number | `${number} ${SizeUnit}` | `${number}${SizeUnit}`;

const bytesPerUnit: Readonly<Record<SizeUnit, number>> = { B: 1, KB: 1_024, MB: 1_048_576 };

// Generators call `filler` for every item; a text is read once. Emptied when computed sizes fill it.
const known = new Map<FillerSize, Filler>();
const MOST_KNOWN = 4_096;

/**
 * A string attribute of that many bytes.
 * @throws DynoLoadError SCENARIO_INVALID where it is not a size in whole bytes
 */
export function filler(size: FillerSize): Filler {
  const found = known.get(size);
  if (found !== undefined) return found;
  const made = Object.freeze({ fillerBytes: parseSize(size) });
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(size, made);
  return made;
}

function parseSize(size: FillerSize): number {
  const match = /^(\d+(?:\.\d+)?) ?(B|KB|MB)$/.exec(typeof size === 'number' ? `${size} B` : size);
  // The expression matches the three units and nothing else.
  const bytes = match ? Number(match[1]) * bytesPerUnit[match[2] as SizeUnit] : Number.NaN;
  if (Number.isSafeInteger(bytes)) return bytes;
  throw new DynoLoadError('SCENARIO_INVALID', {
    what: `filler(${JSON.stringify(size) ?? String(size)})`,
    why: 'the size is whole bytes: a number, or one with B, KB (1,024 bytes) or MB (1,048,576 bytes)',
    fix: "write for example filler('300 B'), filler('2 KB') or filler(300)",
  });
}
