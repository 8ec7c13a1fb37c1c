import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './data/api.ts'
import { currentCapabilities } from './data/capabilities.ts'
import { forgetEarlyAnswers } from './data/client.ts'
import { createConsoleRouter } from './router.ts'
import { restoreScroll } from './shell/scroll.ts'
import { prepareClipboard } from './ui/clipboard.ts'
import { expectDialog } from './ui/dialog.tsx'
import { leaveKeysToInputMethods } from './ui/keyboard/input-methods.ts'
import { loadPart, pageIsDrawn, whenDrawnAndIdle } from './ui/lazy-part.ts'
import { watchMouse } from './ui/mouse-drag.ts'
import './ui/styles.css'

/**
 * Mounts the console in an element. Hosts that answer requests themselves install their `fetch`
 * before calling this.
 */
export async function mountConsole(element: HTMLElement) {
  // Requested first, because most pages need the capabilities before any other read.
  void currentCapabilities()
  watchMouse()
  leaveKeysToInputMethods()
  void prepareClipboard()
  // The document's skeleton of the frame stays until the first page is drawn.
  const skeleton = element.innerHTML
  const root = createRoot(element)
  const router = createConsoleRouter()
  // Follows redirects of the first page; afterwards `RouterProvider` listens.
  const stopFollowing = router.history.subscribe(router.load)
  await router.load()
  stopFollowing()
  forgetEarlyAnswers()
  restoreScroll(router)
  router.subscribe('onBeforeNavigate', () => expectDialog(true))
  router.subscribe('onRendered', () => expectDialog(false))
  const { startTransition } = router
  const draw = () =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    )
  draw()
  pageIsDrawn()
  // The first change would load it as well.
  whenDrawnAndIdle()
    .then(() => loadPart(() => import('@steading/api/wire-request')))
    .catch(() => {})
  return {
    router,
    /** Clears all data and draws this or another page for another user. */
    async begin(path?: string): Promise<void> {
      // eslint-disable-next-line react/no-danger -- a part of the document
      root.render(<div dangerouslySetInnerHTML={{ __html: skeleton }} />)
      // The transition of `RouterProvider` waits until it has rendered.
      router.startTransition = startTransition
      queryClient.clear()
      if (path) router.history.replace(path)
      await router.invalidate()
      draw()
    },
  }
}
