import { type OperationId, operationTable, ParseError, parseQuery } from '@steading/api'
import { fail } from './errors.ts'

/** Parameters of a list that affect neither the selection nor the order of its rows. */
const elsewhere: ReadonlySet<string> = new Set([
  'limit',
  'page_token',
  'count_by',
  'with',
  'project',
  'vpc',
  'router',
  'silo',
])

/**
 * Checks query parameters of a list that came in a body.
 * @param field the path of the parameters in the body, for messages
 * @param without further parameters that are refused
 * @throws ApiError 400 for a parameter or a value that the list would refuse
 */
export function parseListQuery(
  operation: OperationId,
  query: Record<string, string>,
  field: string,
  without: readonly string[] = [],
): Record<string, unknown> {
  const fields = Object.fromEntries(
    Object.entries(operationTable[operation].query!).filter(
      ([name]) => !elsewhere.has(name) && !without.includes(name),
    ),
  )
  const unknown = Object.keys(query).find((parameter) => !Object.hasOwn(fields, parameter))
  if (unknown !== undefined) {
    const known = Object.keys(fields).map((name) => `\`${name}\``)
    throw fail.invalidRequest(
      `${field}: unknown query parameter \`${unknown}\`, expected one of ${known.join(', ')}`,
    )
  }
  try {
    return parseQuery(fields, new URLSearchParams(query))
  } catch (error) {
    throw error instanceof ParseError ? fail.badRequest(error.message) : error
  }
}
