import {
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { isMenuKey } from './popup-keys.ts'
import { errorToast } from './toasts.tsx'
import { tooltip } from './tooltip.tsx'
import { whenDrawnAndIdle } from './lazy-part.ts'

/** Properties that a button passes to its popup. */
export type PopupProps = {
  id: string
  label: string
  anchor: RefObject<HTMLButtonElement | null>
  /** Keys pressed on the button since the popup opened. */
  keys: readonly string[]
  onClose: () => void
}

export type Popup<Content> = {
  role: 'menu' | 'dialog'
  /** Undefined until loaded. */
  component?: ComponentType<PopupProps & Content>
  load: () => Promise<unknown>
  loadWhenIdle: () => void
}

/** The content of a `PopupButton`. Its code is loaded after the first paint, or on demand. */
export function popup<Content extends object>(
  role: Popup<Content>['role'],
  load: () => Promise<ComponentType<PopupProps & Content>>,
): Popup<Content> {
  let scheduled = false
  const result: Popup<Content> = {
    role,
    load: async () => {
      result.component ??= await load()
    },
    loadWhenIdle() {
      if (scheduled) return
      scheduled = true
      // After a failure here, the next press reports it.
      void whenDrawnAndIdle()
        .then(result.load)
        .catch(() => {})
    },
  }
  return result
}

type PopupButtonProps<Content> = {
  popup: Popup<Content>
  content: Content
  label: string
  className: string
  tooltip?: string
  children?: ReactNode
  onOpenChange?: (open: boolean) => void
}

/**
 * A button that opens a popup. It is a plain button, so that a page does not wait for the code
 * of its popups. Keys pressed before the popup has the focus are forwarded to it.
 */
export function PopupButton<Content extends object>(props: PopupButtonProps<Content>) {
  const { popup, content, label, className, tooltip: text, children, onOpenChange } = props
  const id = useId()
  const anchor = useRef<HTMLButtonElement>(null)
  const [keys, setKeys] = useState<readonly string[]>()
  /** The mouse press that opened the popup; its click must not close it. */
  const pressed = useRef(false)
  useEffect(() => popup.loadWhenIdle(), [popup])

  const close = () => {
    setKeys(undefined)
    onOpenChange?.(false)
  }
  const open = (first: readonly string[]) => {
    // Some browsers do not focus a clicked button, yet closing returns the focus to it.
    anchor.current?.focus()
    setKeys(first)
    onOpenChange?.(true)
    if (popup.component) return
    popup.load().then(
      () => setKeys((keys) => keys && [...keys]),
      () => {
        close()
        errorToast(`Could not open “${label}”`, 'Its code could not be loaded. Reload the page.')
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!keys) {
      // Handled here, because the click caused by Enter and Space would count as a screen
      // reader's.
      if (!['ArrowDown', 'ArrowUp', 'Enter', ' '].includes(key)) return
      open([key === 'ArrowUp' ? key : 'ArrowDown'])
    } else if (key === 'Escape') {
      // Keeps a dialog around the button open.
      event.stopPropagation()
      close()
    } else if (key === 'Tab') {
      return close()
    } else if (isMenuKey(key)) {
      setKeys([...keys, key])
    } else return
    event.preventDefault()
  }
  const Popup = popup.component
  return (
    <>
      <button
        ref={anchor}
        type="button"
        aria-label={label}
        aria-haspopup={popup.role}
        aria-expanded={Boolean(keys)}
        aria-controls={keys && Popup ? id : undefined}
        className={className}
        // A mouse press opens the popup, and its release may choose an item.
        onPointerDown={({ pointerType, button }) => {
          pressed.current = pointerType === 'mouse' && button === 0 && !keys
          if (pressed.current) open([])
        }}
        // The popup already has the focus, and keeps it.
        onMouseDown={(event) => pressed.current && event.preventDefault()}
        onClick={({ detail }) => {
          // Clicks of a screen reader have no count.
          const byPress = pressed.current && detail > 0
          pressed.current = false
          if (byPress) return
          if (keys) close()
          else open(detail === 0 ? ['ArrowDown'] : [])
        }}
        onKeyDown={onKeyDown}
        // Some browsers click on the release of Space even though its press was handled.
        onKeyUp={(event) => keys && event.key === ' ' && event.preventDefault()}
        {...tooltip(text)}
      >
        {children}
      </button>
      {keys && Popup && (
        <Popup {...content} id={id} label={label} anchor={anchor} keys={keys} onClose={close} />
      )}
    </>
  )
}
