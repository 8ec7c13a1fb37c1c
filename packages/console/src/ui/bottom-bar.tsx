import type { ReactNode } from 'react'

/**
 * Marks bars at the bottom: pagination, and the actions of a form, a dialog or a selection.
 * Toasts stay clear of them. Usage: `<footer {...bottomBar}>`.
 */
export const bottomBar = { 'data-bottom-bar': '' }

const GAP = 8
/** Distance to the edge of the window where there is no bar. */
const EDGE = 16

/** Distance in pixels from the bottom of the window at which an element overlaps no bar. */
export function distanceAboveBars(element: Element): number {
  const { left, right, height } = element.getBoundingClientRect()
  let bottom = innerHeight - EDGE
  const bars = [...document.querySelectorAll('[data-bottom-bar]')]
    .map((bar) => bar.getBoundingClientRect())
    .filter((bar) => bar.height > 0 && bar.left < right && bar.right > left)
    .sort((a, b) => b.bottom - a.bottom)
  for (const bar of bars) {
    if (bar.top < bottom + GAP && bar.bottom > bottom - height - GAP) bottom = bar.top - GAP
  }
  return innerHeight - bottom
}

/** Reserves the height of the bar, so that nothing that gets the focus is below it. */
function reserve(bar: HTMLElement | null) {
  if (!bar) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() =>
    style.setProperty('--bottom-room', `${bar.offsetHeight}px`),
  )
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty('--bottom-room')
  }
}

/** Sticks to the bottom of the content: pagination, or the actions of a full-page form. */
export function BottomBar({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="mt-auto h-(--toasts-room) shrink-0" />
      <div
        ref={reserve}
        {...bottomBar}
        className="sticky bottom-0 z-20 border-t bg-page empty:hidden"
      >
        {children}
      </div>
    </>
  )
}
