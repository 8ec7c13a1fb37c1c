/** The element in which focus stays: that of the topmost dialog, or the page. */
export const focusable = (): Element =>
  [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1) ?? document.body

/** A text area, which has no selection yet. */
export function textArea(text: string): HTMLTextAreaElement {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.setAttribute('aria-label', 'Text to copy')
  return area
}
