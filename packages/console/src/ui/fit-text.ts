/** Elements with their full text, and the width it was cut to. */
const fitted = new Map<Element, { text: string; width: number }>()
const unmeasured = new Set<HTMLElement>()
const SHORTEST = 5

/** Keeps `length` graphemes at both ends of the text, around an ellipsis. */
export function cutMiddle(text: string, length: number): string {
  const graphemes = [...new Intl.Segmenter().segment(text)].map((part) => part.segment)
  if (graphemes.length <= length) return text
  const end = Math.floor((length - 1) / 2)
  const start = length - 1 - end
  return `${graphemes.slice(0, start).join('')}…${end ? graphemes.slice(-end).join('') : ''}`
}

/** First measure all, then change all: alternating would cause one layout per element. */
function fit(elements: HTMLElement[]) {
  const cuts = elements.map((element) => {
    const { text } = fitted.get(element)!
    if (element.textContent !== text) element.textContent = text
    return { element, text, length: text.length }
  })
  for (let round = cuts; round.length > 0;) {
    round = round.filter(({ element, length }) => {
      return length > SHORTEST && element.scrollWidth > element.clientWidth
    })
    const lengths = round.map(({ element: { clientWidth, scrollWidth }, length }) =>
      Math.min(length - 1, Math.floor((length * clientWidth) / scrollWidth)),
    )
    for (const [index, cut] of round.entries()) {
      cut.length = Math.max(SHORTEST, lengths[index]!)
      cut.element.textContent = cutMiddle(cut.text, cut.length)
    }
  }
  const widths = elements.map(({ clientWidth }) => clientWidth)
  for (const [index, { element, text }] of cuts.entries()) {
    element.toggleAttribute('data-truncated', element.textContent !== text)
    fitted.set(element, { text, width: widths[index]! })
  }
}

/** A single observer, created lazily because the module also loads outside of browsers. */
let observer: ResizeObserver | undefined

function onResize(entries: ResizeObserverEntry[]) {
  const elements = entries.map(({ target }) => target as HTMLElement)
  fit(elements.filter((element) => element.clientWidth !== fitted.get(element)?.width))
}

function fitUnmeasured() {
  const elements = [...unmeasured]
  unmeasured.clear()
  fit(elements)
  observer ??= new ResizeObserver(onResize)
  for (const element of elements) observer.observe(element)
}

/**
 * Writes a text into an element, cut in the middle to fit its width, and again on resize. All
 * texts of one render are measured together, before they are painted.
 * @returns stops fitting
 */
export function fitText(element: HTMLElement, text: string): () => void {
  element.textContent = text
  fitted.set(element, { text, width: -1 })
  if (unmeasured.size === 0) queueMicrotask(fitUnmeasured)
  unmeasured.add(element)
  return () => {
    observer?.unobserve(element)
    unmeasured.delete(element)
    fitted.delete(element)
  }
}
