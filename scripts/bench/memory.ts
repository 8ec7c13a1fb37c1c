import type { Page } from '@playwright/test'

export interface MemoryFigures {
  /** Bytes of live JavaScript objects after the first tour of the pages, and after many. */
  before: number
  after: number
  /** Elements and other nodes of the document that are alive, likewise. */
  nodesBefore: number
  nodesAfter: number
  navigations: number
}

const NAVIGATIONS = 200
/** Entries of the sidebar, which are headings of their pages as well. */
const tour = ['Disks', 'Images', 'Snapshots', 'Instances']

async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Sidebar navigation' }).getByText(name).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

/** The memory of the console while a user goes from page to page all day. */
export async function memoryFigures(page: Page): Promise<MemoryFigures> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Performance.enable')
  const live = async () => {
    await devTools.send('HeapProfiler.collectGarbage')
    const { metrics } = await devTools.send('Performance.getMetrics')
    const value = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value
    return { bytes: value('JSHeapUsedSize'), nodes: value('Nodes') }
  }
  // The first tours load the code of the pages and fill the caches.
  for (const name of [...tour, ...tour]) await goTo(page, name)
  const before = await live()
  for (let done = 0; done < NAVIGATIONS; done++) await goTo(page, tour[done % tour.length]!)
  const after = await live()
  return {
    before: before.bytes,
    after: after.bytes,
    nodesBefore: before.nodes,
    nodesAfter: after.nodes,
    navigations: NAVIGATIONS,
  }
}
