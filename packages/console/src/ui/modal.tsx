import { useId, type ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal as AriaModal, ModalOverlay } from 'react-aria-components/Modal'
import { X } from 'lucide-react'
import { Button, IconButton } from './button.tsx'
import { bottomBar } from './clear-of-bars.ts'
import { cx } from './cx.ts'
import { useDialog } from './use-dialog.ts'

const widths = {
  narrow: 'w-96',
  medium: 'w-[28rem]',
  wide: 'w-[44rem]',
  free: 'w-fit min-w-96 max-w-[48rem]',
}

export type ModalProps = {
  title: string
  onDismiss: () => void
  width?: keyof typeof widths
  children?: ReactNode
  /** Usually `ModalFooter`. */
  footer?: ReactNode
  /** Between the content and the footer; does not scroll with the content. */
  above?: ReactNode
  isOpen?: boolean
}

/** A centred dialog with its own scrim, above everything but toasts. */
export function Modal({
  title,
  onDismiss,
  width = 'medium',
  children,
  footer,
  above,
  isOpen = true,
}: ModalProps) {
  const titleId = useId()
  const scrim = useDialog(isOpen, onDismiss)
  return (
    <ModalOverlay
      ref={scrim}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => !open && onDismiss()}
      className="fixed inset-0 z-[300] flex items-center justify-center bg-scrim p-4 data-entering:animate-[fade-in_140ms_ease-out]"
    >
      <AriaModal
        className={cx(
          'relative flex max-h-[80vh] max-w-full flex-col overflow-hidden rounded-card border border-line-strong bg-floating shadow-modal data-entering:animate-[rise-in_150ms_ease-out]',
          widths[width],
        )}
      >
        <Dialog aria-labelledby={titleId} className="flex min-h-0 flex-1 flex-col outline-none">
          <h2 id={titleId} className="shrink-0 px-5 pt-4 pr-12 text-base font-semibold">
            {title}
          </h2>
          <div
            className={cx(
              'min-h-0 flex-1 overflow-y-auto px-5 pt-2 text-secondary',
              Boolean(children) && 'pb-5',
            )}
          >
            {children}
          </div>
          {above && (
            <div className="flex min-h-0 shrink-0 flex-col border-t [--gutter:20px]">{above}</div>
          )}
          {footer}
          <IconButton
            label="Close"
            size="sm"
            className="absolute! top-3 right-3"
            onClick={onDismiss}
            icon={<X size={16} strokeWidth={1.5} aria-hidden />}
          />
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  )
}

type ModalFooterProps = {
  onDismiss: () => void
  actionText: string
  onAction?: () => void
  /** The form the action submits, instead of `onAction`. */
  formId?: string
  danger?: boolean
  loading?: boolean
  disabled?: boolean
  disabledReason?: string | false | null
  /** The action sends something to the server. By default true of forms. */
  sends?: boolean
  cancelText?: string | false
  children?: ReactNode
}

export function ModalFooter(props: ModalFooterProps) {
  const { onDismiss, actionText, onAction, formId, danger, loading, disabledReason } = props
  const { disabled, sends = formId !== undefined, cancelText = 'Cancel', children } = props
  return (
    <footer
      {...bottomBar}
      className="flex shrink-0 items-center justify-end gap-2 border-t bg-raised px-5 py-3"
    >
      <div className="-ml-2 min-w-0 flex-1">{children}</div>
      {cancelText && <Button onClick={onDismiss}>{cancelText}</Button>}
      <Button
        variant={danger ? 'danger' : 'primary'}
        type={formId ? 'submit' : 'button'}
        form={formId}
        onClick={onAction}
        loading={loading}
        disabled={disabled}
        disabledReason={disabledReason}
        sends={sends}
      >
        {actionText}
      </Button>
    </footer>
  )
}
