import { chromium, type Page } from '@playwright/test'
import { chooseBrowser, launchArguments } from '../../e2e/browser.ts'
import { signInTo, viewport } from './page-loads.ts'

export interface MemoryFigures {
  /** Bytes of live JavaScript objects after some navigations, and after many. */
  before: number
  after: number
  /** Live elements and other nodes of the document, and listeners, likewise. */
  nodesBefore: number
  nodesAfter: number
  listenersBefore: number
  listenersAfter: number
  few: number
  many: number
}

const FEW = 20
const MANY = 500
/** Sidebar entries that equal the headings of their pages. */
const tour = ['Disks', 'Images', 'Snapshots', 'Instances']

async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Sidebar navigation' }).getByText(name).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

/**
 * Memory of the console while a user navigates all day. Excludes the machine code of hot functions,
 * which the engine keeps generating for hours, because it would hide leaks of the console.
 */
export async function memoryFigures(url: string, project: string): Promise<MemoryFigures> {
  const browser = await chromium.launch({
    ...chooseBrowser(),
    args: [
      ...launchArguments,
      '--js-flags=--no-opt --no-maglev --no-sparkplug --no-flush-bytecode',
    ],
  })
  try {
    const page = await browser.newPage({ viewport })
    await signInTo(page, url)
    await page.goto(`${url}/projects/${project}/instances`)
    await page.getByRole('link', { name: 'instance-000049' }).waitFor()
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('Performance.enable')
    const live = async () => {
      await devTools.send('HeapProfiler.collectGarbage')
      const { metrics } = await devTools.send('Performance.getMetrics')
      const value = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value
      return {
        bytes: value('JSHeapUsedSize'),
        nodes: value('Nodes'),
        listeners: value('JSEventListeners'),
      }
    }
    /** The minimum of some tours: React keeps previous renderings for a while. */
    const least = async () => {
      const taken: Awaited<ReturnType<typeof live>>[] = []
      for (let round = 0; round < 4; round++) {
        for (const name of tour) await goTo(page, name)
        taken.push(await live())
      }
      return taken.toSorted((a, b) => a.bytes - b.bytes)[0]!
    }
    for (let done = 0; done < FEW; done++) await goTo(page, tour[done % tour.length]!)
    const before = await least()
    for (let done = FEW; done < MANY; done++) await goTo(page, tour[done % tour.length]!)
    const after = await least()
    return {
      before: before.bytes,
      after: after.bytes,
      nodesBefore: before.nodes,
      nodesAfter: after.nodes,
      listenersBefore: before.listeners,
      listenersAfter: after.listeners,
      few: FEW,
      many: MANY,
    }
  } finally {
    await browser.close()
  }
}
