import { useState } from 'react'
import { closeConfirmation as close, type Confirmation } from './confirm.tsx'
import { Modal, ModalFooter } from './modal.tsx'
import { errorToast } from './toasts.tsx'

export function Confirming({ confirmation }: { confirmation: Confirmation }) {
  const { title, body, action, errorTitle, danger } = confirmation
  const [loading, setLoading] = useState(false)
  const confirm = async () => {
    setLoading(true)
    try {
      await action()
    } catch (error) {
      errorToast(errorTitle, error instanceof Error ? error.message : String(error))
    }
    close()
  }
  return (
    <Modal
      title={title}
      onDismiss={close}
      footer={
        <ModalFooter
          onDismiss={close}
          actionText="Confirm"
          danger={danger}
          loading={loading}
          onAction={() => void confirm()}
        />
      }
    >
      {body}
    </Modal>
  )
}
