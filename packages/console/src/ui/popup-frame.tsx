import {
  autoUpdate,
  computePosition,
  flip,
  hide,
  offset,
  shift,
  size,
  type Placement,
} from '@floating-ui/dom'
import {
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  type HTMLAttributes,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react'
import { mergeRefs } from 'react-aria/mergeRefs'
import { DismissButton, Overlay } from 'react-aria/Overlay'
import { useOverlay } from 'react-aria/useOverlay'
import { OverlayTriggerStateContext } from 'react-aria-components/Dialog'
import { PopoverContext } from 'react-aria-components/Popover'
import { useSlottedContext } from 'react-aria-components/slots'
import { cx } from './cx.ts'
import { isDragFrom } from './mouse-drag.ts'

export type PopupPlacement = Placement

/** Distance to the edges of the window. */
const MARGIN = 8

/**
 * Keeps an open popup at its anchor while the page scrolls and changes, and reports an anchor
 * that has left the view.
 */
function useFollow(
  frame: RefObject<HTMLElement | null>,
  anchor: RefObject<Element | null>,
  placement: Placement,
  onLost: () => void,
) {
  const lost = useEffectEvent(onLost)
  useLayoutEffect(() => {
    const floating = frame.current
    const reference = anchor.current
    if (!floating || !reference) return
    const place = async () => {
      const { x, y, middlewareData } = await computePosition(reference, floating, {
        strategy: 'fixed',
        placement,
        middleware: [
          offset(4),
          flip({ padding: MARGIN }),
          shift({ padding: MARGIN }),
          size({
            padding: MARGIN,
            apply({ availableHeight, rects }) {
              floating.style.setProperty('--available-height', `${Math.max(96, availableHeight)}px`)
              floating.style.setProperty('--trigger-width', `${rects.reference.width}px`)
            },
          }),
          hide(),
        ],
      })
      if (middlewareData.hide?.referenceHidden) return lost()
      Object.assign(floating.style, { left: `${x}px`, top: `${y}px` })
    }
    return autoUpdate(reference, floating, () => void place())
  }, [frame, anchor, placement])
}

/** Inside an open popup or one of its submenus. */
const inPopup = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-popup]') !== null

/** Closes the popup on a press elsewhere, and on Escape regardless of the focus. */
function useDismissal(
  anchor: RefObject<Element | null>,
  {
    managed,
    anchorOpens,
    onClose,
  }: { managed: boolean; anchorOpens: boolean; onClose: () => void },
) {
  const onPress = useEffectEvent((event: PointerEvent) => {
    if (inPopup(event.target)) return
    const onAnchor = anchor.current?.contains(event.target as Node)
    if (onAnchor && !anchorOpens) return
    if (onAnchor) event.stopPropagation()
    onClose()
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  })
  useEffect(() => {
    if (managed) return
    const pressed = (event: PointerEvent) => onPress(event)
    const typed = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('pointerdown', pressed, true)
    document.addEventListener('keydown', typed, true)
    return () => {
      document.removeEventListener('pointerdown', pressed, true)
      document.removeEventListener('keydown', typed, true)
    }
  }, [managed])
}

type PopupFrameProps = HTMLAttributes<HTMLDivElement> & {
  anchor: RefObject<Element | null>
  placement: Placement
  onClose: () => void
  /** Closed by its owner: a combobox by its input, a submenu by its menu. */
  managed?: boolean
  /** Pressing the anchor closes the popup, although the anchor would open it again. */
  anchorOpens?: boolean
  /** The focus neither enters nor returns automatically. */
  disableFocusManagement?: boolean
  ref?: Ref<HTMLDivElement | null>
}

/** An open popup at its anchor. Not modal: the page stays scrollable and usable. */
export function PopupFrame(props: PopupFrameProps) {
  const { anchor, placement, onClose, managed = false, anchorOpens = false, ...rest } = props
  const { disableFocusManagement, className, children, ref, ...domProps } = rest
  const frame = useRef<HTMLDivElement>(null)
  const pressed = useRef(false)
  useFollow(frame, anchor, placement, onClose)
  useDismissal(anchor, { managed, anchorOpens, onClose })
  const { overlayProps } = useOverlay(
    {
      isOpen: true,
      onClose,
      shouldCloseOnBlur: !managed,
      isKeyboardDismissDisabled: true,
      shouldCloseOnInteractOutside: (element) => !anchor.current?.contains(element),
    },
    frame,
  )
  return (
    <Overlay disableFocusManagement={disableFocusManagement}>
      <div
        {...domProps}
        {...overlayProps}
        // A press that began elsewhere chooses nothing, since the list appeared under the
        // pointer only later. A drag from the button does choose.
        onPointerDownCapture={() => {
          pressed.current = true
        }}
        onPointerUpCapture={(event) => {
          const isMeant = pressed.current || isDragFrom(anchor.current, event)
          if (!isMeant) event.stopPropagation()
          pressed.current = false
        }}
        ref={mergeRefs(frame, ref)}
        data-popup=""
        // Dialogs neither hide it from screen readers nor treat a press in it as outside.
        data-react-aria-top-layer=""
        className={cx(
          'fixed top-0 left-0 z-[400] w-max overflow-y-auto rounded-card border border-line-strong bg-floating p-1 shadow-floating outline-none',
          className,
        )}
      >
        {/* Nested content may have popups of its own. */}
        <PopoverContext value={null}>{children}</PopoverContext>
        <DismissButton onDismiss={onClose} />
      </div>
    </Overlay>
  )
}

type TriggeredFrameProps = { className?: string; placement?: Placement; children: ReactNode }

/** The popup of a library component: a select, a combobox or a submenu. */
export function TriggeredFrame({ placement = 'bottom-start', ...props }: TriggeredFrameProps) {
  const state = useContext(OverlayTriggerStateContext)
  const context = useSlottedContext(PopoverContext)
  // The library also renders the options off-screen to collect them.
  if (!context?.triggerRef) return props.children
  if (!state?.isOpen) return null
  const { triggerRef, trigger, ref, ...rest } = context
  return (
    <PopupFrame
      {...props}
      ref={ref as Ref<HTMLDivElement | null>}
      anchor={triggerRef}
      placement={placement}
      onClose={state.close}
      managed={trigger !== 'Select'}
      anchorOpens={trigger === 'Select'}
      disableFocusManagement={trigger === 'SubmenuTrigger'}
      aria-labelledby={rest['aria-labelledby']}
    />
  )
}
