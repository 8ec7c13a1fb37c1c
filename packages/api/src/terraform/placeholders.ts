/** Placeholders in arguments that each language of shown code replaces with an expression. */

export type Placeholder = { kind: 'base64' | 'id'; name: string }

/** NUL cannot be typed. */
const marked = (kind: Placeholder['kind'], name: string) => `\0${kind}\0${name}`

/**
 * Placeholder for the Base64 of a file. The shown code reads the file itself instead of
 * containing 32 KiB.
 */
export const base64Of = (file: string): string => marked('base64', file)

/** Placeholder for the ID in the answer of an earlier step. */
export const idOf = (name: string): string => marked('id', name)

export function parsePlaceholder(text: string): Placeholder | undefined {
  const match = /^\0(base64|id)\0([^]*)$/.exec(text)
  return match ? { kind: match[1] as Placeholder['kind'], name: match[2]! } : undefined
}
