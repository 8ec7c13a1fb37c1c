/** Schemas of metrics, for the editor and the results of queries. */
import type { TimeseriesSchema } from '@steading/api/client'
import { valueUnits } from '@steading/api/rules'
import { highlight } from '@steading/oxql/syntax'
import { ALL_ITEMS, call } from '../../data/api.ts'
import type { QueryScope } from './explorer-link.ts'
import { longestPeriod } from './timed-query.ts'

export type Schema = Pick<
  TimeseriesSchema,
  'timeseriesName' | 'description' | 'datumType' | 'units' | 'fieldSchema'
>

/**
 * Project queries are limited to series with these fields, which makes other metrics
 * inaccessible.
 */
const ofProject = ['project_id', 'silo_id']

/**
 * Schemas of the queryable metrics. Operators read them from the control plane. Project members
 * may not, so the contract's declarations are used for them.
 */
export const schemasQuery = (scope: QueryScope) => ({
  queryKey: ['timeseriesSchemas', scope === 'system' ? 'system' : 'project'] as const,
  queryFn: scope === 'system' ? readAll : readOfProjects,
  staleTime: Infinity,
})

async function readAll(): Promise<Schema[]> {
  const schemas: Schema[] = []
  let pageToken: string | undefined
  do {
    const page = await call('systemTimeseriesSchemaList', {
      query: { limit: ALL_ITEMS, pageToken },
    })
    schemas.push(...page.items)
    pageToken = page.nextPage ?? undefined
  } while (pageToken)
  return schemas
}

async function readOfProjects(): Promise<Schema[]> {
  const { timeseriesFacts } = await import('@steading/api/timeseries')
  return timeseriesFacts
    .filter(({ fields }) => ofProject.every((name) => fields.some((field) => field.name === name)))
    .map(({ name, fields, ...fact }) => ({
      ...fact,
      timeseriesName: name,
      fieldSchema: fields,
    }))
}

export const schemaOf = (schemas: readonly Schema[], name: string): Schema | undefined =>
  schemas.find(({ timeseriesName }) => timeseriesName === name)

/** The metrics named in a query. */
export const namesIn = (text: string): string[] => [
  ...new Set(
    highlight(text)
      .filter(({ kind }) => kind === 'timeseries')
      .map(({ start, end }) => text.slice(start, end)),
  ),
]

/** Units of a query's values, for a rule; null if unknown or mixed. */
export function unitsIn(text: string, schemas: readonly Schema[]): string | null {
  const period = longestPeriod(text)
  const units = new Set(
    namesIn(text).map((name) => {
      const schema = schemaOf(schemas, name)
      return schema && valueUnits({ ...schema, name }, period)
    }),
  )
  const [only] = units
  return units.size === 1 && only !== undefined ? only : null
}
