/** Notes of resources: one text in Markdown each, with its versions. */

/** Characters. */
export const NOTE_MAX = 16_384
/** Number of versions that are kept; older ones are removed. */
export const NOTE_VERSIONS_MAX = 50

/** Problem with the text of a note, or undefined. */
export const noteProblem = (note: string): string | undefined =>
  note.length > NOTE_MAX ? `note may contain at most ${NOTE_MAX} characters` : undefined
