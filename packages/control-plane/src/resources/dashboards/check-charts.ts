import type { Wire } from '@steading/api'
import { dashboardMessages, type DashboardSource, dashboardVariables } from '@steading/api/rules'
import { ParseError, fillVariables, parse, variablesOf } from '@steading/oxql/syntax'
import { fail } from '../../kernel/errors.ts'

/** Any ID: whether a query can be parsed does not depend on which thing is chosen. */
const SOME_ID = '00000000-0000-4000-8000-000000000000'

/**
 * The queries of a dashboard have to be queries, once their variables are filled in.
 * @throws ApiError 400 with the place of the fault
 */
export function checkCharts(source: DashboardSource, charts: readonly Wire.DashboardChart[]): void {
  const known: readonly string[] = dashboardVariables[source]
  const values = Object.fromEntries(known.map((name) => [name, SOME_ID]))
  for (const [index, { query }] of charts.entries()) {
    const unknown = variablesOf(query).find((name) => !known.includes(name))
    const at = `charts[${index}].query`
    if (unknown) {
      throw fail.invalidRequest(`${at}: ${dashboardMessages.unknownVariable(unknown, known)}`)
    }
    try {
      parse(fillVariables(query, values))
    } catch (error) {
      if (error instanceof ParseError) throw fail.invalidRequest(`${at}: ${error.message}`)
      throw error
    }
  }
}
