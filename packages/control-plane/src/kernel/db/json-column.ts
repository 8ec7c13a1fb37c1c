/**
 * JSON documents in text columns. Migrations do not rewrite them, so a document may have been
 * stored by any earlier version: properties that its type has gained since are filled in when it is
 * read. Each column is declared beside its table; nothing else parses its text (a rule of the
 * linter).
 */

/** A document as an earlier version may have stored it: any property of any object may be missing. */
export type Earlier<T> = T extends readonly (infer Item)[]
  ? Earlier<Item>[]
  : T extends object
    ? { [K in keyof T]?: Earlier<T[K]> }
    : T

export interface JsonColumn<T> {
  /** @throws DamagedDocument if the text is not JSON; Error if its document cannot be completed */
  read: (text: string) => T
  write: (document: T) => string
}

/** A document is not JSON, so something else has written to the database file. */
export class DamagedDocument extends Error {
  override name = 'DamagedDocument'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new DamagedDocument('a stored document is not JSON', { cause })
  }
}

/**
 * A column with documents of a type.
 * @param complete fills in properties that documents of earlier versions lack; left out for a
 *   type that has gained none since its first version
 */
export const jsonColumn = <T>(
  complete: (found: Earlier<T>) => T = (found) => found as T,
): JsonColumn<T> => ({
  read: (text) => complete(parse(text) as Earlier<T>),
  write: (document) => JSON.stringify(document),
})
