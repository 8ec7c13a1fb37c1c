/**
 * Closes the gap between the ellipsis and the end of names that are cut in the middle (`cut.tsx`).
 * The browser cuts at whole letters, so up to a letter of the first part's room stays empty. The end
 * is drawn that much earlier; sizes stay as they are.
 */

const widths = new Map<string, number>()

function ellipsisWidth({ fontWeight, fontSize, fontFamily }: CSSStyleDeclaration): number {
  const font = `${fontWeight} ${fontSize} ${fontFamily}`
  const known = widths.get(font)
  if (known !== undefined) return known
  const context = document.createElement('canvas').getContext('2d')!
  context.font = font
  const { width } = context.measureText('…')
  widths.set(font, width)
  return width
}

/** Pixels by which a measured text may be narrower than the drawn one. */
const SLACK = 0.5

/** The empty room after the ellipsis; 0 if nothing is cut. */
function gapOf(name: HTMLElement): number {
  const { start } = name.dataset
  // The whole name, which lies invisibly above its parts.
  const text = name.querySelector('span')?.firstChild
  if (!start || !(text instanceof Text) || text.length <= start.length) return 0
  const range = document.createRange()
  const widthOf = (from: number, to: number) => {
    range.setStart(text, from)
    range.setEnd(text, to)
    return range.getBoundingClientRect().width
  }
  const room = name.getBoundingClientRect().width - widthOf(start.length, text.length)
  if (widthOf(0, start.length) <= room + SLACK) return 0
  const left = room - ellipsisWidth(getComputedStyle(name))
  let [fits, tooMany] = [0, start.length + 1]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (widthOf(0, middle) <= left + SLACK) fits = middle
    else tooMany = middle
  }
  // The browser always shows a letter.
  return fits === 0 ? 0 : Math.max(0, left - widthOf(0, fits) - SLACK)
}

/** All measurements precede all changes, which would force another layout each. */
function fit(names: readonly HTMLElement[]): void {
  const gaps = names.map(gapOf)
  for (const [index, name] of names.entries()) {
    if (gaps[index]! > 0) name.style.setProperty('--gap', `${gaps[index]}px`)
    else name.style.removeProperty('--gap')
  }
}

const isElement = (node: Node): node is HTMLElement => node instanceof HTMLElement

const cutIn = (element: HTMLElement): HTMLElement[] => [
  ...(element.matches('.cut') ? [element] : []),
  ...element.querySelectorAll<HTMLElement>('.cut'),
]

/** Watches all names of the page, for as long as it is open. */
export function closeCutGaps(): void {
  const sizes = new ResizeObserver((entries) => fit(entries.map(({ target }) => target as never)))
  const watch = (elements: readonly HTMLElement[]) => {
    for (const element of elements) for (const name of cutIn(element)) sizes.observe(name)
  }
  watch([document.body])
  new MutationObserver((changes) => {
    watch(changes.flatMap(({ addedNodes }) => [...addedNodes].filter(isElement)))
    // Another text in a place of the same size.
    const changed = changes.flatMap(({ type, target }) => (type === 'attributes' ? target : []))
    if (changed.length > 0) {
      requestAnimationFrame(() =>
        fit((changed as HTMLElement[]).filter((name) => name.isConnected)),
      )
    }
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-start'] })
}
