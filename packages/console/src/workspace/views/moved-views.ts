import type { SavedView } from '@steading/api/client'
import { byPosition } from '@steading/api/rules'
import { createStore } from '../../ui/store.ts'

/** The positions of views that were moved, until the control plane has all of them. */
export const movedViews = createStore<ReadonlyMap<string, number>>(new Map())

/** Views in their order, with those that were moved where they belong now. */
export const inOrder = (views: SavedView[], moved: ReadonlyMap<string, number>): SavedView[] =>
  views
    .map((view) => ({ ...view, position: moved.get(view.id) ?? view.position }))
    .toSorted(byPosition)
