/** Text as keys of a keyboard, because a guest without an agent has no clipboard to paste from. */

/** A key to press, by its keysym of X11. */
export interface TypedKey {
  keysym: number
  /** Whether Shift is held, on a keyboard of the United States. */
  shift: boolean
}

export const SHIFT = 0xff_e1
const ENTER = 0xff_0d
const TAB = 0xff_09
/** Keysyms of characters beyond Latin-1 are their code points, with this offset. */
const UNICODE = 0x1_00_00_00
const LATIN_1_MAX = 0xff

const shifted = new Set('ABCDEFGHIJKLMNOPQRSTUVWXYZ~!@#$%^&*()_+{}|:"<>?')

function keysymOf(character: string): number {
  if (character === '\n') return ENTER
  if (character === '\t') return TAB
  const point = character.codePointAt(0)!
  return point <= LATIN_1_MAX ? point : UNICODE + point
}

/** The keys that type a text; other control characters than tabs and ends of lines are left out. */
export const keysOf = (text: string): TypedKey[] =>
  [...text.replaceAll(/\r\n?/g, '\n')]
    .filter((character) => character >= ' ' || character === '\n' || character === '\t')
    .map((character) => ({ keysym: keysymOf(character), shift: shifted.has(character) }))
