import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

const HOVER_DELAY = 250
const TRUNCATED_DELAY = 300
const GAP = 6
const EDGE = 8

type Shown = { text: string; target: Element }

const findTarget = (event: Event): Element | null =>
  event.target instanceof Element ? event.target.closest('[data-tooltip]') : null

/** A truncated text needs its tooltip only while it does not fit. */
const applies = (target: Element) =>
  target.getAttribute('data-tooltip-when') !== 'truncated' ||
  target.scrollWidth > target.clientWidth + 1

function useShownTooltip(): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let focusedAt = 0
    let current: Element | null = null
    const hide = () => {
      clearTimeout(timer)
      setShown(null)
    }
    const show = (target: Element | null, delay: number) => {
      clearTimeout(timer)
      current = target
      if (!target || !applies(target)) return setShown(null)
      const text = target.getAttribute('data-tooltip')!
      timer = setTimeout(() => target.isConnected && setShown({ text, target }), delay)
    }
    const onOver = (event: PointerEvent) => {
      if (event.pointerType === 'touch') return
      const target = findTarget(event)
      const truncated = target?.getAttribute('data-tooltip-when') === 'truncated'
      show(target, truncated ? TRUNCATED_DELAY : HOVER_DELAY)
    }
    const onFocus = (event: FocusEvent) => {
      const target = findTarget(event)
      focusedAt = Date.now()
      if (target?.matches(':focus-visible, [data-focus-visible]')) show(target, 0)
    }
    const onPress = (event: PointerEvent) => {
      const target = findTarget(event)
      if (target?.hasAttribute('data-tooltip-press')) show(target, 0)
      else hide()
    }
    // A menu focuses the item under the pointer, which is no reason to hide its tooltip.
    const onBlur = (event: FocusEvent) => current?.contains(event.target as Node) && hide()
    // Focus may itself have scrolled the element into view.
    const onScroll = () => Date.now() - focusedAt > 200 && hide()
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    const events: [string, (event: never) => void][] = [
      ['pointerover', onOver],
      ['focusin', onFocus],
      ['focusout', onBlur],
      ['pointerdown', onPress],
      ['keydown', onKey],
      ['scroll', onScroll],
    ]
    for (const [name, listener] of events) {
      document.addEventListener(name, listener as EventListener, true)
    }
    // The element already hovered or focused when this code loads.
    const pointed = [...document.querySelectorAll('[data-tooltip]:hover')].at(-1)
    if (pointed) show(pointed, HOVER_DELAY)
    return () => {
      clearTimeout(timer)
      for (const [name, listener] of events) {
        document.removeEventListener(name, listener as EventListener, true)
      }
    }
  }, [])
  return shown
}

function place(element: HTMLElement | null, target: Element) {
  if (!element) return
  const box = target.getBoundingClientRect()
  const { width, height } = element.getBoundingClientRect()
  const side = target.getAttribute('data-tooltip-side')
  let left = box.left + box.width / 2 - width / 2
  let top = box.bottom + GAP
  if (side === 'start') {
    left = box.left - width - GAP
    top = box.top + box.height / 2 - height / 2
    if (left < EDGE) left = box.right + GAP
  } else if (top + height > innerHeight - EDGE) {
    top = box.top - height - GAP
  }
  left = Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))
  element.style.transform = `translate(${Math.round(left)}px, ${Math.round(Math.max(top, EDGE))}px)`
}

/** Shows tooltips. Rendered once by the shell, after the first paint. */
export function TooltipHost() {
  const shown = useShownTooltip()
  if (!shown) return null
  return createPortal(
    <div
      data-react-aria-top-layer="true"
      className="pointer-events-none fixed top-0 left-0 z-[1000]"
      ref={(element) => place(element, shown.target)}
    >
      <div
        role="tooltip"
        className="max-w-72 animate-[fade-in_120ms_ease-out] rounded-control bg-inverse px-2.5 py-1.5 text-xs break-words whitespace-pre-line text-on-inverse shadow-floating"
      >
        {shown.text}
      </div>
    </div>,
    document.body,
  )
}
