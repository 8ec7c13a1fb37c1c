/** Values of OVSDB as JSON (RFC 7047, section 5.1), and the plain values that the rest works with. */

export type Atom = string | number | boolean | readonly ['uuid' | 'named-uuid', string]
export type OvsdbValue =
  | Atom
  | readonly ['set', readonly Atom[]]
  | readonly ['map', readonly (readonly [Atom, Atom])[]]

/** A row as the server sends it. */
export type OvsdbRow = Readonly<Record<string, OvsdbValue>>

/**
 * The type of a column:
 * - `one`: exactly one value
 * - `optional`: one value or none
 * - `set`, `map`
 * `to` is the table to whose rows the values refer.
 */
export interface Column {
  readonly type: 'string' | 'integer' | 'boolean' | 'uuid'
  readonly holds: 'one' | 'optional' | 'set' | 'map'
  readonly to?: string
}

type Scalar<C extends Column> = C['type'] extends 'integer'
  ? number
  : C['type'] extends 'boolean'
    ? boolean
    : string

/** The plain value of a column; a reference is a text. */
export type Plain<C extends Column> = C['holds'] extends 'one'
  ? Scalar<C>
  : C['holds'] extends 'optional'
    ? Scalar<C> | null
    : C['holds'] extends 'set'
      ? readonly Scalar<C>[]
      : Readonly<Record<string, string>>

export type AnyPlain =
  | string
  | number
  | boolean
  | null
  | readonly (string | number | boolean)[]
  | PlainMap
export type PlainMap = Readonly<Record<string, string>>

const isTagged = <T extends string>(value: unknown, tag: T): value is readonly [T, unknown] =>
  Array.isArray(value) && value.length === 2 && value[0] === tag

const plainAtom = (atom: Atom): string | number | boolean =>
  typeof atom === 'object' ? atom[1] : atom

/** Sets have an order here, so that equal sets are equal texts. */
const sorted = (values: readonly (string | number | boolean)[]) =>
  [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))

/** @throws Error for a value that does not fit the column */
export function plainOf({ holds }: Column, value: OvsdbValue): AnyPlain {
  if (holds === 'map') {
    if (!isTagged(value, 'map')) throw new Error('OVSDB sent another value than a map')
    return Object.fromEntries(
      (value[1] as [Atom, Atom][]).map(([key, of]) => [
        String(plainAtom(key)),
        String(plainAtom(of)),
      ]),
    )
  }
  const atoms = isTagged(value, 'set') ? (value[1] as Atom[]) : [value as Atom]
  if (holds === 'set') return sorted(atoms.map(plainAtom))
  if (atoms.length > 1) throw new Error('OVSDB sent several values for one')
  const [atom] = atoms
  return atom === undefined ? null : plainAtom(atom)
}

/** @param refer the reference to a row, by the text that stands for it */
export function ovsdbOf(
  { type, holds }: Column,
  plain: AnyPlain,
  refer: (text: string) => Atom,
): OvsdbValue {
  const atomOf = (one: string | number | boolean): Atom =>
    type === 'uuid' ? refer(String(one)) : one
  if (holds === 'map') return ['map', Object.entries(plain as PlainMap)]
  if (holds === 'one') return atomOf(plain as string)
  if (plain === null) return ['set', []]
  return ['set', (Array.isArray(plain) ? plain : [plain]).map(atomOf)]
}

/** Whether two plain values of a column are the same. Sets may be in any order. */
export function isSamePlain({ holds }: Column, a: AnyPlain, b: AnyPlain): boolean {
  if (holds === 'set') {
    const [left, right] = [sorted(a as string[]), sorted(b as string[])]
    return left.length === right.length && left.every((value, at) => value === right[at])
  }
  if (holds === 'map') {
    const [left, right] = [a as PlainMap, b as PlainMap]
    const keys = Object.keys(left)
    return (
      keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key])
    )
  }
  return a === b
}

const defaults = { string: '', integer: 0, boolean: false, uuid: '' } as const

/** The value of a column in a row that does not have it. Servers leave such values out of new rows. */
export function defaultOf({ type, holds }: Column): AnyPlain {
  if (holds === 'set') return []
  if (holds === 'map') return {}
  return holds === 'optional' ? null : defaults[type]
}
