/** Time that a user waits for the rows of a list. */
import type { Page } from '@playwright/test'
import { median } from './median.ts'

export interface Interactions {
  /** Milliseconds from a key in the search field to the painted rows; median. */
  searchMs: number
  /** From a click on a header to the painted rows; median. */
  sortMs: number
  /** The longest of both. */
  longestMs: number
  /** From a click on "next" to the painted rows and their addresses; median. */
  nextMs: number
  /** From a turn of the wheel to the frame that shows it; median and longest. */
  scrollMs: number
  longestScrollMs: number
}

type Shown = 'first row' | 'last address' | 'scroll position'
interface Timer {
  /**
   * Waits for an event, then until the page shows a change.
   * @returns milliseconds
   */
  timed: (event: string, shows: Shown) => Promise<number>
  watched: { time?: Promise<number> }
}

/** Runs in the page, to measure only what a user waits for. */
function installTimer(): void {
  const read = {
    'first row': () => document.querySelector('tbody tr')?.textContent,
    'last address': () => document.querySelector('tbody tr:last-child a[target]')?.textContent,
    'scroll position': () => scrollY,
  }
  const timed: Timer['timed'] = (event, shows) =>
    new Promise((resolve, reject) => {
      const before = read[shows]()
      let began: number | undefined
      addEventListener(event, ({ timeStamp }) => (began = timeStamp), { capture: true, once: true })
      const giveUp = setTimeout(() => reject(new Error(`${event} shows no other ${shows}`)), 10_000)
      const look = () => {
        const now = read[shows]()
        if (began === undefined || now === undefined || now === before) requestAnimationFrame(look)
        else {
          clearTimeout(giveUp)
          // The next frame shows it; a task runs after that.
          setTimeout(() => resolve(performance.now() - began!), 0)
        }
      }
      requestAnimationFrame(look)
    })
  Object.assign(window, { timed, watched: {} })
}

/** Each further key finds other rows. */
const BEGINNING = 'ce-0'
const KEYS = ['1', '9', '9', '9', ...Array<string>(4).fill('Backspace')]
/** Each click changes the first row; the last one restores the initial order. */
const HEADERS = ['Memory', 'Memory', 'created', 'name', 'name', 'name']
const ROUNDS = 4
const PAGES = 12
const TURNS = 20

/** Uses the open list of instances. */
export async function interactionFigures(page: Page): Promise<Interactions> {
  await page.evaluate(installTimer)
  const time = async (event: string, shows: Shown, act: () => Promise<void>) => {
    // Start listening before the event.
    await page.evaluate(
      ([on, what]) => {
        const { watched, timed } = window as unknown as Timer
        watched.time = timed(on!, what as Shown)
      },
      [event, shows],
    )
    await act()
    return page.evaluate(() => (window as unknown as Timer).watched.time!)
  }
  const search = page.getByRole('searchbox')
  await search.fill(BEGINNING)
  await page.getByText('of 10,000+ instances').waitFor()
  const searches: number[] = []
  const sorts: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await search.focus()
    for (const key of KEYS) {
      searches.push(await time('keydown', 'first row', () => page.keyboard.press(key)))
    }
    for (const header of HEADERS) {
      const button = page
        .getByRole('columnheader', { name: header, exact: true })
        .getByRole('button')
      sorts.push(await time('pointerdown', 'first row', () => button.click()))
    }
  }
  await search.fill('')
  await page.getByText('of 10,000+ instances').waitFor({ state: 'hidden' })
  const next = page.getByRole('button', { name: 'next' })
  const pages: number[] = []
  for (let count = 0; count < PAGES; count++) {
    pages.push(await time('pointerdown', 'last address', () => next.click()))
  }
  const scrolls: number[] = []
  await page.mouse.move(700, 500)
  for (let turn = 0; turn < TURNS; turn++) {
    const distance = turn < TURNS / 2 ? 120 : -120
    scrolls.push(await time('wheel', 'scroll position', () => page.mouse.wheel(0, distance)))
  }
  return {
    searchMs: median(searches),
    sortMs: median(sorts),
    nextMs: median(pages),
    longestMs: Math.max(...searches, ...sorts),
    scrollMs: median(scrolls),
    longestScrollMs: Math.max(...scrolls),
  }
}
