/** Copying without the Clipboard API: from a text area, by the page or by the user. */
import { modKey } from './keyboard/shortcuts.ts'

/** The element in which focus stays: that of the topmost dialog, or the page. */
const focusable = (): Element =>
  [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1) ?? document.body

/** A text area, which has no selection yet. */
function textArea(text: string): HTMLTextAreaElement {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.setAttribute('aria-label', 'Text to copy')
  return area
}

/** Copies by a selection that nobody sees. @returns whether the browser did it */
export function copySelected(text: string): boolean {
  const focused = document.activeElement
  const area = textArea(text)
  area.className = 'fixed start-0 top-0 size-px opacity-0'
  const place = focused?.closest('[role=menu]') ?? focusable()
  place.append(area)
  area.select()
  let done = false
  try {
    done = document.execCommand('copy')
  } catch {
    // Not supported.
  }
  // First, so that no dialog or menu sees its focus disappear.
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  area.remove()
  return done
}

/** Shows a text to copy, selected, until it is copied or left. */
export function letCopy(text: string): void {
  const box = document.createElement('div')
  box.setAttribute('role', 'alert')
  box.className =
    'fixed inset-x-4 bottom-4 z-[100] mx-auto flex max-w-md flex-col gap-2 rounded-card border border-line-strong bg-floating p-3 text-sm shadow-floating'
  const area = textArea(text)
  area.rows = Math.min(Math.max(text.split('\n').length, 2), 6)
  area.className = 'field-control w-full resize-none font-mono text-xs'
  box.append(`Could not copy: press ${modKey}+C`, area)
  focusable().append(box)
  area.select()
  const listening = new AbortController()
  const end = () => {
    // Removal takes the focus, too.
    listening.abort()
    box.remove()
  }
  const { signal } = listening
  area.addEventListener('blur', end, { signal })
  area.addEventListener('copy', () => setTimeout(end), { signal })
  area.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      end()
    },
    { signal },
  )
}
