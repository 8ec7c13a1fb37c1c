import { useState } from 'react'
import { Button } from './button.tsx'
import { CodeFrame, useCodeView } from './code-view.tsx'
import { closeConfirmation as close, type Confirmation, type Shown } from './confirm.tsx'
import { Modal, ModalFooter } from './modal.tsx'
import { errorToast } from './toasts.tsx'

/** A question before an action, or the code of one that does not ask. */
export function Confirming({ shown }: { shown: Confirmation | Shown }) {
  return 'action' in shown ? <Question {...shown} /> : <JustCode {...shown} />
}

function Question({ title, body, action, errorTitle, danger, code }: Confirmation) {
  const [loading, setLoading] = useState(false)
  const codeView = useCodeView(code)
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
      width={codeView.open ? 'wide' : undefined}
      above={codeView.view}
      footer={
        <ModalFooter
          onDismiss={close}
          actionText="Confirm"
          danger={danger}
          loading={loading}
          onAction={() => void confirm()}
        >
          {codeView.toggle}
        </ModalFooter>
      }
    >
      {body}
    </Modal>
  )
}

const JustCode = ({ title, code }: Shown) => (
  <Modal
    title={title}
    onDismiss={close}
    width="wide"
    above={<CodeFrame>{code()}</CodeFrame>}
    footer={
      <footer className="flex shrink-0 justify-end border-t bg-raised px-5 py-3">
        <Button onClick={close}>Close</Button>
      </footer>
    }
  />
)
