import { useContext, useId, useState, type ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal as AriaModal, ModalOverlay } from 'react-aria-components/Modal'
import { X } from 'lucide-react'
import { ErrorBanner } from './banner.tsx'
import { Button, IconButton } from './button.tsx'
import { bottomBar } from './bottom-bar.tsx'
import { cx } from './cx.ts'
import { useDialog, SideModalAnimation } from './dialog.tsx'

export type SideModalProps = {
  title: string
  /** Icon and name of the resource. */
  subtitle?: ReactNode
  /** Buttons of the resource, beside the close button. */
  star?: ReactNode
  /** Called by Escape, the scrim and the X. */
  onDismiss: () => void
  errors?: string[]
  /** Technical details of the error. */
  errorDetails?: string
  children: ReactNode
  footer: ReactNode
  /** Content at the left end of the footer. */
  aside?: ReactNode
  /** Fixed content between the scrolling part and the footer. */
  above?: ReactNode
  /**
   * The same for messages that appear while the panel is open: it moves nothing, and screen
   * readers announce it.
   */
  notice?: ReactNode
}

/** A panel 32 rem wide at the right edge, over the still rendered page. */
export function SideModal(props: SideModalProps) {
  const { title, subtitle, star, onDismiss, errors = [], children, footer, aside } = props
  const { above, notice } = props
  const [animate] = useState(useContext(SideModalAnimation))
  const titleId = useId()
  const scrim = useDialog(true, onDismiss)
  return (
    <ModalOverlay
      ref={scrim}
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onDismiss()}
      className={cx(
        'fixed inset-0 z-[200] bg-scrim',
        animate && 'animate-[fade-in_140ms_ease-out]',
      )}
    >
      <AriaModal
        className={cx(
          'absolute inset-y-0 end-0 w-[32rem] max-w-full border-s border-line-strong bg-page shadow-modal',
          animate && 'animate-[slide-in_160ms_cubic-bezier(0.2,0,0,1)]',
        )}
      >
        <Dialog aria-labelledby={titleId} className="flex h-full flex-col outline-none">
          <header
            className={cx('shrink-0 border-b py-4 ps-6 max-sm:ps-4', star ? 'pe-40' : 'pe-14')}
          >
            <h2 id={titleId} className="text-lg font-semibold">
              {title}
            </h2>
            {subtitle && (
              <h3 className="mt-0.5 flex min-w-0 items-center gap-1.5 text-secondary [&_svg]:shrink-0 [&_svg]:text-tertiary">
                {subtitle}
              </h3>
            )}
          </header>
          <div
            data-testid="sidemodal-scroll-container"
            className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto px-6 py-5 max-sm:px-4"
          >
            <ErrorBanner messages={errors} details={props.errorDetails} />
            {children}
          </div>
          <div
            role="status"
            className={cx(
              Boolean(notice) && 'max-h-[45%] shrink-0 overflow-y-auto px-6 pb-3 max-sm:px-4',
            )}
          >
            {notice}
          </div>
          {above && (
            <div className="flex min-h-0 shrink-0 flex-col border-t [--gutter:24px] max-sm:[--gutter:16px]">
              {above}
            </div>
          )}
          <footer
            {...bottomBar}
            className="flex shrink-0 items-center justify-end gap-2 border-t px-6 py-3 max-sm:px-4"
          >
            <div className="me-auto -ms-2 flex items-center gap-2">
              {aside}
              {errors.length > 0 && (
                <span aria-hidden className="text-red-text">
                  Error
                </span>
              )}
            </div>
            {footer}
          </footer>
          {star && <div className="absolute top-3.5 end-13">{star}</div>}
          <IconButton
            label="Close"
            className="absolute! top-3.5 end-4"
            onClick={onDismiss}
            icon={<X size={16} strokeWidth={1.5} aria-hidden />}
          />
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  )
}

/** A panel with properties or disabled fields, and a button that closes it. */
export function ReadOnlySideModal(
  props: Omit<SideModalProps, 'footer' | 'errors' | 'errorDetails' | 'above' | 'notice'>,
) {
  return <SideModal {...props} footer={<Button onClick={props.onDismiss}>Close</Button>} />
}
