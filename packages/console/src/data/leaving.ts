/**
 * The end of a session that the user ends in this tab: what is still read then would be refused, and
 * no page shows it any more.
 */
const controller = new AbortController()

/** Aborted from then on. */
export const leaving = controller.signal

/** Gives up all that is being read. The page has to be left then. */
export function leave(): void {
  controller.abort()
  // A browser that goes back to the page as it was gets it anew.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
}
