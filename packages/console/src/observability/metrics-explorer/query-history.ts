/** Queries run in this browser, latest first. */
import { queryClient } from '../../data/api.ts'
import { currentUserQuery } from '../../data/session.ts'
import type { QueryScope } from '../timeseries/explorer-link.ts'
import { createStore } from '../../ui/store.ts'
import { storedList, storeList } from '../../ui/stored-list.ts'

export type RanQuery = {
  query: string
  /** Null for the system. */
  project: string | null
  /** Time of the last run, in milliseconds since the epoch. */
  ranAt: number
}

const KEPT = 100

/** Each user of each silo has a separate history. */
const keyOfUser = (): string | undefined => {
  const user = queryClient.getQueryData<{ id: string; siloId: string }>(currentUserQuery.queryKey)
  return user && `queries-${user.siloId}-${user.id}`
}

const isRan = (value: unknown): value is RanQuery => {
  const { query, project, ranAt } = (value ?? {}) as Partial<RanQuery>
  return (
    typeof query === 'string' &&
    typeof ranAt === 'number' &&
    (project === null || typeof project === 'string')
  )
}

const stored = (): RanQuery[] => storedList(keyOfUser()).filter(isRan)

const changes = createStore(0)

function store(ran: readonly RanQuery[]): void {
  const key = keyOfUser()
  if (!key) return
  storeList(key, ran.slice(0, KEPT))
  changes.set(changes.get() + 1)
}

const projectOf = (scope: QueryScope): string | null => (scope === 'system' ? null : scope.project)

export const isSameQuery = (a: RanQuery, b: Pick<RanQuery, 'query' | 'project'>): boolean =>
  a.query === b.query && a.project === b.project

/** A repeated query moves to the front. */
export function rememberQuery(scope: QueryScope, query: string, ranAt = Date.now()): void {
  const ran = { query, project: projectOf(scope), ranAt }
  store([ran, ...stored().filter((one) => !isSameQuery(one, ran))])
}

export const forgetQuery = (query: RanQuery): void =>
  store(stored().filter((one) => !isSameQuery(one, query)))

/** Removes the queries of a scope. */
export const forgetQueries = (scope: QueryScope): void =>
  store(stored().filter(({ project }) => project !== projectOf(scope)))

/** The queries of a scope that contain all words. */
export function ranQueries(scope: QueryScope, search = ''): RanQuery[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return stored().filter(
    ({ query, project }) =>
      project === projectOf(scope) && words.every((word) => query.toLowerCase().includes(word)),
  )
}

/** Subscribes to changes of the history on this page. */
export function useRanQueries(scope: QueryScope, search: string): RanQuery[] {
  changes.useValue()
  return ranQueries(scope, search)
}
