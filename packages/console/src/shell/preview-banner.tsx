import { Modal, ModalFooter } from '../ui/modal.tsx'
import { Mono } from '../ui/text.tsx'
import { setOverlay, useOverlay } from './overlays.ts'

/** Set in the demo: the password of everybody there. */
const demoPassword = import.meta.env.VITE_DEMO as string | undefined
export const isPreview = Boolean(demoPassword)
if (isPreview) document.documentElement.dataset.preview = ''

const close = () => setOverlay(null)

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
        <Modal
          title="Console Technical Preview"
          onDismiss={close}
          footer={
            <ModalFooter cancelText={false} actionText="Close" onDismiss={close} onAction={close} />
          }
        >
          <p>
            This console talks to a control plane that runs inside your browser, with a simulated
            rack. Changes last while you move around in the console, are visible to nobody else, and
            are gone when you reload the page.
          </p>
          <p className="mt-2">
            The rules are those of the real control plane; machines, networks and measurements are
            simulated.
          </p>
          <p className="mt-2">
            If you sign out, sign in again as <Mono>admin</Mono> with the password{' '}
            <Mono>{demoPassword}</Mono>.
          </p>
        </Modal>
      )}
    </>
  )
}
