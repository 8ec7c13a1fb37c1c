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
  /** Its code or its content is still on its way; nothing of it can have the focus. */
  isComing?: true
}

/** Open dialogs, the newest last. */
const dialogs: Entry[] = []

const DIALOG = '[role=dialog], [role=alertdialog]'
const FIELD =
  'input:not([type=hidden], [type=radio]:not(:checked)), textarea, [role=combobox], [aria-haspopup=listbox]'

/**
 * Escape closes the newest dialog also when the focus is not in it: in the moment after it opened,
 * or when what had the focus is gone. A dialog with the focus handles the key by itself, and an open
 * popup comes first.
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

/** @returns ends it */
function listen(entry: Entry): () => void {
  // On the window: before the shortcuts of the page, which have another use for the key.
  if (dialogs.push(entry) === 1) window.addEventListener('keydown', onEscape, true)
  return () => {
    dialogs.splice(dialogs.indexOf(entry), 1)
    if (dialogs.length === 0) window.removeEventListener('keydown', onEscape, true)
  }
}

/** Escape also dismisses a dialog that was asked for and is not there yet. */
export function useComingDialog(isComing: boolean, onDismiss: () => void): void {
  const dismiss = useEffectEvent(onDismiss)
  useLayoutEffect(() => {
    if (isComing) return listen({ dismiss: () => dismiss(), isComing: true })
  }, [isComing])
}

/** Whether Escape was pressed while a page was on its way, which may be a dialog. */
let unwanted = false

const onEarlyEscape = ({ key, target, defaultPrevented }: KeyboardEvent): void => {
  if (key !== 'Escape' || defaultPrevented) return
  if (target instanceof Element && target.closest(`${DIALOG}, [data-popup]`)) return
  unwanted = true
}

/** Keeps an Escape for the dialog that is about to open: the address says it is there already. */
export function expectDialog(coming: boolean): void {
  unwanted = false
  if (coming) document.addEventListener('keydown', onEarlyEscape)
  else document.removeEventListener('keydown', onEarlyEscape)
}

/** Focuses the first field of a form, or else the dialog, unless something in it has the focus. */
function focusFirst(dialog: HTMLElement): void {
  if (dialog.contains(document.activeElement)) return
  const fields = dialog.querySelectorAll<HTMLInputElement>(`form :is(${FIELD})`)
  const field = [...fields].find((each) => !each.disabled)
  // A field that brings up a keyboard, or a list over the form, waits until it is asked for.
  const waits = matchMedia('(pointer: coarse)').matches || field?.role === 'combobox'
  ;(waits ? dialog : (field ?? dialog)).focus({ preventScroll: true })
}

/**
 * What a dialog does from its first frame on: it takes the focus, and Escape closes it. A press on
 * its scrim takes the focus from no field.
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

/** The focus stays in the dialog when the part that had it is replaced by the one that holds this element. */
export function useKeepFocus(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const dialog = part.current?.closest<HTMLElement>(DIALOG)
    if (dialog) focusFirst(dialog)
  }, [part])
}

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

/** Whether a panel that opens now slides in. The shell says no for page loads, back and forward. */
export const SideModalAnimation = createContext<() => boolean>(() => false)
