/**
 * Data that clients parse from the messages of `errors.ts`. Separate, because every page of the
 * console needs it, and few need the table of errors.
 */
import type { ResourceTypeName } from './errors.ts'

/** Kind and name or id in the message of `alreadyExists`, `notFoundByName` or `notFoundById`. */
export function parseResourceError(
  message: string,
): { type: ResourceTypeName; name: string } | undefined {
  const match = /^(?:already exists:|not found:) ([^"]+?)(?: with (?:name|id))? "(.*)"$/.exec(
    message,
  )
  return match ? { type: match[1]!, name: match[2]! } : undefined
}

/** Problem with a request body, without the leading path; undefined for other messages. */
export const bodyProblem = (message: string): string | undefined =>
  /^unable to parse JSON body: (.*) at line \d+ column \d+$/.exec(message)?.[1]

/**
 * Problem with one value of a request: the text of `invalidValue` about this label.
 * @returns undefined for other messages
 */
export function invalidValueProblem(message: string, label: string): string | undefined {
  const begin = `unsupported value for "${label}": `
  return message.toLowerCase().startsWith(begin) ? message.slice(begin.length) : undefined
}
