/** Values per statement; databases limit its parameters. */
const AT_ONCE = 1_000

/** Splits a long list into pieces that fit into a statement. */
export const inPieces = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, index) =>
    all.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )
