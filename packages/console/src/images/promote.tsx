import type { Image } from '@steading/api/client'
import { invalidate, useApiMutation } from '../data/api.ts'
import { Banner } from '../ui/banner.tsx'
import { TextLink } from '../ui/link.tsx'
import { Modal, ModalFooter } from '../ui/modal.tsx'
import { addToast, errorToast } from '../ui/toasts.tsx'

export const PromotionInfo = () => (
  <Banner>Once an image has been promoted it is visible to all projects in a silo</Banner>
)

/** The toast of a promoted image. */
export function promoted({ name }: Image, { link }: { link: boolean }): void {
  void invalidate('imageList', 'imageView')
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
  const promote = useApiMutation('imagePromote', {
    onSuccess: (done) => promoted(done, { link: true }),
    onError: (error) => errorToast('Could not promote image', error.message),
    onSettled: onDismiss,
  })
  return (
    <Modal
      title="Promote image"
      onDismiss={onDismiss}
      footer={
        <ModalFooter
          onDismiss={onDismiss}
          actionText="Promote"
          loading={promote.isPending}
          onAction={() => promote.mutate({ path: { image: image.id } })}
        />
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
