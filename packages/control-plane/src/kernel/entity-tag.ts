import type { Native } from './ports/native.ts'

/**
 * The entity tag of an answer. It is a digest of the whole answer; it is marked as weak only
 * because a proxy may compress the answer.
 */
export const entityTagOf = (native: Pick<Native, 'sha256Of'>, text: string): string =>
  `W/"${native.sha256Of(text).slice(0, 32)}"`

/** Whether an `if-match` or `if-none-match` header contains a tag. */
export const namesTag = (header: string, tag: string): boolean =>
  header.split(',').some((each) => each.trim() === tag)
