/** Answers without points. */
import { collectionSeconds, durationWords } from '@steading/api/rules'
import { namesIn } from './schemas.ts'

/** Whether a query was refused only because nothing was measured. */
export const meansEmpty = (query: string, message: string): boolean =>
  /^Input tables (?:to a `group_by`|for a join operation) must not be empty/.test(message) ||
  (/\balign\b/.test(query) && message.startsWith('Input tables to a `group_by` must be aligned'))

/**
 * When something new has its first point.
 * @returns undefined if the collection interval of no metric in the query is known
 */
export function firstPointText(query: string): string | undefined {
  const seconds = Math.max(0, ...namesIn(query).map((name) => collectionSeconds(name) ?? 0))
  return seconds > 0
    ? `Measured every ${durationWords(seconds)}, so something new has its first point after ${durationWords(seconds)}.`
    : undefined
}
