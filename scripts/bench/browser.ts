import { chromium, type Page } from '@playwright/test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { chooseBrowser, launchArguments, prepareBrowser } from '../../e2e/browser.ts'
import { password } from './host.ts'
import { memoryFigures, type MemoryFigures } from './memory.ts'
import { type Interactions, interactionFigures } from './interactions.ts'
import { addressOf } from './seed.ts'

interface Weight {
  files: number
  bytes: number
  gzip: number
  brotli: number
}

export interface BrowserFigures {
  script: Weight
  style: Weight
  requests: number
  /** Milliseconds from opening the address to the last row with its address, nothing cached; median. */
  tableMs: number
  /** Milliseconds from a click on a link to the heading of the next page; median. */
  navigationMs: number
  memory: MemoryFigures
  interactions: Interactions
}

const LOADS = 5
const NAVIGATIONS = 11
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
const none = (): Weight => ({ files: 0, bytes: 0, gzip: 0, brotli: 0 })

function add(weight: Weight, body: Buffer): void {
  weight.files++
  weight.bytes += body.length
  weight.gzip += gzipSync(body, { level: 9 }).length
  weight.brotli += brotliCompressSync(body).length
}

/** Opens the list of instances and weighs what it takes. */
async function openList(page: Page, project: string) {
  const [script, style] = [none(), none()]
  let requests = 0
  const weighed: Promise<void>[] = []
  page.on('response', (response) => {
    requests++
    const type = response.request().resourceType()
    const weight = type === 'script' ? script : type === 'stylesheet' ? style : undefined
    if (weight) weighed.push(response.body().then((body) => add(weight, body)))
  })
  const began = performance.now()
  await page.goto(`/projects/${project}/instances`)
  const last = page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: 'instance-000049' }) })
  await last.getByRole('link', { name: addressOf(49) }).waitFor()
  const tableMs = performance.now() - began
  await Promise.all(weighed)
  // What later pages load is not counted any more.
  return { page, script: { ...script }, style: { ...style }, requests, tableMs }
}

/** Opens and uses the list of instances in a real browser. */
export async function browserFigures(url: string, project: string): Promise<BrowserFigures> {
  prepareBrowser()
  const browser = await chromium.launch({ ...chooseBrowser(), args: launchArguments })
  try {
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width: 1440, height: 900 },
    })
    const first = await context.newPage()
    await first.goto('/login/main/local')
    await first.getByPlaceholder('Username').fill('admin')
    await first.getByPlaceholder('Password').fill(password)
    await first.getByRole('button', { name: 'Sign in' }).click()
    await first.getByRole('heading', { name: 'Projects' }).waitFor()
    await first.close()

    const storageState = await context.storageState()
    // Each page in a fresh cache, with the session of the first.
    const opened: Awaited<ReturnType<typeof openList>>[] = []
    for (let load = 0; load < LOADS; load++) {
      const fresh = await browser.newContext({
        baseURL: url,
        storageState,
        viewport: { width: 1440, height: 900 },
      })
      opened.push(await openList(await fresh.newPage(), project))
      if (load < LOADS - 1) await fresh.close()
    }
    const { page, script, style, requests } = opened.at(-1)!
    const tableMs = median(opened.map((each) => each.tableMs))

    const times: number[] = []
    for (let navigation = 0; navigation < NAVIGATIONS; navigation++) {
      const [link, heading] = navigation % 2 === 0 ? ['Disks', 'Disks'] : ['Instances', 'Instances']
      times.push(
        await page.evaluate(
          async ([link, heading]) => {
            const find = (selector: string, text: string) =>
              [...document.querySelectorAll<HTMLElement>(selector)].find(
                (element) => element.textContent?.trim() === text,
              )
            const at = performance.now()
            find('nav[aria-label="Sidebar navigation"] a', link!)!.click()
            while (!find('h1', heading!)) await new Promise(requestAnimationFrame)
            return performance.now() - at
          },
          [link, heading],
        ),
      )
    }
    // The first visit of a page loads its code; later ones are what a day is made of.
    const steady = times.slice(2)
    await page.goto(`/projects/${project}/instances`)
    await page.getByRole('link', { name: 'instance-000049' }).waitFor()
    const interactions = await interactionFigures(page)
    const memory = await memoryFigures(page)
    return { script, style, requests, tableMs, navigationMs: median(steady), interactions, memory }
  } finally {
    await browser.close()
  }
}
