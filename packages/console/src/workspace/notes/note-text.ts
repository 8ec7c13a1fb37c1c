/** Words about notes. */
import type { Note } from '@steading/api/client'
import type { ListedKind } from '@steading/api/rules'

/** The resource of a note. */
export type NoteOf = { kind: ListedKind; thing: { id: string; name: string } }

/** The author of a version, unless the reader may not know the users of the silo. */
export const authorText = (author: Note['author']): string => author?.name || 'Somebody'

/** Signs of Markdown at the beginning of a line, and around words. */
const SIGNS = /^[#>*\-\s]+|[*_`]/g

/** The first line of a note with words, without the signs of Markdown. */
export function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll(SIGNS, '').trim())
  return lines.find((line) => line !== '') ?? 'Note'
}
