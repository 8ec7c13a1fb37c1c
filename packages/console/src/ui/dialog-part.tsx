import { Suspense, type ReactNode } from 'react'
import { useComingDialog } from './use-dialog.ts'

type DialogPartProps = {
  /** Closes the dialog that is open. */
  onDismiss: () => void
  /** The dialog, or nothing. */
  children: ReactNode
}

/** The place of a dialog whose code is loaded when it is wanted. Until then Escape dismisses it, too. */
export const DialogPart = ({ onDismiss, children }: DialogPartProps) => (
  <Suspense fallback={<Coming onDismiss={onDismiss} />}>{children}</Suspense>
)

function Coming({ onDismiss }: { onDismiss: () => void }) {
  useComingDialog(true, onDismiss)
  return null
}
