import type { ResourceReference } from '@steading/api/client'
import { queryClient } from '../data/api.ts'
import { currentUserQuery } from '../data/session.ts'
import { insideOf, outerParameters, type PaletteResource, resourceAt } from './resource-pages.ts'
import { storedList, storeList } from '../ui/stored-list.ts'
import { takeVisits } from './navigation.ts'

/** A resource whose page or panel was opened in this browser. */
export type Recent = PaletteResource & Pick<ResourceReference, 'id'>

const KEPT = 10

const keyOfUser = (): string | undefined => {
  const user = queryClient.getQueryData<{ id: string }>(currentUserQuery.queryKey)
  return user && `recent-${user.id}`
}

/** Recently opened resources, latest first. */
export function recentResources(): Recent[] {
  rememberVisits()
  return stored()
}

const stored = (): Recent[] => storedList(keyOfUser()) as Recent[]

type Read = { id?: unknown; name?: unknown } | undefined
type NamedArgs = { path?: Record<string, string>; query?: Record<string, unknown> } | undefined

/** Id of the resource on a page, as read by its loader. */
function idAt({
  params,
  parameter,
}: NonNullable<ReturnType<typeof resourceAt>>): string | undefined {
  const name = params[parameter]
  const around = outerParameters.map((outer) => [
    outer,
    outer === parameter ? undefined : params[outer],
  ])
  for (const [[, args], data] of queryClient.getQueriesData<Read>({})) {
    const { path, query } = (args as NamedArgs) ?? {}
    if (path?.[parameter] !== name) continue
    if (around.some(([outer, named]) => query?.[outer!] !== named)) continue
    if (data?.name === name && typeof data?.id === 'string') return data.id
  }
  return undefined
}

/** Records resources whose pages or panels were opened since the last call. */
export const rememberVisits = (): void => takeVisits().forEach(remember)

function remember(pathname: string): void {
  const key = keyOfUser()
  const thing = resourceAt(pathname)
  const id = thing && idAt(thing)
  if (!key || !id) return
  const { kind, parameter, params } = thing
  const visited: Recent = {
    kind,
    id,
    name: params[parameter]!,
    projectName: parameter === 'project' ? null : (params.project ?? null),
    inside: insideOf(params, parameter),
  }
  const others = stored().filter((other) => other.id !== id)
  storeList(key, [visited, ...others].slice(0, KEPT))
}
