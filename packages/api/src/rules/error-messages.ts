/**
 * What clients read out of the messages of `errors.ts`. In a file of its own, because every page of the
 * console needs it, and few need the table of errors.
 */
import type { ThingName } from './errors.ts'

/** The kind and the name or id in the message of `alreadyExists`, `notFoundByName`, `notFoundById`. */
export function thingOfError(message: string): { type: ThingName; name: string } | undefined {
  const match = /^(?:already exists:|not found:) ([^"]+?)(?: with (?:name|id))? "(.*)"$/.exec(
    message,
  )
  return match ? { type: match[1]!, name: match[2]! } : undefined
}

/** What is wrong with a request's body, after the path to it; undefined of other messages. */
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
