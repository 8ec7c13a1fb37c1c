import type { SavedView } from '@steading/api/client'
import { type ListedKind, byPosition } from '@steading/api/rules'
import { ApiError } from '../../data/errors.ts'
import { viewsQuery } from '../../data/views.ts'
import { createStore } from '../../ui/store.ts'

/** What a view keeps of a list. */
export type ViewContent = Pick<SavedView, 'query' | 'columns'>

/** One of the views of a list. */
export function viewQuery(list: ListedKind, project: string | undefined, id: string) {
  const { queryKey, queryFn } = viewsQuery(list, project)
  return {
    queryKey: [...queryKey, id],
    queryFn: async () => {
      const view = (await queryFn()).items.find((one) => one.id === id)
      if (!view) throw new ApiError('viewList', 'The view is not there any more', 404)
      return view
    },
  }
}

/** The positions of views that were moved, until the control plane has all of them. */
export const movedViews = createStore<ReadonlyMap<string, number>>(new Map())

/** Views in their order, with those that were moved where they belong now. */
export const inOrder = (views: SavedView[], moved: ReadonlyMap<string, number>): SavedView[] =>
  views
    .map((view) => ({ ...view, position: moved.get(view.id) ?? view.position }))
    .toSorted(byPosition)
