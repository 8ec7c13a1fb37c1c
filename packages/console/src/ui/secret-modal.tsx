import type { ReactNode } from 'react'
import { Banner } from './banner.tsx'
import { CopyButton } from './copy-button.tsx'
import { Modal, ModalFooter } from './modal.tsx'
import { Mono } from './text.tsx'

type SecretModalProps = {
  title: string
  /** Advice for keeping the secret. */
  notice: ReactNode
  secrets: { label: string; text: string }[]
  /** Content below the secrets. */
  children?: ReactNode
  onDismiss: () => void
}

/** Shows secrets once, to be copied. */
export const SecretModal = ({ title, notice, secrets, onDismiss, children }: SecretModalProps) => (
  <Modal
    title={title}
    width="free"
    onDismiss={onDismiss}
    footer={
      <ModalFooter
        onDismiss={onDismiss}
        actionText="Done"
        cancelText={false}
        onAction={onDismiss}
      />
    }
  >
    <div className="flex flex-col gap-4">
      <Banner>{notice}</Banner>
      {secrets.map(({ label, text }) => (
        <dl key={label} className="flex flex-col gap-1">
          <dt className="font-medium text-primary">{label}</dt>
          <dd className="flex min-w-0 items-start gap-1 rounded-control border bg-sunken px-2 py-1">
            <Mono className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap text-primary">
              {text}
            </Mono>
            <CopyButton text={text} />
          </dd>
        </dl>
      ))}
      {children}
    </div>
  </Modal>
)
