import type { ListedKind } from '@steading/api/rules'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/** A version of the note of a resource; the newest one is the note. */
export interface NoteVersionTable {
  thing_id: string
  /** From one. */
  version: number
  kind: ListedKind
  /** Markdown. */
  text: string
  /** The author, with their name at the time; null for a provider of users. */
  author_id: string | null
  author_name: string | null
  author_silo_id: string | null
  time_modified: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    note_version: NoteVersionTable
  }
}

export const noteTables: StoredTables = { note_version: { about: 'thing_id', noun: 'note' } }
