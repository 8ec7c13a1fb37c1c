import { withMoved } from './column-order.ts'

/** Pixels that the pointer moves before a press is a drag. */
const SLACK = 6
const MARK = 'var(--accent-text)'

/**
 * Drags a column by its header; Escape cancels. The place it would take is marked at its edge.
 * @param pressed its header cell
 * @param order ids of the shown columns, which its row has as `data-column`, the first one excluded
 */
export function dragColumn(
  pressed: HTMLElement,
  beganAt: number,
  order: readonly string[],
  onOrder: (order: string[]) => void,
): void {
  const id = pressed.dataset.column!
  const cells = [...pressed.parentElement!.children].filter(
    (cell): cell is HTMLElement =>
      cell instanceof HTMLElement && order.includes(cell.dataset.column!),
  )
  const listening = new AbortController()
  const { signal } = listening
  let dragging = false
  let target: HTMLElement | undefined

  const mark = (next: HTMLElement | undefined) => {
    target?.style.removeProperty('box-shadow')
    target = next
    if (!target) return
    const after = cells.indexOf(target) > cells.indexOf(pressed)
    const atRight = after === (getComputedStyle(target).direction === 'ltr')
    target.style.boxShadow = `inset ${atRight ? -2 : 2}px 0 0 ${MARK}`
  }
  const end = () => {
    listening.abort()
    mark(undefined)
    pressed.style.removeProperty('opacity')
    document.body.style.removeProperty('user-select')
    document.body.style.removeProperty('cursor')
  }
  const onMove = (event: PointerEvent) => {
    if (event.buttons === 0) return end()
    if (!dragging && Math.abs(event.clientX - beganAt) < SLACK) return
    if (!dragging) {
      dragging = true
      getSelection()?.removeAllRanges()
      pressed.style.opacity = '0.5'
      document.body.style.userSelect = 'none'
      document.body.style.cursor = 'grabbing'
    }
    const under = cells.find((cell) => {
      const { left, right } = cell.getBoundingClientRect()
      return left <= event.clientX && event.clientX < right
    })
    mark(under === pressed ? undefined : under)
  }
  const onUp = () => {
    const place = target?.dataset.column
    if (dragging) {
      // The header is also a button that sorts.
      const ignoreClick = (event: Event) => event.stopPropagation()
      addEventListener('click', ignoreClick, { capture: true, once: true })
      setTimeout(() => removeEventListener('click', ignoreClick, { capture: true }))
    }
    end()
    if (place) onOrder(withMoved(order, id, place))
  }
  addEventListener('pointermove', onMove, { signal })
  addEventListener('pointerup', onUp, { signal })
  addEventListener('pointercancel', end, { signal })
  addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal })
}
