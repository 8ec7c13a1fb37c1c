/** What may stand beside a table: the sidebar. */
const BESIDE = 232

/**
 * Whether a frame will probably be marked, before it can be measured. Chromium shows a sticky header
 * at its former place for a frame or more after it has become part of a scroll container, and a table
 * whose mark changes is laid out twice.
 */
export const willOverflow = (leastWidth: number): boolean => leastWidth > innerWidth - BESIDE

/**
 * Marks a frame whose content is wider than itself, and tells it where in the page it begins. Only
 * then it is a scroll container: a table that fits keeps its header sticky in the page instead. To
 * be the `ref` of the frame.
 */
export function markOverflow(frame: HTMLElement | null): (() => void) | undefined {
  if (!frame) return undefined
  const content = frame.querySelector('table')!
  const mark = () => {
    // All is measured before anything is changed, which would lay out the page once more.
    // The frame with its scrollbar, so that the bar itself does not make the content too wide.
    const overflowing = content.offsetWidth > frame.offsetWidth + 1
    const top = `${Math.round(frame.getBoundingClientRect().top + window.scrollY)}px`
    shadows()
    frame.toggleAttribute('data-overflowing', overflowing)
    // Every cell inherits it, so it is not set for nothing.
    if (overflowing && frame.style.getPropertyValue('--frame-top') !== top) {
      frame.style.setProperty('--frame-top', top)
    }
  }
  const shadows = () => {
    const rest = frame.scrollWidth - frame.clientWidth - frame.scrollLeft
    frame.toggleAttribute('data-shadow-start', frame.scrollLeft > 1)
    frame.toggleAttribute('data-shadow-end', rest > 1)
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
  // A table that fits needs nothing yet: the observer calls for the first time when the page has been
  // laid out, and before it is painted. One that scrolls needs its height before.
  if (frame.hasAttribute('data-overflowing')) mark()
  const observer = new ResizeObserver(mark)
  observer.observe(frame)
  observer.observe(content)
  // It grows when something appears above the frame.
  observer.observe(document.body)
  frame.addEventListener('scroll', onScroll, { passive: true })
  return () => {
    observer.disconnect()
    frame.removeEventListener('scroll', onScroll)
  }
}
