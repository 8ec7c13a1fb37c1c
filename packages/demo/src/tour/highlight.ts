import type { Step } from './steps.ts'

const MARK = 'data-tour'

const find = ({ selector, text }: Step['target']): Element | undefined =>
  [...document.querySelectorAll(selector)].find(
    (one) => text === undefined || one.textContent.trim() === text,
  )

/**
 * Outlines an element of the page as soon as it is there.
 * @returns a function that ends this
 */
export function highlight(target: Step['target']): () => void {
  let marked: Element | undefined
  const look = () => {
    const found = find(target)
    if (found === marked && found?.hasAttribute(MARK)) return
    marked?.removeAttribute(MARK)
    const isNew = marked === undefined
    marked = found
    found?.setAttribute(MARK, '')
    if (isNew) found?.scrollIntoView({ block: 'nearest' })
  }
  const observer = new MutationObserver(look)
  // The console draws pages anew, and elements of the same place then lose the mark.
  observer.observe(document.querySelector('#root')!, { childList: true, subtree: true })
  look()
  return () => {
    observer.disconnect()
    marked?.removeAttribute(MARK)
  }
}
