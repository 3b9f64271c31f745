// Where a key lies in the hash range. DynamoDB's own hash is not published; ours is a salted 64-bit mix, so
// that the salt can be varied to ask how much of an answer is luck of placement. Which partition owns a
// position is the partition map's matter.
import { hashText, type StreamKey, streamKey } from '../prng.ts';

/**
 * Positions are whole numbers in 0 … HASH_RANGE − 1: the first 53 of the 64 bits, which a number holds
 * exactly.
 */
export const HASH_RANGE = 2 ** 53;

/** Two 32-bit words that decide where every key falls. */
export type PlacementSalt = StreamKey;

/**
 * The salt of a run, or of one of the further placements tried after it.
 * @param index  0: the placement that the run itself uses; 1, 2, …: others
 */
export function placementSalt(seed: number, index = 0): PlacementSalt {
  return streamKey(seed, index === 0 ? 'placement' : `placement/${index}`);
}

/**
 * Position of a key in the hash range.
 * @param keyText  the typed text of the partition key (several attributes joined), equal only for equal keys
 */
export function keyPosition(keyText: string, salt: PlacementSalt): number {
  return hashText(keyText, salt.high) * 2 ** 21 + (hashText(keyText, salt.low) >>> 11);
}

/**
 * Position of the n-th key under even placement: keys take the partitions in turn, and within a partition
 * they halve the remaining gaps (van der Corput's sequence), so that a later cut of the partition separates
 * them evenly too.
 */
export function evenPosition(keyIndex: number, partitionCount: number): number {
  const partition = keyIndex % partitionCount;
  const within = reversedBits(Math.floor(keyIndex / partitionCount));
  // Rounded up as the borders of partitions are, so that a partition's first position is its own.
  return Math.ceil(((partition + within) / partitionCount) * HASH_RANGE);
}

/** The bits of a whole number mirrored at the binary point, in [0, 1). */
function reversedBits(value: number): number {
  let fraction = 0;
  let weight = 0.5;
  for (let rest = value; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) fraction += weight;
    weight /= 2;
  }
  return fraction;
}
