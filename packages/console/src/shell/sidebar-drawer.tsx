import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { closeOverlay } from '../page/overlays.ts'
import { SidebarContent, type SidebarProps } from './sidebar-content.tsx'

/** The navigation of narrow screens. */
export function SidebarDrawer(props: SidebarProps) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => !open && closeOverlay()}
      className="fixed inset-0 z-[150] bg-scrim data-entering:animate-[fade-in_140ms_ease-out]"
    >
      <Modal className="absolute inset-y-0 start-0 w-64 border-e border-line-strong bg-page">
        <Dialog aria-label="Navigation" className="flex h-full flex-col pt-2 outline-none">
          <SidebarContent {...props} narrow={false} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
