import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { CodeFrame, useCodeView } from './code-view.tsx'
import { Modal, ModalFooter } from './modal.tsx'
import type { Calls } from './server-state.ts'
import { errorToast } from './toasts.tsx'

export type Confirmation = {
  title: string
  body: ReactNode
  /** A separate box below the question. */
  below?: ReactNode
  /** Runs on "Confirm"; the modal closes once the promise settles. */
  action: () => Promise<unknown>
  /** Title of the toast if the action fails. */
  errorTitle: string
  danger?: boolean
  /** Operation that the user's roles have to permit. */
  calls?: Calls
  /** Renders the action as code. */
  code?: () => ReactNode
}

/** The code of an action that has no confirmation. */
export type Shown = { title: string; code: () => ReactNode }

type Closing = { onClose: () => void }

/** The confirmation of an action, or the code of an action without one. */
export function Confirming({ shown, onClose }: { shown: Confirmation | Shown } & Closing) {
  return 'action' in shown ? (
    <Question {...shown} onClose={onClose} />
  ) : (
    <JustCode {...shown} onClose={onClose} />
  )
}

function Question(props: Confirmation & Closing) {
  const { title, body, below, action, errorTitle, danger, calls, code, onClose } = props
  const [loading, setLoading] = useState(false)
  const codeView = useCodeView(code)
  const confirm = async () => {
    setLoading(true)
    try {
      await action()
    } catch (error) {
      errorToast(errorTitle, error instanceof Error ? error.message : String(error))
    }
    onClose()
  }
  return (
    <Modal
      title={title}
      onDismiss={onClose}
      width={codeView.open ? 'wide' : undefined}
      above={codeView.view}
      footer={
        <ModalFooter
          onDismiss={onClose}
          actionText="Confirm"
          danger={danger}
          loading={loading}
          calls={calls}
          sends
          onAction={() => void confirm()}
        >
          {codeView.toggle}
        </ModalFooter>
      }
    >
      {body}
      {below && <div className="mt-3">{below}</div>}
    </Modal>
  )
}

const JustCode = ({ title, code, onClose }: Shown & Closing) => (
  <Modal
    title={title}
    onDismiss={onClose}
    width="wide"
    above={<CodeFrame>{code()}</CodeFrame>}
    footer={
      <footer className="flex shrink-0 justify-end border-t bg-raised px-5 py-3">
        <Button onClick={onClose}>Close</Button>
      </footer>
    }
  />
)
