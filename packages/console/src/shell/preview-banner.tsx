import { DialogPart } from '../ui/dialog.tsx'
import { openDemoTour } from '../identity/session/demo.ts'
import { lazyPart } from '../ui/lazy-part.ts'
import { closeOverlay, setOverlay, useOverlay } from '../page/overlays.ts'

// A constant of the build, so that only the demo contains the banner.
const isPreview = import.meta.env.VITE_DEMO !== undefined

const PreviewModal = lazyPart(() =>
  import('./preview-modal.tsx').then((module) => ({ default: module.PreviewModal })),
)

/** Banner of a console whose control plane runs in the browser. */
export function PreviewBanner() {
  const overlay = useOverlay()
  if (!isPreview) return null
  return (
    <>
      <aside
        aria-label="Technical preview"
        className="fixed inset-x-0 top-0 z-[60] flex h-(--banner-height) items-center justify-center gap-2 bg-blue-surface text-blue-text"
      >
        This is a technical preview.
        <button
          type="button"
          className="font-medium underline underline-offset-2"
          onClick={() => setOverlay('preview')}
        >
          Learn more
        </button>
        <button
          type="button"
          className="font-medium underline underline-offset-2"
          onClick={openDemoTour}
        >
          Take the tour
        </button>
      </aside>
      {overlay === 'preview' && (
        <DialogPart onDismiss={closeOverlay}>
          <PreviewModal />
        </DialogPart>
      )}
    </>
  )
}
