import type { SavedView } from '@steading/api/client'
import { defaultOf, type ListedKind } from '@steading/api/rules'
import { apiQuery, queryClient } from './api.ts'
import { currentCapabilities } from './capabilities.ts'

/** In the place of a view in the address: the list as it is without any. */
export const NO_VIEW = 'all'

/** The saved views of a list: the user's own, and those shared in the project. */
export const viewsQuery = (list: ListedKind, project?: string) =>
  apiQuery('viewList', { query: project ? { list, project } : { list } }, { allow404: true })

/** The view with which a list opens, if there is one. */
export async function defaultView(
  list: ListedKind,
  project?: string,
): Promise<SavedView | undefined> {
  if (!(await currentCapabilities()).views) return undefined
  const query = { ...viewsQuery(list, project), revalidateIfStale: true }
  // The list also opens if its views cannot be read.
  const views = await queryClient.ensureQueryData(query).catch(() => undefined)
  return views && defaultOf(views.items)
}
