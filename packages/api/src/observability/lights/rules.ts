/** The live picture of a fleet, a silo or a sled: a storey for each unit, a light for each guest. */

/** Lights of one answer: instances and physical disks. */
export const LIGHTS_MAX = 5_000
/** Physical disks among them. */
export const DISK_LIGHTS_MAX = 1_000
/** Sleds or projects of one answer. */
export const LIGHT_UNITS_MAX = 500

/**
 * The most lights that each unit may show so that all of them together show at most `most`: units
 * below the level show everything, and the larger ones equally much.
 * @param counts the lights that each unit has
 */
export function levelOf(counts: readonly number[], most: number): number {
  let left = most
  const ascending = counts.toSorted((one, other) => one - other)
  for (const [index, count] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index))
    if (count > share) return share
    left -= count
  }
  return most
}
