import { modKey } from './keyboard/shortcuts.ts'
import { focusable, textArea } from './text-to-copy.ts'

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
