/**
 * The cached answers that a change makes stale. Loaded after the first paint, or with the first
 * change.
 */
import { camel, type MethodName } from '@steading/api/client'
import { changed } from '@steading/api/changed'
import { isUuid, type KindName, kindNames, kindTable, staleReads } from '@steading/api/rules'
import type { Query } from '@tanstack/react-query'
import { operationsOf, queryClient } from './query-client.ts'

/**
 * Resource of an event → the reads that it makes stale, and the argument that names one item.
 * Reads of other items stay: when one of fifty instances starts, the addresses of the other 49
 * must not be read again.
 */
const liveResources: Record<string, { reads: MethodName[]; argument: string }> = {}
for (const kind of kindNames) {
  const { resource } = kindTable[kind]
  // Two kinds may be views of the same items.
  const { reads: known = [] } = liveResources[resource] ?? {}
  liveResources[resource] = {
    reads: [
      ...new Set([...known, ...(operationsOf([staleReads(kind).map(camel)]) as MethodName[])]),
    ],
    argument: camel(kind),
  }
}

/** Operations whose answers a change can make stale. */
export const liveReads = Object.values(liveResources).flatMap(({ reads }) => reads)

export type Change = {
  time?: string
  resource: string
  action?: string
  resource_id?: string | null
  name?: string | null
  author?: { display_name: string } | null
}
type NamedArgs = Record<'path' | 'query', Record<string, unknown> | undefined> | undefined

/** Whether a change makes an answer stale, judged by operation and item. */
export function makesStale(
  { resource, action, resource_id, name }: Change,
  queryKey: readonly unknown[],
) {
  const live = liveResources[resource]
  if (!live) return false
  const operations = operationsOf(queryKey)
  if (!operations.some((name) => live.reads.includes(name as MethodName))) return false
  const [, args] = queryKey
  const { path, query } = (args as NamedArgs) ?? {}
  const about = path?.[live.argument] ?? path?.thing ?? query?.[live.argument]
  if (!about || (!resource_id && !name)) return true
  const isOther = about !== resource_id && about !== name
  // A change that this page makes may be known by one of the two only.
  if (isOther) return !(isUuid(String(about)) ? resource_id : name)
  // A deleted item refetches only its own page, which reports the deletion; rows go with their
  // list, and tags and notes with the item.
  return action !== 'delete' || (operations[0]!.endsWith('View') && !path?.thing)
}

const operationOf = ({
  mutationKey: [operation] = [],
}: {
  mutationKey?: readonly unknown[]
}): string => String(operation)

/** Deletions that are named after the resource whose factors, star or dismissed steps they delete. */
const leavingTheirItem: readonly string[] = [
  'userFactorsDelete',
  'starDelete',
  'dismissalDelete',
] satisfies MethodName[]

/**
 * The argument that a deletion or renaming invalidates: the only one in its path, e.g.
 * `['silo', 'guild']`.
 */
function removedBy(operation: string, args: unknown) {
  const { path, body } = (args ?? {}) as { path?: object; body?: { name?: unknown } }
  const named = Object.entries(path ?? {})
  const [thing] = named
  if (!thing || named.length > 1) return undefined
  if (leavingTheirItem.includes(operation)) return undefined
  if (operation.endsWith('Delete')) return thing
  const renames =
    operation.endsWith('Update') &&
    typeof body?.name === 'string' &&
    body.name !== thing[1] &&
    !isUuid(String(thing[1]))
  return renames ? thing : undefined
}

/** Names are ambiguous without their argument; IDs identify an item in any argument. */
const isAbout = ([name, value]: [string, unknown], [, args]: readonly unknown[]): boolean => {
  const { path, query } = (args as NamedArgs) ?? {}
  const is = ([argument, other]: [string, unknown]) =>
    other === value && (argument === name || isUuid(String(value)))
  return Object.entries({ ...path }).some(is) || Object.entries({ ...query }).some(is)
}

/**
 * Whether this page deletes or renames the item of an answer, or has done so. The event may
 * come before the answer to the change, or before the item's page is left; a read would then
 * find nothing.
 */
export const isRemovedHere = ({ queryKey, state: { dataUpdatedAt } }: Query): boolean =>
  queryClient
    .getMutationCache()
    .getAll()
    .some(({ options, state: { status, variables, submittedAt } }) => {
      // A newer answer is about another item of the same name.
      if (status === 'error' || dataUpdatedAt > submittedAt) return false
      const thing = removedBy(operationOf(options), variables)
      return thing !== undefined && isAbout(thing, queryKey)
    })

/**
 * Makes answers stale, and refetches the visible ones. A read in flight may have been answered before
 * the change, and its success would make the answer fresh again. Only the read of a visible answer
 * that has data begins anew by itself; each other read is followed by another.
 */
export function refetchStale(predicate: (query: Query) => boolean): void {
  for (const query of queryClient.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' })) {
    if (query.isActive() && query.state.data !== undefined) continue
    const again = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
    query.promise?.then(again, () => {})
  }
  void queryClient.invalidateQueries({ predicate })
}

/** After a failed deletion or renaming, refetches its item, whose events were ignored meanwhile. */
export const readAfterFailedRemovals = (): (() => void) =>
  queryClient.getMutationCache().subscribe(({ type, mutation }) => {
    if (type !== 'updated' || mutation.state.status !== 'error') return
    const thing = removedBy(operationOf(mutation.options), mutation.state.variables)
    if (!thing) return
    refetchStale(({ queryKey }) => isAbout(thing, queryKey))
  })

/** The item of a kind that a call names. */
function itemOf(kind: KindName, args: unknown): Pick<Change, 'resource_id' | 'name'> {
  const { path, query } = (args as NamedArgs) ?? {}
  const item = path?.[camel(kind)] ?? query?.[camel(kind)]
  return isUuid(String(item)) ? { resource_id: String(item) } : { name: item as string | undefined }
}

/**
 * Whether an answer is about a single item of the kind of a removed item: either about the removed
 * item, perhaps by its other name, or about an item that stays as it is.
 */
const isAboutOne = ([argument]: [string, unknown], [, args]: readonly unknown[]): boolean => {
  const { path, query } = (args as NamedArgs) ?? {}
  return [argument, 'thing'].some((name) => path?.[name] ?? query?.[name])
}

/**
 * Makes stale what a successful call of this page has changed, as declared by the operation and the
 * kinds that it changes. Control planes without events need this, and it is sooner than an event.
 * @param answer of the call
 */
export function noteChange(operation: MethodName, args: unknown, answer?: unknown): void {
  const kindsAndReads = changed[operation]
  if (!kindsAndReads) return
  const reads = kindsAndReads.map(camel)
  const [own, ...others] = kindsAndReads.filter((name): name is KindName => name in kindTable)
  const { id, name } = (answer ?? {}) as { id?: string; name?: string }
  const made = operation.endsWith('Create') && { resource_id: id, name }
  const changes = [own ?? [], others].flat().map((kind) => ({
    resource: kindTable[kind].resource,
    // Other items of its kind are as before.
    ...((kind === own && made) || itemOf(kind, args)),
  }))
  const removed = removedBy(operation, args)
  refetchStale(
    (query) =>
      (operationsOf(query.queryKey).some((name) => reads.includes(name)) ||
        changes.some((change) => makesStale(change, query.queryKey))) &&
      !(removed && (isAboutOne(removed, query.queryKey) || isAbout(removed, query.queryKey))) &&
      !isRemovedHere(query),
  )
}
