/**
 * Variables of saved queries: `$instance` stands for the ID of a thing that is chosen later. They are
 * no part of the language, and are replaced before a query is parsed. In strings they are just text.
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

/** The names of the variables that a query uses, each once. */
export const variablesOf = (text: string): string[] => [
  ...new Set(variablesIn(text).map(({ name }) => name)),
]

/**
 * Puts numbers in place of variables, as long as they are, so that a query with variables can be
 * parsed, and mistakes are told at their places.
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
 * Puts IDs in place of variables, as literals. Variables without a value stay, so that parsing the
 * query fails there.
 * @throws Error if a value is no UUID
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
