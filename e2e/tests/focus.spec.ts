/** Whatever Tab reaches is seen: no bar, notice or toast covers it (WCAG 2.2, 2.4.11). */
import type { Page } from '@playwright/test'
import { pages } from '../support/pages.ts'
import { pagesScene } from '../support/pages-scene.ts'
import { navigate } from '../support/tab.ts'
import { expect, test, visit } from '../support/test.ts'

test.use({ scene: pagesScene })
visit.use({ scene: pagesScene })

/** More than any page has. */
const STOPS_MAX = 400

/**
 * What has the focus, and whether something else is on top at all of its points; undefined if
 * nothing of the page has it.
 */
const focusOn = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (!focused || focused === document.body) return undefined
    // The fields of switches and choices are transparent, or a pixel large: their label is seen.
    const isTiny = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return width < 4 || height < 4
    }
    const shown = isTiny(focused) ? (focused.closest('label') ?? focused.parentElement!) : focused
    const { left, top, width, height } = shown.getBoundingClientRect()
    const isOnTop = (across: number, down: number) => {
      const at = document.elementFromPoint(left + width * across, top + height * down)
      return at !== null && (shown.contains(at) || at.closest('label')?.contains(shown) === true)
    }
    const parts = [0.1, 0.5, 0.9]
    const label = focused.getAttribute('aria-label') ?? focused.textContent ?? ''
    return {
      name: `${focused.tagName.toLowerCase()} ${label.trim().slice(0, 60) || focused.id}`,
      isHidden: !parts.some((across) => parts.some((down) => isOnTop(across, down))),
    }
  })

/** Goes through a page by Tab, from its beginning to its end. */
async function hiddenStops(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    window.scrollTo(0, 0)
    ;(document.activeElement as HTMLElement | null)?.blur()
  })
  const hidden: string[] = []
  for (let stops = 0; stops < STOPS_MAX; stops++) {
    await page.keyboard.press('Tab')
    const focus = await focusOn(page)
    if (!focus) return hidden
    if (focus.isHidden) hidden.push(focus.name)
  }
  return [...hidden, `no end after ${STOPS_MAX} stops`]
}

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 700 },
]

for (const path of ['/projects/mill/instances-new', '/projects/mill/schedules-new']) {
  visit(`Tab reaches nothing hidden on ${path}`, async ({ tab }) => {
    const page = await tab.show(path)
    tab.leaveAfterwards()
    for (const size of sizes) {
      await page.setViewportSize(size)
      expect(await hiddenStops(page), `at ${size.width}`).toEqual([])
    }
  })
}

// Opened elements hold the focus, and the pages of sign-ins lead to others.
const walked = Object.values(pages).filter(({ path, open }) => !open && !path.startsWith('/login'))
const WALKS = 12

for (let walk = 0; walk < WALKS; walk++) {
  test(`Tab reaches nothing hidden on the pages of walk ${walk + 1} @long`, async ({
    page,
    consoleErrors,
  }) => {
    consoleErrors.expect(/./)
    await page.goto('/projects')
    const found: string[] = []
    for (const [index, { path }] of walked.entries()) {
      if (index % WALKS !== walk) continue
      await navigate(page, path)
      for (const size of sizes) {
        await page.setViewportSize(size)
        for (const stop of await hiddenStops(page)) found.push(`${size.width} ${path}: ${stop}`)
      }
    }
    expect(found).toEqual([])
  })
}
