/** Values of fields, for completion and for filters. */
import { printString } from '@steading/oxql/syntax'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { QueryScope } from './explorer-link.ts'
import { type Field, seriesOf } from './result-series.ts'
import { timeseriesQuery } from './run-query.ts'
import type { NameOfId } from './series-names.ts'
import type { Suggestion, WantedValues } from './suggestions.ts'

/** Time span of the lookup: every series measured now has a point in it. */
const RECENT = '2m'
const KEPT_MS = 60_000

const inProject = (scope: QueryScope) => (scope === 'system' ? undefined : scope.project)

/** Names of a project's instances and disks; operators see IDs. */
export function useNameOfId(scope: QueryScope, enabled = true): NameOfId {
  const project = inProject(scope)
  const query = { project, limit: ALL_ITEMS }
  const options = { enabled: enabled && project !== undefined, staleTime: KEPT_MS }
  const instances = useQuery(apiQuery('instanceList', { query }, options)).data?.items
  const disks = useQuery(apiQuery('diskList', { query }, options)).data?.items
  return useMemo(() => {
    const names = new Map(
      [...(instances ?? []), ...(disks ?? [])].map(({ id, name }) => [id, name]),
    )
    return (id) => names.get(id)
  }, [instances, disks])
}

/** The value as a literal of a query. */
export function literalOf({ type, value }: Field): string {
  if (type === 'uuid' || type === 'ip_addr') return `"${value}"`
  return type === 'string' ? printString(String(value)) : String(value)
}

const readRecent = async (scope: QueryScope, name: string, signal: AbortSignal) => {
  const query = `get ${name} | filter timestamp > @now() - ${RECENT} | last 1`
  const result = await timeseriesQuery(scope, query).queryFn({ signal })
  return seriesOf(result, []).map(({ fields }) => fields)
}

/**
 * Current values of the fields of time series. Each metric is read on demand, and serves all
 * fields for a minute.
 */
export const recentFieldsQuery = (scope: QueryScope, names: readonly string[]) => ({
  queryKey: ['timeseriesFields', scope, names] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await Promise.all(names.map((name) => readRecent(scope, name, signal)))).flat(),
  staleTime: KEPT_MS,
})

export type FoundValues = { options: readonly Suggestion[]; loading: boolean; error: unknown }

/** @param wanted undefined while no values are needed */
export function useFieldValues(scope: QueryScope, wanted: WantedValues | undefined): FoundValues {
  const nameOf = useNameOfId(scope, wanted !== undefined)
  const { data, error, isLoading } = useQuery({
    ...recentFieldsQuery(scope, wanted?.names ?? []),
    enabled: wanted !== undefined,
  })
  const field = wanted?.field
  const options = useMemo(() => {
    const found = new Map<string, Suggestion>()
    for (const fields of data ?? []) {
      const value = field === undefined ? undefined : fields[field]
      if (!value) continue
      const text = literalOf(value)
      const name = nameOf(String(value.value))
      found.set(text, { text, label: name ?? text, ...(name && { detail: String(value.value) }) })
    }
    return [...found.values()].toSorted((a, b) =>
      a.label.localeCompare(b.label, 'en', { numeric: true }),
    )
  }, [data, field, nameOf])
  return { options, loading: isLoading, error }
}
