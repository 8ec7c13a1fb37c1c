/** Semantics of conditions, for the evaluator and for stores of series. */
import { parseAddress } from '@steading/api/rules'
import type { Comparison, FieldCondition, FieldType, FieldValue, SeriesKey } from './model.ts'
import { type RegularExpression, regularExpression } from './regular-expression.ts'

export type Comparable = string | number | bigint | boolean

/** Numbers compare with big integers by exact value; text compares by UTF-16 units. */
export function compare(comparison: Comparison, a: Comparable, b: Comparable): boolean {
  switch (comparison) {
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    case '!=':
      return !equal(a, b)
    default:
      return equal(a, b)
  }
}

const equal = (a: Comparable, b: Comparable): boolean =>
  typeof a === 'number' && typeof b === 'bigint' ? Number.isInteger(a) && BigInt(a) === b : a === b

/** An address as text in sort order: IPv4 first, then by number. */
function sortableAddress(text: string): string {
  const address = parseAddress(text)
  return address ? `${address.version}${address.value.toString(16).padStart(32, '0')}` : text
}

/**
 * Whether a field value meets the condition.
 * @param compile compiles regular expressions, for reuse
 */
export function conditionTest(
  { comparison, value }: { comparison: Comparison; value: Comparable },
  type?: FieldType,
  compile: (pattern: string) => RegularExpression = regularExpression,
): (value: FieldValue | undefined) => boolean {
  if (comparison === '~=') {
    const matches = compile(String(value))
    return (found) => typeof found === 'string' && matches(found)
  }
  if (type === 'ip_addr') {
    const wanted = sortableAddress(String(value))
    return (found) =>
      found !== undefined && compare(comparison, sortableAddress(String(found)), wanted)
  }
  return (found) => found !== undefined && compare(comparison, found, value)
}

/**
 * Filters series by conditions, for stores without an index. A series without a field meets no
 * condition on it.
 */
export function meetsAll(
  conditions: readonly FieldCondition[],
): (fields: SeriesKey['fields']) => boolean {
  const tests = conditions.map((one) => {
    const { field, matches } = one
    return { field, test: conditionTest(one, undefined, matches && (() => matches)) }
  })
  return (fields) => tests.every(({ field, test }) => test(fields[field]))
}

/** A text that is equal for two keys if and only if they identify the same series. */
export function seriesId({ name, fields }: SeriesKey): string {
  const parts = Object.keys(fields)
    .toSorted()
    .map((field) => [field, fields[field]])
  return JSON.stringify([name, parts])
}
