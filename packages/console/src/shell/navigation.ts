import { useRouterState, type RouterHistory } from '@tanstack/react-router'
import { closeOverlay } from '../page/overlays.ts'

let pushed = false

/** Remembers how the shown page was reached: a panel slides in only if the user has opened it. */
export function watchNavigation(history: RouterHistory): void {
  history.subscribe(({ action }) => {
    closeOverlay()
    pushed = action.type === 'PUSH' || action.type === 'REPLACE'
  })
}

/** Whether the last navigation was a step inside the app, not a page load, back or forward. */
export const wasNavigatedTo = (): boolean => pushed

/** Whether another page is being loaded and the shown one is about to go. */
export const useIsLeaving = (): boolean =>
  useRouterState({
    select: ({ isLoading, location, resolvedLocation }) =>
      isLoading && location.pathname !== resolvedLocation?.pathname,
  })

let visited: string[] = []

/** Notes that a page has been opened. @returns whether it is the first one since they were taken */
export const noteVisit = (pathname: string): boolean => visited.push(pathname) === 1

/** The paths of the pages that were opened since this was last called. */
export function takeVisits(): string[] {
  const paths = visited
  visited = []
  return paths
}
