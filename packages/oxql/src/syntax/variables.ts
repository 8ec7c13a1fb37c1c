/**
 * Variables of saved queries: `$instance` stands for the ID of a thing chosen later. They are not
 * part of the language, and are replaced before a query is parsed. In strings they are plain text.
 */
import { isUuid } from '@steading/api/rules'
import type { Span } from './ast.ts'
import { printLiteral } from './print.ts'
import { tokenize } from './tokens.ts'

type Variable = Span & { name: string }

function variablesIn(text: string): Variable[] {
  const tokens = tokenize(text)
  return tokens.flatMap(({ text: sign, start }, at) => {
    const word = tokens[at + 1]
    return sign === '$' && word?.kind === 'word' && !word.spaced
      ? [{ name: word.text, start, end: word.end }]
      : []
  })
}

/** Names of the variables in a query, without duplicates. */
export const variablesOf = (text: string): string[] => [
  ...new Set(variablesIn(text).map(({ name }) => name)),
]

/**
 * Replaces variables by numbers of the same length, so that a query with variables can be parsed,
 * and errors have the right position.
 */
export function maskVariables(text: string, names: readonly string[]): string {
  let masked = text
  for (const { name, start, end } of variablesIn(text)) {
    if (!names.includes(name)) continue
    masked = masked.slice(0, start) + '1'.repeat(end - start) + masked.slice(end)
  }
  return masked
}

/**
 * Replaces variables by IDs, as literals. Variables without a value remain, so that parsing the
 * query fails there.
 * @throws Error if a value is not a UUID
 */
export function fillVariables(text: string, values: Readonly<Record<string, string>>): string {
  let filled = text
  for (const { name, start, end } of variablesIn(text).toReversed()) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) continue
    if (!isUuid(value)) throw new Error(`$${name} stands for an ID, not for ${value}`)
    filled = filled.slice(0, start) + printLiteral({ kind: 'uuid', value }) + filled.slice(end)
  }
  return filled
}
