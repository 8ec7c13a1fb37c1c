import { chromium, type Page } from '@playwright/test'
import { chooseBrowser, launchArguments, prepareBrowser } from '../../e2e/browser.ts'
import { type Interactions, interactionFigures } from './interactions.ts'
import { median } from './median.ts'
import { type PageLoads, pageLoads, signInTo, viewport } from './page-loads.ts'

export interface BrowserFigures {
  loads: PageLoads
  /** Of the other console, measured in turn with ours. */
  others?: PageLoads
  /** Milliseconds from a click on a link to the heading of the next page; median. */
  navigationMs: number
  interactions: Interactions
}

const NAVIGATIONS = 11

/** Navigates between two lists by their links. */
async function navigationMs(page: Page): Promise<number> {
  const times: number[] = []
  for (let navigation = 0; navigation < NAVIGATIONS; navigation++) {
    times.push(
      await page.evaluate(
        async (name) => {
          const find = (selector: string) =>
            [...document.querySelectorAll<HTMLElement>(selector)].find(
              (element) => element.textContent?.trim() === name,
            )
          const at = performance.now()
          find('nav[aria-label^="Sidebar navigation"] a')!.click()
          while (!find('h1')) await new Promise(requestAnimationFrame)
          return performance.now() - at
        },
        navigation % 2 === 0 ? 'Disks' : 'Instances',
      ),
    )
  }
  // The first visit of a page loads its code; later visits are typical.
  return median(times.slice(2))
}

/**
 * Opens and uses the list of instances in a real browser.
 * @param other address of another version with the same instances
 */
export async function browserFigures(
  url: string,
  project: string,
  other?: string,
): Promise<BrowserFigures> {
  prepareBrowser()
  const browser = await chromium.launch({ ...chooseBrowser(), args: launchArguments })
  try {
    const [loads, others] = await pageLoads(browser, other ? [url, other] : [url], project)
    const page = await browser.newPage({ viewport })
    await signInTo(page, url)
    const open = async () => {
      await page.goto(`${url}/projects/${project}/instances`)
      await page.getByRole('link', { name: 'instance-000049' }).waitFor()
    }
    await open()
    const navigation = await navigationMs(page)
    await open()
    const interactions = await interactionFigures(page)
    return { loads: loads!, others, navigationMs: navigation, interactions }
  } finally {
    await browser.close()
  }
}
