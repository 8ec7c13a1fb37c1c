import { useLayoutEffect, type RefObject } from 'react'

/**
 * Marks a frame whose content is wider than itself, and tells it where in the page it begins. Only
 * then it is a scroll container: a table that fits keeps its header sticky in the page instead. The
 * frame must be marked when it is made, because Chromium shows a sticky header at its former place
 * for a frame or more after it has become part of a scroll container.
 */
export function useOverflow(frame: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = frame.current
    const content = element?.firstElementChild
    if (!element || !(content instanceof HTMLElement)) return
    const mark = () => {
      // The frame with its scrollbar, so that the bar itself does not make the content too wide.
      const overflowing = content.offsetWidth > element.offsetWidth + 1
      element.toggleAttribute('data-overflowing', overflowing)
      const { top } = element.getBoundingClientRect()
      element.style.setProperty('--frame-top', `${Math.round(top + window.scrollY)}px`)
      shadows()
    }
    const shadows = () => {
      const rest = element.scrollWidth - element.clientWidth - element.scrollLeft
      element.toggleAttribute('data-shadow-start', element.scrollLeft > 1)
      element.toggleAttribute('data-shadow-end', rest > 1)
    }
    let throttled = false
    const onScroll = () => {
      if (throttled) return
      throttled = true
      setTimeout(() => {
        throttled = false
        shadows()
      }, 125)
    }
    mark()
    const observer = new ResizeObserver(mark)
    observer.observe(element)
    observer.observe(content)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  })
}
