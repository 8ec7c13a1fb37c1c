/**
 * Motion of table rows when a list changes by itself: rows slide to their new places, and new rows
 * fade in.
 */
const DURATION_MS = 160

const isReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches
/** Table body → distance of its rows from the top of the table, in pixels. */
const places = new WeakMap<HTMLTableSectionElement, Map<HTMLTableRowElement, number>>()

/** Notes the places of a table's rows, and shows how they differ from the last ones. */
function move(body: HTMLTableSectionElement): void {
  const before = places.get(body)
  const after = new Map([...body.rows].map((row) => [row, row.offsetTop]))
  places.set(body, after)
  if (!before || isReduced() || document.hidden) return
  // Without a common row, it is another page of the list.
  if (![...after.keys()].some((row) => before.has(row))) return
  const offset = body.parentElement!.getBoundingClientRect().top
  for (const [row, top] of after) {
    const was = before.get(row)
    const isVisible = offset + top < innerHeight && offset + top + row.offsetHeight > 0
    if (was === top || !isVisible) continue
    row.animate(
      was === undefined
        ? { opacity: [0, 1] }
        : { transform: [`translateY(${was - top}px)`, 'none'] },
      { duration: DURATION_MS, easing: 'ease-out' },
    )
  }
}

/** Shows the motion of rows in all tables of the page, from now on. */
export function followRows(): void {
  const look = (changes: readonly MutationRecord[] = []) => {
    const changed = new Set(changes.map(({ target }) => target))
    for (const body of document.querySelectorAll<HTMLTableSectionElement>('.table-frame tbody')) {
      if (changed.has(body) || !places.has(body)) move(body)
    }
  }
  look()
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
}
