import type { Native } from './ports/native.ts'

/**
 * The entity tag of an answer. It is a digest of all of it; it is only called weak because a proxy
 * may compress the answer.
 */
export const entityTagOf = (native: Pick<Native, 'sha256Of'>, text: string): string =>
  `W/"${native.sha256Of(text).slice(0, 32)}"`

/** Whether the header `if-match` or `if-none-match` has a tag. */
export const namesTag = (header: string, tag: string): boolean =>
  header.split(',').some((each) => each.trim() === tag)
