import { closeOverlay } from './overlays.ts'
import type { RouterHistory } from '@tanstack/react-router'

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
