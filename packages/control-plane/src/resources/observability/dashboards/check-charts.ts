import type { Wire } from '@steading/api'
import {
  DASHBOARD_CHARTS_MAX,
  DASHBOARD_TAG_KEYS_MAX,
  dashboardMessages,
  type DashboardSource,
  dashboardVariables,
  firstRepeated,
} from '@steading/api/rules'
import { maskVariables, ParseError, parse, variablesOf } from '@steading/oxql/syntax'
import { fail } from '../../../kernel/errors.ts'

/**
 * Checks that the queries of a dashboard are valid for all values of its variables.
 * @throws ApiError 400 with the place of the fault
 */
export function checkCharts(source: DashboardSource, charts: readonly Wire.DashboardChart[]): void {
  if (charts.length > DASHBOARD_CHARTS_MAX)
    throw fail.invalidRequest(dashboardMessages.tooManyCharts)
  const known: readonly string[] = dashboardVariables[source]
  for (const [index, { query }] of charts.entries()) {
    const unknown = variablesOf(query).find((name) => !known.includes(name))
    const at = `charts[${index}].query`
    if (unknown) {
      throw fail.invalidRequest(`${at}: ${dashboardMessages.unknownVariable(unknown, known)}`)
    }
    try {
      parse(maskVariables(query, known))
    } catch (error) {
      if (error instanceof ParseError) throw fail.invalidRequest(`${at}: ${error.message}`)
      throw error
    }
  }
}

/** @throws ApiError 400 for keys of tags that are too many or given twice */
export function checkTagKeys(keys: readonly string[]): void {
  if (keys.length > DASHBOARD_TAG_KEYS_MAX) {
    throw fail.invalidRequest(dashboardMessages.tooManyTagKeys)
  }
  const twice = firstRepeated(keys)
  if (twice !== undefined) throw fail.invalidRequest(dashboardMessages.tagKeyTwice(twice))
}
