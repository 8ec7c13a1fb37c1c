/** Walking the rows of tables by keyboard. The focus is always on something in the row. */
import { useShortcuts } from './use-shortcut.ts'

const STOPS = 'a[href], button, input'

const stopsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>(STOPS)]

/** What opens the row, or else the first thing in it that can be used. */
const openerOf = (row: Element): HTMLElement | undefined =>
  row.querySelector<HTMLElement>('.cell-link') ?? stopsOf(row)[0]

/** The row of a table that an element is in. */
export const rowOf = (element: Element | null): HTMLTableRowElement | null =>
  element?.closest<HTMLTableRowElement>('.table-frame tbody tr') ?? null

/** The rows of all tables of the page that can be walked. */
const rowsOfPage = () =>
  [...document.querySelectorAll<HTMLTableRowElement>('main .table-frame tbody tr')].filter(
    (row) => openerOf(row) !== undefined,
  )

function focusRow(row: Element, target = openerOf(row)) {
  // The row, not only its link, must be clear of what sticks to the edges.
  target?.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
}

/** The row that Tab leads to. */
const restingRow = () =>
  rowsOfPage().find((row) => stopsOf(row).some(({ tabIndex }) => tabIndex === 0))

export function focusFirstRow(): void {
  const row = restingRow()
  if (row) focusRow(row)
}

/** From a checkbox to the next one of its column, that of the header included. */
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
  // Arrows scroll the page and open menus; letters reach the table from anywhere.
  if (key.startsWith('Arrow') && (!row || here!.matches('[aria-haspopup]'))) return false
  const rows = rowsOfPage()
  const next = row ? rows[rows.indexOf(row) + step] : restingRow()
  if (next) focusRow(next)
  return Boolean(next ?? row)
}

/** In the row of the focus, a click on what the selector finds. False if there is none. */
function click(selector: string, shiftKey = false): boolean {
  const found = rowOf(document.activeElement)?.querySelector<HTMLElement>(selector)
  found?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }))
  return found !== undefined && found !== null
}

/** Opens the menu of the row as its button does on this key, with the focus on the first item. */
function openMenu(): boolean {
  const button = rowOf(document.activeElement)?.querySelector<HTMLElement>('.actions-cell button')
  button?.focus({ preventScroll: true })
  const down = { key: 'ArrowDown', bubbles: true, cancelable: true }
  button?.dispatchEvent(new KeyboardEvent('keydown', down))
  return button !== undefined && button !== null
}

/** The shortcuts for rows, in all tables of the page. */
export function useRowShortcuts(): void {
  useShortcuts({
    nextRow: (event) => walk(1, event),
    previousRow: (event) => walk(-1, event),
    selectRow: () => click('.select-cell input'),
    selectRows: () => click('.select-cell input', true),
    actions: openMenu,
    // Links and buttons open by themselves.
    openRow: () => document.activeElement!.matches('.select-cell input') && click('.cell-link'),
  })
}

/**
 * The ref of a table. It makes one row the only one that Tab leads to: the row that had the focus
 * last, or else the first. What is in the other rows is reached by the keys that walk rows. When that
 * row goes, the one that takes its place follows it, also with the focus.
 */
export function roveRows(table: HTMLTableElement | null) {
  if (!table) return undefined
  let current: Element | undefined
  let place = 0
  let visited = false
  const apply = () => {
    const rows = [...table.querySelectorAll('tbody tr')]
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
  // Rows come and go, and buttons are replaced once the code of their menus is there.
  const observer = new MutationObserver(apply)
  observer.observe(table, { childList: true, subtree: true })
  table.addEventListener('focusin', onFocus)
  return () => {
    observer.disconnect()
    table.removeEventListener('focusin', onFocus)
  }
}
