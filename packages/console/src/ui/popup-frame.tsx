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

/** From the edges of the window. */
const MARGIN = 8

/**
 * Keeps an open popup at its anchor while the page scrolls and changes, and tells when the anchor
 * has left the view.
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

/** Within an open popup, or one of its submenus. */
const inPopup = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-popup]') !== null

/** A press elsewhere closes the popup, and so does Escape, wherever the focus is. */
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
  /** What it belongs to closes it: a combobox by its input, a submenu by its menu. */
  managed?: boolean
  /** Its anchor would open it again when it is pressed; the press closes it instead. */
  anchorOpens?: boolean
  /** The focus neither goes into it nor back from it by itself. */
  disableFocusManagement?: boolean
  ref?: Ref<HTMLDivElement | null>
}

/** An open popup at its anchor. Not modal: the page can be scrolled and used. */
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
        // A press that began elsewhere chooses nothing, because the list has come under the pointer
        // since, unless the pointer was dragged here from the button.
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
        // Dialogs neither hide it from screen readers nor take a press in it for one outside.
        data-react-aria-top-layer=""
        className={cx(
          'fixed top-0 left-0 z-[400] w-max overflow-y-auto rounded-card border border-line-strong bg-floating p-1 shadow-floating outline-none',
          className,
        )}
      >
        {/* What is inside may have popups of its own. */}
        <PopoverContext value={null}>{children}</PopoverContext>
        <DismissButton onDismiss={onClose} />
      </div>
    </Overlay>
  )
}

type TriggeredFrameProps = { className?: string; placement?: Placement; children: ReactNode }

/** The popup of a component of the library: a select, a combobox or a submenu. */
export function TriggeredFrame({ placement = 'bottom-start', ...props }: TriggeredFrameProps) {
  const state = useContext(OverlayTriggerStateContext)
  const context = useSlottedContext(PopoverContext)
  // To collect the options, the library also renders them where they are not shown.
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
