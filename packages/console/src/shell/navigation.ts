import { useRouterState, type RouterHistory } from '@tanstack/react-router'
import { closeOverlay } from '../page/overlays.ts'

let pushed = false

/** Records how the current page was reached: a panel slides in only if the user opened it. */
export function watchNavigation(history: RouterHistory): void {
  history.subscribe(({ action }) => {
    closeOverlay()
    pushed = action.type === 'PUSH' || action.type === 'REPLACE'
  })
}

/** Whether the last navigation was a step inside the app, not a page load, back or forward. */
export const wasNavigatedTo = (): boolean => pushed

/** Whether another page is loading that will replace the current one. */
export const useIsLeaving = (): boolean =>
  useRouterState({
    select: ({ isLoading, location, resolvedLocation }) =>
      isLoading && location.pathname !== resolvedLocation?.pathname,
  })

let visited: string[] = []

/**
 * Records a visit.
 * @returns whether it is the first since the last `takeVisits`
 */
export const noteVisit = (pathname: string): boolean => visited.push(pathname) === 1

/** Returns and clears the paths visited since the last call. */
export function takeVisits(): string[] {
  const paths = visited
  visited = []
  return paths
}
