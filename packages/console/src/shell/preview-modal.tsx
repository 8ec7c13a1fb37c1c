import { Modal, ModalFooter } from '../ui/modal.tsx'
import { ExternalLink } from '../ui/link.tsx'
import { Mono } from '../ui/text.tsx'
import { demoPassword } from '../identity/session/demo.ts'
import { closeOverlay } from '../page/overlays.ts'

/** Explains the demo and its limits. */
export function PreviewModal() {
  return (
    <Modal
      title="Console Technical Preview"
      onDismiss={closeOverlay}
      footer={
        <ModalFooter
          cancelText={false}
          actionText="Close"
          onDismiss={closeOverlay}
          onAction={closeOverlay}
        />
      }
    >
      <p>
        This console talks to a control plane that runs inside your browser, with a simulated rack.
        Changes last while you move around in the console, are visible only to you, and are gone
        when you reload the page.
      </p>
      <p className="mt-2">
        The rules are those of the real control plane; machines, networks and measurements are
        simulated.
      </p>
      <p className="mt-2">
        If you sign out, sign in again as <Mono>admin</Mono> with the password{' '}
        <Mono>{demoPassword}</Mono>.
      </p>
      <p className="mt-2">
        <ExternalLink href="/gallery/">Components of the console</ExternalLink>
      </p>
    </Modal>
  )
}
