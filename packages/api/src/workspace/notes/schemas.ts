import { boolean, dateTime, list, record, string, text, uint, uuid } from '../../schema.ts'
import { NOTE_MAX, noteProblem } from './rules.ts'

const NoteText = text(NOTE_MAX, {}, noteProblem)

/** Null for operators of another silo, and for callers who may not list users. */
const author = record('NoteAuthor', { id: uuid, name: string }).nullable()

export const NoteReplace = record('NoteReplace', {
  /** Markdown; empty removes the note, and keeps its versions. */
  text: NoteText,
})

export const Note = record('Note', {
  /** Markdown; empty if there is none. */
  text: string,
  /** Number of its version, from one; zero if there never was a note. */
  version: uint,
  author,
  time_modified: dateTime.nullable(),
  /** Whether the caller may change it: a caller who may modify the resource. */
  modifiable: boolean,
})

const version = { version: uint, author, time_modified: dateTime }

export const NoteVersion = record('NoteVersion', { ...version, text: string })

export const NoteVersions = record('NoteVersions', {
  /** The newest first. */
  items: list(
    record('NoteVersionSummary', {
      ...version,
      /** Characters. */
      length: uint,
    }),
  ),
})
