import { type FieldCondition, type FieldValue, meetsAll } from '@steading/oxql'

/**
 * Series with the same name and field names. Each field is a dictionary-encoded column, so that
 * many series take little memory, and a condition is evaluated once per distinct value.
 */
export class SeriesGroup {
  readonly name: string
  /** Sorted. */
  readonly fields: readonly string[]
  readonly values: FieldValue[][]
  readonly columns: number[][]
  #rows: number
  /** Dictionary index of each value, for groups that grow. */
  readonly #places: Map<FieldValue, number>[]

  constructor(
    name: string,
    fields: readonly string[],
    values: FieldValue[][] = fields.map(() => []),
    columns: number[][] = fields.map(() => []),
    rows = 0,
  ) {
    this.#rows = rows
    this.name = name
    this.fields = fields
    this.values = values
    this.columns = columns
    this.#places = fields.map(() => new Map())
  }

  get rows(): number {
    return this.#rows
  }

  /** @returns the row of the new series */
  add(values: readonly FieldValue[]): number {
    values.forEach((value, field) => {
      const places = this.#places[field]!
      let place = places.get(value)
      if (place === undefined) {
        place = this.values[field]!.push(value) - 1
        places.set(value, place)
      }
      this.columns[field]!.push(place)
    })
    return this.#rows++
  }

  /** Field values of a series, in the order of the fields. */
  valuesOf(row: number): FieldValue[] {
    return this.fields.map((_, field) => this.values[field]![this.columns[field]![row]!]!)
  }

  fieldsOf(row: number): Record<string, FieldValue> {
    return Object.fromEntries(
      this.valuesOf(row).map((value, field) => [this.fields[field]!, value]),
    )
  }

  /** The row of a series, in a group whose rows are in the order of their `rowKey`. */
  sortedRowOf(values: readonly FieldValue[]): number | undefined {
    const wanted = rowKey(values)
    let low = 0
    let high = this.#rows
    while (low < high) {
      const middle = (low + high) >>> 1
      const key = rowKey(this.valuesOf(middle))
      if (key === wanted) return middle
      if (key < wanted) low = middle + 1
      else high = middle
    }
    return undefined
  }

  /** Rows of the series that meet all conditions, ascending. */
  matching(where: readonly FieldCondition[]): number[] {
    let rows: number[] | undefined
    for (const condition of where) {
      const field = this.fields.indexOf(condition.field)
      if (field === -1) return []
      const column = this.columns[field]!
      const test = this.#test(field, condition)
      if (!test) return []
      if (rows) {
        rows = rows.filter((row) => test(column[row]!))
      } else {
        rows = []
        for (let row = 0; row < column.length; row++) if (test(column[row]!)) rows.push(row)
      }
    }
    return rows ?? Array.from({ length: this.rows }, (_, row) => row)
  }

  /** Predicate of dictionary indexes; undefined if no value can meet the condition. */
  #test(field: number, condition: FieldCondition): ((place: number) => boolean) | undefined {
    const values = this.values[field]!
    if (condition.comparison === '==') {
      const wanted = this.#places[field]!.get(condition.value) ?? values.indexOf(condition.value)
      return wanted === -1 ? undefined : (place) => place === wanted
    }
    const meets = meetsAll([condition])
    const known: boolean[] = []
    return (place) => (known[place] ??= meets({ [condition.field]: values[place]! }))
  }
}

/** Text that identifies a series within a group, or groups with the same fields. */
export const rowKey = (values: readonly FieldValue[]): string => JSON.stringify(values)

/** Groups by name and fields. */
export class SeriesGroups {
  readonly #groups = new Map<string, Map<string, SeriesGroup>>()

  /** The group with a name and sorted fields, created if necessary. */
  group(name: string, fields: readonly string[]): SeriesGroup {
    let named = this.#groups.get(name)
    if (!named) this.#groups.set(name, (named = new Map()))
    const signature = JSON.stringify(fields)
    let group = named.get(signature)
    if (!group) named.set(signature, (group = new SeriesGroup(name, fields)))
    return group
  }

  find(name: string, fields: readonly string[]): SeriesGroup | undefined {
    return this.#groups.get(name)?.get(JSON.stringify(fields))
  }

  add(group: SeriesGroup): void {
    let named = this.#groups.get(group.name)
    if (!named) this.#groups.set(group.name, (named = new Map()))
    named.set(JSON.stringify(group.fields), group)
  }

  named(name: string): Iterable<SeriesGroup> {
    return this.#groups.get(name)?.values() ?? []
  }

  *all(): Generator<SeriesGroup> {
    for (const named of this.#groups.values()) yield* named.values()
  }
}
