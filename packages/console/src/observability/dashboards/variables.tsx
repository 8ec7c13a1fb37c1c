/** Selection of values for a dashboard's variables. */
import type { DashboardVariable } from '@steading/api/rules'
import { variablesOf } from '@steading/oxql/syntax'
import { useQuery } from '@tanstack/react-query'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { readingOf } from '../../data/reads.ts'
import type { QueryScope } from '../timeseries/explorer-link.ts'
import { Listbox } from '../../ui/form/listbox-field.tsx'
import type { Choices } from '../../ui/form/options.tsx'
import type { Chart, DashboardSearch } from './queries.ts'

const usedIn = (charts: readonly Chart[]): Set<string> =>
  new Set(charts.flatMap(({ query }) => variablesOf(query)))

type Picked = {
  name: DashboardVariable
  label: string
  /** Undefined while unknown or if there is none. */
  value: string | undefined
} & Choices

/** Values of the variables: from the address, or else the first candidate. */
export function useVariables(
  scope: QueryScope,
  charts: readonly Chart[],
  search: DashboardSearch,
): Picked[] {
  const used = usedIn(charts)
  const project = scope === 'system' ? undefined : scope.project
  const query = { project, limit: ALL_ITEMS }
  const inProject = (name: string) => ({ enabled: project !== undefined && used.has(name) })
  const instances = useQuery(apiQuery('instanceList', { query }, inProject('instance')))
  const disks = useQuery(apiQuery('diskList', { query }, inProject('disk')))
  const sleds = useQuery(
    apiQuery(
      'sledList',
      { query: { limit: ALL_ITEMS } },
      { enabled: project === undefined && used.has('sled') },
    ),
  )
  const named = (items: readonly { id: string; name: string }[] | undefined) =>
    items?.map(({ id, name }) => ({ value: id, label: name }))
  const all = [
    { name: 'instance', label: 'Instance', read: instances, options: named(instances.data?.items) },
    { name: 'disk', label: 'Disk', read: disks, options: named(disks.data?.items) },
    {
      name: 'sled',
      label: 'Sled',
      read: sleds,
      options: sleds.data?.items.map(({ id, baseboard }) => ({
        value: id,
        label: baseboard.serial,
      })),
    },
  ] as const
  return all
    .filter(({ name }) => used.has(name))
    .map(({ name, label, read, options = [] }) => {
      const asked = search[name]
      const value = options.some((one) => one.value === asked) ? asked : options[0]?.value
      return { name, label, value, options, ...readingOf(read) }
    })
}

type VariablesProps = {
  variables: readonly Picked[]
  onChoose: (name: DashboardVariable, id: string) => void
}

export const Variables = ({ variables, onChoose }: VariablesProps) =>
  variables.map(({ name, label, value, options, ...reading }) => (
    <Listbox
      key={name}
      aria-label={label}
      className="w-52"
      {...reading}
      options={options}
      value={value ?? ''}
      placeholder={`No ${label.toLowerCase()}`}
      onChange={(id) => onChoose(name, id)}
    />
  ))
