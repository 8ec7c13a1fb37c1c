import type { ReactNode } from 'react'
import { DialogPart } from './dialog.tsx'
import { createStore } from './store.ts'

const opened = createStore<ReactNode>(null)
const close = (): void => opened.set(null)

/** Opens a dialog from a place that is gone while it is open, such as the palette. */
export function openDialog(dialog: (onDismiss: () => void) => ReactNode): void {
  opened.set(dialog(close))
}

/** Rendered once by the shell. */
export const OpenedDialog = () => <DialogPart onDismiss={close}>{opened.useValue()}</DialogPart>
