import { useState, useSyncExternalStore, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { CodeFrame, useCodeView } from './code-view.tsx'
import { Modal, ModalFooter } from './modal.tsx'
import { errorToast } from './toasts.tsx'

export type Confirmation = {
  title: string
  body: ReactNode
  /** Runs on "Confirm"; the modal closes when it settles. */
  action: () => Promise<unknown>
  /** Title of the toast if the action fails. */
  errorTitle: string
  danger?: boolean
  /** Draws what "Confirm" does, as code. */
  code?: () => ReactNode
}

/** Something that is done without asking, as code. */
type Shown = { title: string; code: () => ReactNode }

let current: Confirmation | Shown | null = null
const listeners = new Set<() => void>()
const set = (next: typeof current) => {
  current = next
  listeners.forEach((listener) => listener())
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Asks before something that cannot be taken back. The body names what else goes and what stays. */
export function confirmAction(confirmation: Confirmation): void {
  set(confirmation)
}

/** Shows what an action that does not ask would do. */
export function showCode(shown: Shown): void {
  set(shown)
}

export function confirmDelete({
  kind,
  name,
  extra,
  ...rest
}: {
  kind: string
  name: string
  extra?: ReactNode
} & Pick<Confirmation, 'action' | 'code'>): void {
  set({
    title: `Delete ${kind}`,
    body: (
      <>
        Are you sure you want to delete{' '}
        <b className="font-medium wrap-anywhere text-primary">{name}</b>?{extra && <> {extra}</>}
      </>
    ),
    errorTitle: `Could not delete ${kind}`,
    danger: true,
    ...rest,
  })
}

/** Rendered once, by the shell. */
export function ConfirmModal() {
  const shown = useSyncExternalStore(subscribe, () => current)
  if (!shown) return null
  return 'action' in shown ? (
    <Confirming key={shown.title} confirmation={shown} />
  ) : (
    <JustCode {...shown} />
  )
}

const close = () => set(null)

function Confirming({ confirmation }: { confirmation: Confirmation }) {
  const { title, body, action, errorTitle, danger } = confirmation
  const [loading, setLoading] = useState(false)
  const codeView = useCodeView(confirmation.code)
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
