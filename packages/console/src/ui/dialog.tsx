import {
  type RefObject,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  Suspense,
  type ReactNode,
  createContext,
} from 'react'

type Entry = {
  dismiss: () => void
  /** Code or content is still loading; nothing in the dialog can have the focus. */
  isComing?: true
}

/** Open dialogs, newest last. */
const dialogs: Entry[] = []

const DIALOG = '[role=dialog], [role=alertdialog]'
const FIELD =
  'input:not([type=hidden], [type=radio]:not(:checked)), textarea, [role=combobox], [aria-haspopup=listbox]'

/**
 * Closes the newest dialog on Escape even when the focus is elsewhere: right after it opened,
 * or when the focused element was removed. A dialog with the focus handles the key itself, and
 * an open popup takes precedence.
 */
function onEscape(event: KeyboardEvent): void {
  const newest = dialogs.at(-1)
  if (event.key !== 'Escape' || event.isComposing || !newest) return
  const inDialog = event.target instanceof Element && event.target.closest(DIALOG)
  if (inDialog && !newest.isComing) return
  if (document.querySelector('[data-popup]')) return
  event.preventDefault()
  event.stopPropagation()
  newest.dismiss()
}

/** @returns stops listening */
function listen(entry: Entry): () => void {
  // On the window, to precede the page's shortcuts, which also use the key.
  if (dialogs.push(entry) === 1) window.addEventListener('keydown', onEscape, true)
  return () => {
    dialogs.splice(dialogs.indexOf(entry), 1)
    if (dialogs.length === 0) window.removeEventListener('keydown', onEscape, true)
  }
}

/** Lets Escape dismiss a requested dialog that is still loading. */
export function useLoadingDialog(isComing: boolean, onDismiss: () => void): void {
  const dismiss = useEffectEvent(onDismiss)
  useLayoutEffect(() => {
    if (isComing) return listen({ dismiss: () => dismiss(), isComing: true })
  }, [isComing])
}

/** Escape was pressed while a page was loading, which may turn out to be a dialog. */
let unwanted = false

const onEarlyEscape = ({ key, target, defaultPrevented }: KeyboardEvent): void => {
  if (key !== 'Escape' || defaultPrevented) return
  if (target instanceof Element && target.closest(`${DIALOG}, [data-popup]`)) return
  unwanted = true
}

/** Keeps an Escape for the dialog about to open, whose address is already current. */
export function expectDialog(coming: boolean): void {
  unwanted = false
  if (coming) document.addEventListener('keydown', onEarlyEscape)
  else document.removeEventListener('keydown', onEarlyEscape)
}

/**
 * Focuses the first field of a form, or else the dialog, unless the focus is already inside. Checkboxes
 * are passed over.
 */
function focusFirst(dialog: HTMLElement): void {
  if (dialog.contains(document.activeElement)) return
  const fields = dialog.querySelectorAll<HTMLInputElement>(
    `form :is(${FIELD}):not([type=checkbox])`,
  )
  const field = [...fields].find((each) => !each.disabled)
  // Fields that would open an on-screen keyboard, or a list over the form, are not focused
  // unasked.
  const waits = matchMedia('(pointer: coarse)').matches || field?.role === 'combobox'
  ;(waits ? dialog : (field ?? dialog)).focus({ preventScroll: true })
}

/**
 * Behaviour of a dialog from its first frame on: it takes the focus, and Escape closes it.
 * Clicking the scrim does not blur a field.
 * @returns the ref of the scrim
 */
export function useDialog(isOpen: boolean, onDismiss: () => void) {
  const scrim = useRef<HTMLDivElement>(null)
  const dismiss = useEffectEvent(onDismiss)
  useLayoutEffect(() => {
    const element = scrim.current
    if (!isOpen || !element) return
    const dialog = element.querySelector<HTMLElement>(DIALOG)
    if (dialog) focusFirst(dialog)
    const entry = { dismiss: () => dismiss() }
    if (unwanted) queueMicrotask(entry.dismiss)
    unwanted = false
    const stopListening = listen(entry)
    const onPress = (event: MouseEvent) => event.target === element && event.preventDefault()
    element.addEventListener('mousedown', onPress)
    return () => {
      element.removeEventListener('mousedown', onPress)
      stopListening()
    }
  }, [isOpen])
  return scrim
}

/** Keeps the focus in the dialog when the focused part is replaced by the one with this element. */
export function useKeepFocus(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const dialog = part.current?.closest<HTMLElement>(DIALOG)
    if (dialog) focusFirst(dialog)
  }, [part])
}

type DialogPartProps = {
  /** Closes the open dialog. */
  onDismiss: () => void
  /** The dialog, or nothing. */
  children: ReactNode
}

/** Slot of a dialog whose code is loaded on demand. Escape dismisses it during loading, too. */
export const DialogPart = ({ onDismiss, children }: DialogPartProps) => (
  <Suspense fallback={<Coming onDismiss={onDismiss} />}>{children}</Suspense>
)

function Coming({ onDismiss }: { onDismiss: () => void }) {
  useLoadingDialog(true, onDismiss)
  return null
}

/** Whether an opening panel slides in. The shell disables this on page loads, back and forward. */
export const SideModalAnimation = createContext<() => boolean>(() => false)
