/** Keyboard navigation between rows of tables. The focus is always on an element of the row. */
import { useShortcuts } from './use-shortcut.ts'

const STOPS = 'a[href], button, input'

const stopsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>(STOPS)]

/** The row's link, or else its first usable control. */
const openerOf = (row: Element): HTMLElement | undefined =>
  row.querySelector<HTMLElement>('.cell-link') ?? stopsOf(row)[0]

/** The table row around an element. */
export const rowOf = (element: Element | null): HTMLTableRowElement | null =>
  element?.closest<HTMLTableRowElement>('.table-frame tbody tr') ?? null

/** Navigable rows of all tables on the page. */
const rowsOfPage = () =>
  [...document.querySelectorAll<HTMLTableRowElement>('main .table-frame tbody tr')].filter(
    (row) => openerOf(row) !== undefined,
  )

function focusRow(row: Element, target = openerOf(row)) {
  // The whole row, not only its link, must be clear of sticky elements.
  target?.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
}

/** The row in the tab order. */
const restingRow = () =>
  rowsOfPage().find((row) => stopsOf(row).some(({ tabIndex }) => tabIndex === 0))

export function focusFirstRow(): void {
  const row = restingRow()
  if (row) focusRow(row)
}

/** Moves from a checkbox to the next one of its column, including the header's. */
function walkBoxes(box: Element, step: 1 | -1) {
  const boxes = [...box.closest('table')!.querySelectorAll<HTMLElement>('.select-cell input')]
  const next = boxes[boxes.indexOf(box as HTMLElement) + step]
  if (next) focusRow(next.closest('tr')!, next)
}

function walk(step: 1 | -1, { key }: KeyboardEvent): boolean {
  const here = document.activeElement
  if (here?.matches('.table-frame .select-cell input')) {
    walkBoxes(here, step)
    return true
  }
  const row = rowOf(here)
  // Outside of rows, arrow keys scroll the page and open menus; letters reach the table from
  // anywhere.
  if (key.startsWith('Arrow') && (!row || here!.matches('[aria-haspopup]'))) return false
  const rows = rowsOfPage()
  const next = row ? rows[rows.indexOf(row) + step] : restingRow()
  if (next) focusRow(next)
  return Boolean(next ?? row)
}

/** Clicks the matching element in the focused row. False if there is none. */
function click(selector: string, shiftKey = false): boolean {
  const found = rowOf(document.activeElement)?.querySelector<HTMLElement>(selector)
  found?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }))
  return found !== undefined && found !== null
}

/** Opens the row's menu like a key press on its button, with the focus on the first item. */
function openMenu(): boolean {
  const button = rowOf(document.activeElement)?.querySelector<HTMLElement>('.actions-cell button')
  button?.focus({ preventScroll: true })
  const down = { key: 'ArrowDown', bubbles: true, cancelable: true }
  button?.dispatchEvent(new KeyboardEvent('keydown', down))
  return button !== undefined && button !== null
}

/** Row shortcuts for all tables of the page. */
export function useRowShortcuts(): void {
  useShortcuts({
    nextRow: (event) => walk(1, event),
    previousRow: (event) => walk(-1, event),
    selectRow: () => click('.select-cell input'),
    selectRows: () => click('.select-cell input', true),
    actions: openMenu,
    // Focused links and buttons handle the key themselves.
    openRow: () => document.activeElement!.matches('.select-cell input') && click('.cell-link'),
  })
}

/**
 * Ref of a table that makes one row the only tab stop: the last focused one, or else the first.
 * Row navigation reaches the controls of other rows. When that row disappears, its successor
 * becomes the tab stop and takes over the focus.
 */
export function roveRows(table: HTMLTableElement | null) {
  if (!table) return undefined
  let current: Element | undefined
  let place = 0
  let visited = false
  const apply = () => {
    // The head of a group may have nothing to focus.
    const rows = [...table.querySelectorAll('tbody tr:not(.group-row:not(:has(button)))')]
    const isGone = current?.isConnected === false
    if (!current?.isConnected) current = rows[Math.min(place, rows.length - 1)]
    place = current ? rows.indexOf(current) : 0
    if (isGone && visited && current && document.activeElement === document.body) focusRow(current)
    for (const row of rows) {
      const tabIndex = row === current ? 0 : -1
      for (const stop of stopsOf(row)) if (stop.tabIndex !== tabIndex) stop.tabIndex = tabIndex
    }
  }
  const onFocus = ({ target }: FocusEvent) => {
    const row = rowOf(target as Element)
    visited = true
    if (!row || row === current) return
    current = row
    apply()
  }
  apply()
  // Rows come and go, and buttons are replaced once the code of their menus is loaded.
  const observer = new MutationObserver(apply)
  observer.observe(table, { childList: true, subtree: true })
  table.addEventListener('focusin', onFocus)
  return () => {
    observer.disconnect()
    table.removeEventListener('focusin', onFocus)
  }
}
