/** Elements that Tab reaches are visible: no bar or toast covers them (WCAG 2.2, 2.4.11). */
import type { Page } from '@playwright/test'
import { pagesScene } from '../support/pages-scene.ts'
import { expect, visit } from '../support/test.ts'

visit.use({ scene: pagesScene })

declare global {
  // eslint-disable-next-line no-var -- a property of the page
  var seen: { first?: Element }
}

/** More than any page has. */
const STOPS_MAX = 400

/**
 * The focused element, and whether something else covers all of its points; undefined if
 * nothing of the page has it, or if it is back at the beginning, as in a dialog.
 */
const focusOn = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (!focused || focused === document.body || focused === seen.first) return undefined
    seen.first ??= focused
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
    globalThis.seen = {}
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

// The forms with the highest bars, each where most of its stops were below them.
const forms = [
  { path: '/projects/mill/instances-new', size: sizes[0]! },
  { path: '/projects/mill/schedules-new', size: sizes[1]! },
]

for (const { path, size } of forms) {
  const tag = path === forms[0]!.path ? [] : ['@long']
  visit(`Tab reaches nothing hidden on ${path}`, { tag }, async ({ tab }) => {
    const page = await tab.show(path)
    tab.leaveAfterwards()
    await page.setViewportSize(size)
    expect(await hiddenStops(page)).toEqual([])
  })
}
