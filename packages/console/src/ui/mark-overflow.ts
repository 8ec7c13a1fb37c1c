import { ACTIONS, type Column, leastWidth, SELECT } from './column.ts'

/** Width of the sidebar and of the gutters. */
const BESIDE = 232 + 2 * 32

/**
 * Estimates whether a frame will overflow, before it can be measured. Chromium draws a sticky
 * header at its former place for a frame or more after a scroll container appears, and a table
 * whose mark changes is laid out twice.
 */
export const willOverflow = (leastWidth: number): boolean => leastWidth > innerWidth - BESIDE

/** The columns of a list, without spare ones where it has no room for all. A phone draws no columns. */
export function fittingColumns<Row>(columns: Column<Row>[]): Column<Row>[] {
  const next = Math.min(...columns.map(({ spare = Infinity }) => spare))
  const dropped = columns.findLast(({ spare }) => spare === next)
  return !dropped || innerWidth < 640 || !willOverflow(leastWidth(columns) + SELECT + ACTIONS)
    ? columns
    : fittingColumns(columns.filter((column) => column !== dropped))
}

/**
 * Marks a frame with overflowing content, and sets its position on the page. Only marked frames
 * are scroll containers: a table that fits keeps its header sticky in the page. Used as the
 * `ref` of the frame.
 */
export function markOverflow(frame: HTMLElement | null): (() => void) | undefined {
  if (!frame) return undefined
  const content = frame.querySelector('table')!
  const mark = () => {
    // All measurements precede all changes, which would force another layout. The frame counts
    // with its scrollbar, so that the bar itself causes no overflow.
    const overflowing = content.offsetWidth > frame.offsetWidth + 1
    const top = `${Math.round(frame.getBoundingClientRect().top + window.scrollY)}px`
    shadows()
    frame.toggleAttribute('data-overflowing', overflowing)
    // Set only on changes, because every cell inherits it.
    if (overflowing && frame.style.getPropertyValue('--frame-top') !== top) {
      frame.style.setProperty('--frame-top', top)
    }
  }
  const shadows = () => {
    // Negative where text runs from right to left.
    const scrolled = Math.abs(frame.scrollLeft)
    const rest = frame.scrollWidth - frame.clientWidth - scrolled
    frame.toggleAttribute('data-shadow-start', scrolled > 1)
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
  // For a table that fits, the observer's first call is early enough: after layout, before
  // paint. A scrolling table needs its height before that.
  if (frame.hasAttribute('data-overflowing')) mark()
  const observer = new ResizeObserver(mark)
  observer.observe(frame)
  observer.observe(content)
  // The body grows when something appears above the frame.
  observer.observe(document.body)
  frame.addEventListener('scroll', onScroll, { passive: true })
  return () => {
    observer.disconnect()
    frame.removeEventListener('scroll', onScroll)
  }
}
