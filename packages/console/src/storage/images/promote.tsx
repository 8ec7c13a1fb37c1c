import type { Image } from '@steading/api/client'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { Banner } from '../../ui/banner.tsx'
import { useCodeView } from '../../ui/code-view.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Modal, ModalFooter } from '../../ui/modal.tsx'
import { addToast, errorToast } from '../../ui/toasts.tsx'

export const PromotionInfo = () => (
  <Banner>Once an image has been promoted it is visible to all projects in a silo</Banner>
)

/** Refreshes lists and shows a toast after a promotion. */
export function promoted({ name }: Image, { link }: { link: boolean }): void {
  addToast({
    content: (
      <>
        Image <b>{name}</b> promoted
      </>
    ),
    link: link && <TextLink to="/images">View silo images</TextLink>,
  })
}

export function PromoteModal({ image, onDismiss }: { image: Image; onDismiss: () => void }) {
  const promote = useApiForm('imagePromote', () => ({ path: { image: image.id } }), {
    onSuccess: (done) => promoted(done, { link: true }),
    onError: (error) => errorToast('Could not promote image', error.message),
    onSettled: onDismiss,
  })
  const codeView = useCodeView(() => promote.code(undefined))
  return (
    <Modal
      title="Promote image"
      onDismiss={onDismiss}
      width={codeView.open ? 'wide' : undefined}
      above={codeView.view}
      footer={
        <ModalFooter
          onDismiss={onDismiss}
          actionText="Promote"
          loading={promote.loading}
          sends
          onAction={() => promote.onSubmit(undefined)}
        >
          {codeView.toggle}
        </ModalFooter>
      }
    >
      <div className="flex flex-col gap-4">
        <p>
          Are you sure you want to promote{' '}
          <b className="font-medium wrap-anywhere text-primary">{image.name}</b>?
        </p>
        <PromotionInfo />
      </div>
    </Modal>
  )
}
