import type { SavedView } from '@steading/api/client'
import { type ListedKind, movedPositions, type ViewStep } from '@steading/api/rules'
import { call, queryClient, whenReread } from '../../data/api.ts'
import { viewsQuery } from '../../data/views.ts'
import { errorToast } from '../../ui/toasts.tsx'
import { inOrder, movedViews } from './saved-views.ts'

/** The latest move, sent after all previous ones. */
let newest: Promise<void> = Promise.resolve()

/** Resolves once all moves are complete: another change of a view must not overtake them. */
export const whenMovesSaved = (): Promise<void> => newest

/**
 * Moves a view of a list by one step. The step is shown at once, so that repeated key presses
 * work.
 */
export function moveView(
  kind: ListedKind,
  project: string | undefined,
  { id, name }: SavedView,
  step: ViewStep,
): void {
  // The cache rather than the menu's views, because another step may have been made since the
  // last render.
  const read = queryClient.getQueryData(viewsQuery(kind, project).queryKey) as
    | { items: SavedView[] }
    | undefined
  const views = inOrder(read?.items ?? [], movedViews.get())
  const view = views.find((each) => each.id === id)
  if (!view) return
  const moved = [...movedPositions(views, view, step)].map(
    ([each, position]) => [each.id, position] as const,
  )
  movedViews.set(new Map([...movedViews.get(), ...moved]))
  const sent: Promise<void> = newest.then(() => send(moved, name)).then(() => settle(sent))
  newest = sent
}

async function send(moved: (readonly [id: string, position: number])[], name: string) {
  try {
    for (const [id, position] of moved) {
      await call('viewUpdate', { path: { view: id }, body: { position } })
    }
  } catch (error) {
    errorToast(`Could not move view ${name}`, error instanceof Error ? error.message : '')
  }
}

/** After the latest move, the control plane has all of them. */
async function settle(sent: Promise<void>): Promise<void> {
  await whenReread()
  if (newest === sent) movedViews.set(new Map())
}
