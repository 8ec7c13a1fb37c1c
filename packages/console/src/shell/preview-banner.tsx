import { DialogPart } from '../ui/dialog.tsx'
import { lazyPart } from '../ui/lazy-part.ts'
import { closeOverlay, setOverlay, useOverlay } from '../page/overlays.ts'

// As the build says it, so that only the demo has what follows.
const isPreview = import.meta.env.VITE_DEMO !== undefined
if (isPreview) document.documentElement.dataset.preview = ''

const PreviewModal = lazyPart(() =>
  import('./preview-modal.tsx').then((module) => ({ default: module.PreviewModal })),
)

/** Says that this console runs against a control plane in the browser. */
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
      </aside>
      {overlay === 'preview' && (
        <DialogPart onDismiss={closeOverlay}>
          <PreviewModal />
        </DialogPart>
      )}
    </>
  )
}
