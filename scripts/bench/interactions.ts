/** How long a user waits for the rows of a list. */
import type { Page } from '@playwright/test'

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

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

type Shown = 'first row' | 'last address' | 'scroll position'
interface Timer {
  /** Waits for an event, then until the page shows something else. @returns milliseconds */
  timed: (event: string, shows: Shown) => Promise<number>
  watched: { time?: Promise<number> }
}

/** In the page, where nothing but what a person waits for is measured. */
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
          // The frame that is about to be painted shows it; a task comes after.
          setTimeout(() => resolve(performance.now() - began!), 0)
        }
      }
      requestAnimationFrame(look)
    })
  Object.assign(window, { timed, watched: {} })
}

/** Each key after this text finds different rows from the one before. */
const BEGINNING = 'ce-0'
const KEYS = ['1', '9', '9', '9', ...Array<string>(4).fill('Backspace')]
/** Each click brings another first row, the last one that of the beginning. */
const HEADERS = ['Memory', 'Memory', 'created', 'name', 'name', 'name']
const ROUNDS = 4
const PAGES = 12
const TURNS = 20

/** Uses the list of instances that is open. */
export async function interactionFigures(page: Page): Promise<Interactions> {
  await page.evaluate(installTimer)
  const time = async (event: string, shows: Shown, act: () => Promise<void>) => {
    // It listens before anything happens.
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
