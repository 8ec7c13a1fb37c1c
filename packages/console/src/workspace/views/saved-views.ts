import type { SavedView } from '@steading/api/client'
import { type ListedKind, byPosition } from '@steading/api/rules'
import { ApiError } from '../../data/errors.ts'
import { viewsQuery } from '../../data/views.ts'
import { createStore } from '../../ui/store.ts'

/** The part of a list's state that a view saves. */
export type ViewContent = Pick<SavedView, 'query' | 'columns'>

/** A view of a list. */
export function viewQuery(list: ListedKind, project: string | undefined, id: string) {
  const { queryKey, queryFn } = viewsQuery(list, project)
  return {
    queryKey: [...queryKey, id],
    queryFn: async () => {
      const view = (await queryFn()).items.find((one) => one.id === id)
      if (!view) throw new ApiError('viewList', 'The view no longer exists', 404)
      return view
    },
  }
}

/** Positions of moved views until the control plane has stored them all. */
export const movedViews = createStore<ReadonlyMap<string, number>>(new Map())

/** Views in order, including pending moves. */
export const inOrder = (views: SavedView[], moved: ReadonlyMap<string, number>): SavedView[] =>
  views
    .map((view) => ({ ...view, position: moved.get(view.id) ?? view.position }))
    .toSorted(byPosition)
