/** Time until the list of instances is on the screen, without a cache. */
import type { Browser, BrowserContext, Page, Response } from '@playwright/test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { password } from './host.ts'
import { addressOf } from './seed.ts'
import { median } from './median.ts'

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

interface Weight {
  files: number
  bytes: number
  gzip: number
  brotli: number
}

export interface PageLoads {
  script: Weight
  style: Weight
  /** Requests until the table is on the screen. */
  requests: number
  /**
   * Milliseconds from opening the address until the rows in view are painted; median, like all of
   * these.
   */
  tableMs: number
  /** Until all rows are painted. */
  allRowsMs: number
  /** Second visit, with the files in the cache. */
  warmMs: number
  /** First visit over a slow connection, `DISTANT`. */
  distantMs: number
  /** From the answer with the rows to their painting. */
  paintMs: number
  /** From opening the sign-in page, the smallest page, to its painting. */
  signInMs: number
}

const LOADS = 9
/** A connection across an ocean: 150 ms round trip, 10 Mbit/s. */
const DISTANT = { latency: 150, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 }
export const viewport = { width: 1440, height: 900 }
const none = (): Weight => ({ files: 0, bytes: 0, gzip: 0, brotli: 0 })

function add(weight: Weight, body: Buffer): void {
  weight.files++
  weight.bytes += body.length
  weight.gzip += gzipSync(body, { level: 9 }).length
  weight.brotli += brotliCompressSync(body).length
}

interface Seen {
  painted: number
  allPainted: number
  answered: number
  /** Addresses loaded until then, except the page itself. */
  loaded: string[]
}

/** The nth element matching a selector, once it has a text. */
interface Wanted {
  selector: string
  text: string
  count: number
  /** Number of elements beyond those in view. */
  all: number
}

/** The window has room for 16 rows. */
const rows: Wanted = { selector: 'tbody tr', text: addressOf(15), count: 16, all: 50 }
const signInButton: Wanted = { selector: 'form button', text: 'Sign in', count: 1, all: 1 }

/**
 * Runs in the page, by its own clock: records the painting of an element, and the files loaded
 * until then.
 */
function watch({ selector, text, count, all }: Wanted): void {
  const there = (isThere: (found: NodeListOf<Element>) => boolean) =>
    new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!isThere(document.querySelectorAll(selector))) return
        observer.disconnect()
        resolve()
      })
      observer.observe(document, { childList: true, subtree: true, characterData: true })
    })
  const paintedAt = () =>
    new Promise<number>((resolve) => {
      requestAnimationFrame(() => {
        // The frame is painted after this; a message arrives after the frame.
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => resolve(performance.now()))
        port1.start()
        port2.postMessage(0)
      })
    })
  const see = async (): Promise<Seen> => {
    const allThere = there((found) => found.length >= all).then(paintedAt)
    await there((found) => found.length >= count && found[count - 1]!.textContent.includes(text))
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const answer = loaded.find(({ name }) => /\/v1\/instances\?/.test(name))
    return {
      painted: await paintedAt(),
      allPainted: await allThere,
      answered: answer?.responseEnd ?? 0,
      loaded: loaded.map(({ name }) => name),
    }
  }
  Object.assign(window, { seen: see() })
}

const seenIn = (page: Page): Promise<Seen> =>
  page.evaluate(() => (window as unknown as { seen: Promise<Seen> }).seen)

export async function signInTo(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login/main/local`)
  await page.getByPlaceholder('Username').fill('admin')
  await page.getByPlaceholder('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor()
}

/** Milliseconds until the list of a console is painted, on a first visit over a slow connection. */
async function distantLoad(browser: Browser, address: string, storageState: StorageState) {
  const context = await browser.newContext({ storageState, viewport })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', { offline: false, ...DISTANT })
  await page.addInitScript(watch, rows)
  await page.goto(address)
  const { painted } = await seenIn(page)
  await context.close()
  return painted
}

/** Opens the list of each console in turn, so that a busy machine slows down all of them. */
export async function pageLoads(
  browser: Browser,
  urls: string[],
  project: string,
): Promise<PageLoads[]> {
  const consoles = await Promise.all(
    urls.map(async (url) => {
      const context = await browser.newContext({ viewport })
      await signInTo(await context.newPage(), url)
      const storageState = await context.storageState()
      await context.close()
      const weights = { script: none(), style: none() }
      return {
        url,
        storageState,
        weights,
        loads: [] as Seen[],
        warm: [] as number[],
        distant: [] as number[],
        signIns: [] as number[],
      }
    }),
  )
  for (let round = 0; round < LOADS; round++) {
    for (const { url, storageState, weights, loads, warm, distant, signIns } of consoles) {
      const address = `${url}/projects/${project}/instances`
      const fresh = await browser.newContext({ storageState, viewport })
      const page = await fresh.newPage()
      const responses: Response[] = []
      page.on('response', (response) => void responses.push(response))
      await page.addInitScript(watch, rows)
      await page.goto(address)
      const seen = await seenIn(page)
      loads.push(seen)
      for (const response of round === 0 ? responses : []) {
        // Later loads in idle time do not count.
        if (!seen.loaded.includes(response.url())) continue
        const type = response.request().resourceType()
        if (type === 'script') add(weights.script, await response.body())
        if (type === 'stylesheet') add(weights.style, await response.body())
      }
      await page.goto(address)
      warm.push((await seenIn(page)).painted)
      await fresh.close()
      distant.push(await distantLoad(browser, address, storageState))
      const signedOut = await browser.newContext({ viewport })
      const form = await signedOut.newPage()
      await form.addInitScript(watch, signInButton)
      await form.goto(`${url}/login/main/local`)
      signIns.push((await seenIn(form)).painted)
      await signedOut.close()
    }
  }
  return consoles.map(({ weights, loads, warm, distant, signIns }) => ({
    ...weights,
    // The page itself is one more.
    requests: loads[0]!.loaded.length + 1,
    tableMs: median(loads.map(({ painted }) => painted)),
    allRowsMs: median(loads.map(({ allPainted }) => allPainted)),
    warmMs: median(warm),
    distantMs: median(distant),
    paintMs: median(loads.map(({ painted, answered }) => painted - answered)),
    signInMs: median(signIns),
  }))
}
