import { X } from 'lucide-react'
import { useId, useRef, type ReactNode, type RefObject, useLayoutEffect } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal as AriaModal, ModalOverlay } from 'react-aria-components/Modal'
import { bottomBar } from './bottom-bar.tsx'
import { Button, IconButton } from './button.tsx'
import { cx } from './cx.ts'
import type { Calls } from './server-state.ts'
import { useDialog, useKeepFocus } from './dialog.tsx'

const widths = {
  narrow: 'w-96',
  medium: 'w-[28rem]',
  wide: 'w-[44rem]',
  free: 'w-fit min-w-[min(24rem,100%)] max-w-[48rem]',
}

/** A dialog with several stages has one height in all of them; its content scrolls. */
const heights = {
  content: '',
  low: 'h-[min(22rem,80vh)] has-data-above:h-[80vh]',
  medium: 'h-[min(32rem,80vh)] has-data-above:h-[80vh]',
  high: 'h-[min(41rem,80vh)] has-data-above:h-[80vh]',
}

type FrameProps = {
  title: string
  onDismiss: () => void
  width?: keyof typeof widths
  height?: keyof typeof heights
  isOpen?: boolean
  children?: ReactNode
}

type PartsProps = {
  children?: ReactNode
  /** Usually `ModalFooter`. */
  footer?: ReactNode
  /** Fixed content between the scrolling part and the footer. */
  above?: ReactNode
  /** The same for messages that appear while the dialog is open; screen readers announce them. */
  notice?: ReactNode
}

export type ModalProps = FrameProps & PartsProps

export const Modal = ({ children, footer, above, notice, ...frame }: ModalProps) => (
  <ModalFrame {...frame}>
    <ModalParts footer={footer} above={above} notice={notice}>
      {children}
    </ModalParts>
  </ModalFrame>
)

/**
 * A centred dialog with its own scrim, above everything but toasts. It stays open when
 * `ModalParts` of another stage replace its content.
 */
export function ModalFrame(props: FrameProps) {
  const { title, onDismiss, width = 'medium', height = 'content', isOpen = true, children } = props
  const titleId = useId()
  const scrim = useDialog(isOpen, onDismiss)
  useStandingFooter(scrim, isOpen)
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
          'relative flex max-h-[min(80vh,100%)] max-w-full flex-col overflow-hidden rounded-card border border-line-strong bg-floating shadow-modal data-entering:animate-[rise-in_150ms_ease-out]',
          widths[width],
          heights[height],
        )}
      >
        <Dialog aria-labelledby={titleId} className="flex min-h-0 flex-1 flex-col outline-none">
          <h2 id={titleId} className="shrink-0 px-5 pt-4 pe-12 text-base font-semibold">
            {title}
          </h2>
          {children}
          <IconButton
            label="Close"
            size="sm"
            className="absolute! top-3 end-3"
            onClick={onDismiss}
            icon={<X size={16} strokeWidth={1.5} aria-hidden />}
          />
        </Dialog>
      </AriaModal>
    </ModalOverlay>
  )
}

const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]'

/** Lets the keyboard reach text that scrolls, which not every browser does by itself. */
function focusableIfItScrolls(element: HTMLElement): () => void {
  const update = () => {
    const scrolls = element.scrollHeight > element.clientHeight
    if (scrolls && !element.querySelector(FOCUSABLE)) element.tabIndex = 0
    else element.removeAttribute('tabindex')
  }
  const sizes = new ResizeObserver(update)
  sizes.observe(element)
  // Contents that arrive in a dialog of a fixed height change no size but that of the scrolled area.
  const contents = new MutationObserver(update)
  contents.observe(element, { childList: true, characterData: true, subtree: true })
  return () => {
    sizes.disconnect()
    contents.disconnect()
  }
}

/** The content of a dialog and its footer. */
export function ModalParts({ children, footer, above, notice }: PartsProps) {
  const content = useRef<HTMLDivElement>(null)
  useKeepFocus(content)
  useLayoutEffect(() => focusableIfItScrolls(content.current!), [])
  return (
    <>
      <div
        ref={content}
        className={cx(
          'focus-inset min-h-0 flex-1 overflow-y-auto px-5 pt-3 text-secondary',
          Boolean(children) && 'pb-5',
        )}
      >
        {children}
      </div>
      <div
        role="status"
        className={cx(Boolean(notice) && 'max-h-[50%] shrink-0 overflow-y-auto px-5 pb-3')}
      >
        {notice}
      </div>
      {above && (
        <div data-above className="flex min-h-0 shrink-0 flex-col border-t [--gutter:20px]">
          {above}
        </div>
      )}
      {footer}
    </>
  )
}

type ModalFooterProps = {
  onDismiss: () => void
  actionText: string
  onAction?: () => void
  /** Form that the action submits, instead of `onAction`. */
  formId?: string
  danger?: boolean
  loading?: boolean
  disabled?: boolean
  disabledReason?: string | false | null
  /** Operation that the user's roles have to permit. */
  calls?: Calls
  /** The action sends something to the server. Defaults to true for forms. */
  sends?: boolean
  cancelText?: string | false
  children?: ReactNode
}

export function ModalFooter(props: ModalFooterProps) {
  const { onDismiss, actionText, onAction, formId, danger, loading, disabledReason } = props
  const { disabled, calls, sends = formId !== undefined, cancelText = 'Cancel', children } = props
  return (
    <footer
      {...bottomBar}
      className="flex shrink-0 items-center justify-end gap-2 border-t bg-raised px-5 py-3"
    >
      <div className="-ms-2 min-w-0 flex-1">{children}</div>
      {cancelText && <Button onClick={onDismiss}>{cancelText}</Button>}
      <Button
        variant={danger ? 'danger' : 'primary'}
        type={formId ? 'submit' : 'button'}
        form={formId}
        onClick={onAction}
        loading={loading}
        disabled={disabled}
        calls={calls}
        disabledReason={disabledReason}
        sends={sends}
      >
        {actionText}
      </Button>
    </footer>
  )
}

/**
 * Keeps the lower edge of a centred dialog in place. Later content, such as an error, makes it
 * grow upwards, so that its buttons do not move away from the pointer.
 * @param scrim the flex box that contains only the dialog
 */
function useStandingFooter(scrim: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useLayoutEffect(() => {
    const box = scrim.current
    if (!isOpen || !box) return
    const stand = () => {
      Object.assign(box.style, { alignItems: '', paddingBottom: '' })
      const dialog = box.firstElementChild
      if (!(dialog instanceof HTMLElement)) return
      // Excludes the transform of the opening animation.
      const below = box.clientHeight - dialog.offsetTop - dialog.offsetHeight
      Object.assign(box.style, { alignItems: 'flex-end', paddingBottom: `${below}px` })
    }
    stand()
    addEventListener('resize', stand)
    return () => removeEventListener('resize', stand)
  }, [scrim, isOpen])
}
