/** Distinct names of series. */
import type { Field, ResultSeries } from './result-series.ts'

/** Name of the resource with an ID, if known. */
export type NameOfId = (id: string) => string | undefined

const resourceIds = new Set(['instance_id', 'attached_instance_id', 'disk_id', 'interface_id'])

/** Priority of a field for readers: resources, then words, numbers, and other IDs. */
function rank(field: string, { type }: Field): number {
  if (resourceIds.has(field)) return 0
  if (type === 'string') return 1
  return type === 'uuid' ? 3 : 2
}

const valueOf = (series: ResultSeries, field: string): string =>
  String(series.fields[field]?.value ?? '')

const groupsBy = (series: readonly ResultSeries[], fields: readonly string[]): number =>
  new Set(series.map((one) => JSON.stringify(fields.map((field) => valueOf(one, field))))).size

/** A minimal set of fields that distinguishes all series, most informative first. */
export function tellingFields(series: readonly ResultSeries[]): string[] {
  const all = new Map(series.flatMap(({ fields }) => Object.entries(fields)))
  const candidates = [...all]
    .toSorted(([a, one], [b, other]) => rank(a, one) - rank(b, other) || (a < b ? -1 : 1))
    .map(([field]) => field)
    .filter((field) => groupsBy(series, [field]) > 1)
  const most = groupsBy(series, candidates)
  const chosen: string[] = []
  for (const field of candidates) {
    const distinguished = groupsBy(series, chosen)
    if (distinguished === most) break
    if (groupsBy(series, [...chosen, field]) > distinguished) chosen.push(field)
  }
  // Drop earlier fields made redundant by later ones. Resources stay, except the instance of a
  // disk, which the disk implies.
  const stays = (field: string) =>
    resourceIds.has(field) && !(field === 'attached_instance_id' && chosen.includes('disk_id'))
  for (const field of chosen.filter((one) => !stays(one))) {
    const others = chosen.filter((one) => one !== field)
    if (groupsBy(series, others) === most) chosen.splice(chosen.indexOf(field), 1)
  }
  return chosen
}

const shortId = (id: string) => id.slice(0, 8)

function shown(field: string, one: Field | undefined, nameOf: NameOfId): string {
  const value = String(one?.value ?? '')
  if (one?.type === 'uuid') return nameOf(value) ?? `${field} ${shortId(value)}`
  return one?.type === 'string' && value ? value : `${field} ${value}`
}

const metricOf = ({ metric, part }: ResultSeries, withMetric: boolean): string[] => [
  ...(withMetric ? [metric] : []),
  ...(part ? [part] : []),
]

/** @returns a unique name for each series */
export function namesOf(
  series: readonly ResultSeries[],
  nameOf: NameOfId = () => undefined,
): string[] {
  const metrics = new Set(series.map(({ metric }) => metric))
  // Only series of the same metric need to be distinguished.
  const fieldsOf = new Map(
    [...metrics].map((metric) => [
      metric,
      tellingFields(series.filter((one) => one.metric === metric)),
    ]),
  )
  const taken = new Map<string, number>()
  return series.map((one) => {
    const words = [
      ...metricOf(one, metrics.size > 1),
      ...fieldsOf.get(one.metric)!.map((field) => shown(field, one.fields[field], nameOf)),
    ]
    const name = words.length > 0 ? words.join(', ') : one.metric
    const before = taken.get(name) ?? 0
    taken.set(name, before + 1)
    return before === 0 ? name : `${name} (${before + 1})`
  })
}
