/** Validates ready-made dashboards against the language and the metrics. */
import { timeseriesByName } from '@steading/api'
import { CHART_QUERY_MAX, CHART_TITLE_MAX, dashboardVariables } from '@steading/api/rules'
import { fillVariables, type Operation, parse, type Query } from '@steading/oxql/syntax'
import { expect, test } from 'vitest'
import { readyMadeNames } from '../../src/observability/dashboards/queries.ts'
import { readyMade, readyMadeFor } from '../../src/observability/dashboards/ready-made.ts'
import { timedQuery } from '../../src/observability/timeseries/timed-query.ts'

const ID = '11111111-2222-4333-8444-555555555555'

const operationsOf = ({ operations }: Query): Operation[] =>
  operations.flatMap((one) =>
    one.kind === 'group' ? one.queries.flatMap((query) => operationsOf(query)) : [one],
  )

test.each(
  readyMade.flatMap(({ id, source, charts }) => charts.map((chart) => ({ id, source, ...chart }))),
)('$id: $title asks for what there is', ({ source, title, query }) => {
  expect(title.length).toBeLessThanOrEqual(CHART_TITLE_MAX)
  expect(query.length).toBeLessThanOrEqual(CHART_QUERY_MAX)
  const values = Object.fromEntries(dashboardVariables[source].map((name) => [name, ID]))
  const filled = fillVariables(query, values)
  expect(timedQuery(filled, { from: 0, to: 1000 }).isTimed).toBe(true)
  for (const operation of operationsOf(parse(filled))) {
    if (operation.kind !== 'get') continue
    const schema = timeseriesByName.get(operation.name)
    expect(schema, operation.name).toBeDefined()
    const fields = schema!.fields.map(({ name }) => name)
    if (source === 'project') expect(fields).toContain('project_id')
    for (const other of operationsOf(parse(filled))) {
      if (other.kind === 'group_by') expect(fields).toEqual(expect.arrayContaining(other.fields))
    }
  }
})

test('each has an address', () => {
  for (const source of ['project', 'system'] as const) {
    expect(readyMadeFor(source).map(({ id }) => id)).toEqual(Object.keys(readyMadeNames[source]))
  }
})
