import type { SavedView } from '@steading/api/client'
import { defaultOf, type ListedKind } from '@steading/api/rules'
import { apiQuery, queryClient } from './api.ts'
import { currentCapabilities } from './capabilities.ts'

/** Value of `view` in the address for the list without a view. */
export const NO_VIEW = 'all'

/** Saved views of a list: the user's own, and the project's shared ones. */
export const viewsQuery = (list: ListedKind, project?: string) =>
  apiQuery('viewList', { query: project ? { list, project } : { list } }, { allow404: true })

/** The default view of a list, if any. */
export async function defaultView(
  list: ListedKind,
  project?: string,
): Promise<SavedView | undefined> {
  if (!(await currentCapabilities()).views) return undefined
  const query = { ...viewsQuery(list, project), revalidateIfStale: true }
  // The list opens even if its views cannot be read.
  const views = await queryClient.ensureQueryData(query).catch(() => undefined)
  return views && defaultOf(views.items)
}
