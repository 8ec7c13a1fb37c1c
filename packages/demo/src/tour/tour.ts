import { buttonClass } from '@steading/console/src/ui/button.tsx'
import { element } from '../host/element.ts'
import { highlight } from './highlight.ts'
import { rememberStep } from './progress.ts'
import { steps } from './steps.ts'
import './tour.css'

/** Addresses of the console's pages. */
export interface Pages {
  /** Path and search of the present page. */
  here: () => string
  go: (path: string) => void
  /** @returns a function that ends the subscription */
  onArrival: (arrived: () => void) => () => void
}

export interface OpenTour {
  /** Moves the focus to the card. */
  focus: () => void
}

const button = (text: string, variant: 'primary' | 'secondary' | 'ghost') =>
  element('button', { type: 'button', class: buttonClass(variant, 'sm') }, text)

/**
 * Shows the card of the tour at the edge of the page, beside which the console stays usable.
 * @param ended called when the visitor leaves it
 */
export function openTour(first: number, pages: Pages, ended: () => void): OpenTour {
  let at = Math.min(first, steps.length - 1)
  let unmark = () => {}
  /** Where the focus was before it came here. */
  let opener: HTMLElement | null = null
  const title = element('h2', { id: 'tour-title', tabindex: '-1' })
  const text = element('p', {})
  const link = element('a', {})
  const count = element('span', { class: 'tour-count' })
  const leave = button('Leave', 'ghost')
  const previous = button('Previous', 'secondary')
  const next = button('Next', 'primary')
  const card = element(
    'section',
    { 'aria-labelledby': 'tour-title', class: 'tour' },
    element('div', { 'aria-live': 'polite' }, count, title, text),
    link,
    element('div', { class: 'tour-buttons' }, leave, previous, next),
  )

  const isThere = () => {
    const [path] = steps[at]!.path.split('?')
    return pages.here().split('?')[0] === path
  }
  const mark = () => {
    // Sign-in pages have room for nothing else.
    card.toggleAttribute('hidden', /^\/(login|device)\//.test(pages.here()))
    unmark()
    unmark = isThere() ? highlight(steps[at]!.target) : () => {}
  }
  const show = () => {
    const step = steps[at]!
    count.textContent = `Tour, step ${at + 1} of ${steps.length}`
    title.textContent = step.title
    text.textContent = step.text
    link.textContent = step.link
    link.href = step.path
    // It keeps its place, so that the other buttons do not move.
    previous.setAttribute('aria-disabled', String(at === 0))
    next.textContent = at === steps.length - 1 ? 'Finish' : 'Next'
    mark()
  }
  const move = (by: number) => {
    if (at + by < 0) return
    if (at + by === steps.length) return close()
    at += by
    rememberStep(localStorage, at)
    show()
  }
  const unsubscribe = pages.onArrival(mark)
  const close = () => {
    unsubscribe()
    unmark()
    const hadFocus = card.contains(document.activeElement)
    card.remove()
    rememberStep(localStorage, undefined)
    ended()
    if (!hadFocus) return
    const content = document.querySelector<HTMLElement>('#content')
    ;(opener?.isConnected ? opener : content)?.focus({ preventScroll: true })
  }

  leave.addEventListener('click', close)
  previous.addEventListener('click', () => move(-1))
  next.addEventListener('click', () => move(1))
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    pages.go(steps[at]!.path)
  })
  card.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
  })
  show()
  document.body.append(card)
  return {
    focus() {
      opener = document.activeElement as HTMLElement | null
      title.focus()
    },
  }
}
