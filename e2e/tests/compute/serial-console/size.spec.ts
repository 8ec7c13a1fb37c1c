import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from '../../../support/accessibility.ts'
import {
  find,
  lines,
  openConsole,
  runningInstance,
  screen,
  searchBar,
} from '../../../support/terminal.ts'
import { expect, test } from '../../../support/test.ts'

/** In the input, and again in the output: xterm rewraps the line of the cursor once. */
const LETTERS = 500

async function letters(page: Page): Promise<number> {
  const texts = await lines(page).allTextContents()
  return texts.join('').match(/Z/g)?.length ?? 0
}

/** Rows and columns: a long line fills the first row it is in. */
async function size(page: Page) {
  const texts = await lines(page).allTextContents()
  return { rows: texts.length, columns: Math.max(...texts.map((text) => text.trimEnd().length)) }
}

/** Waits until the terminal fills its space, up to less than a row and a column. */
async function expectFitting(page: Page): Promise<void> {
  await expect(async () => {
    const { rows, columns } = await size(page)
    const place = (await screen(page).boundingBox())!
    const drawn = (await screen(page).locator('.xterm-screen').boundingBox())!
    const row = drawn.height / rows
    const column = drawn.width / columns
    // The scroll bar has separate space.
    expect(place.width - drawn.width).toBeGreaterThanOrEqual(0)
    expect(place.width - drawn.width).toBeLessThan(column + 20)
    expect(place.height - drawn.height).toBeGreaterThanOrEqual(0)
    expect(place.height - drawn.height).toBeLessThan(row)
    // Cells have the font's metrics, so the numbers are correct and not just consistent.
    expect(column).toBeCloseTo(13 * 0.6, 0)
  }).toPass()
}

test.beforeEach(async ({ page, project, seed }) => {
  await runningInstance(project.name, seed)
  await openConsole(page)
  await page.keyboard.type(`printf ${'Z'.repeat(LETTERS)}\\n\n`)
  await expect.poll(() => letters(page)).toBe(2 * LETTERS)
})

test('follows the window, the sidebar and a phone @long', async ({ page }) => {
  await expectFitting(page)
  const wide = await size(page)

  await page.setViewportSize({ width: 1000, height: 600 })
  await expect.poll(async () => (await size(page)).columns).toBeLessThan(wide.columns)
  await expectFitting(page)
  const small = await size(page)
  expect(small.rows).toBeLessThan(wide.rows)

  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  await expect.poll(async () => (await size(page)).columns).toBeGreaterThan(small.columns)
  await expectFitting(page)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(async () => (await size(page)).columns).toBeLessThan(60)
  await expectFitting(page)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)

  // No part of the line was lost, and the terminal stayed at its end. Lines for screen readers are
  // drawn at most once a second.
  await expect.poll(() => letters(page)).toBe(2 * LETTERS)
  await expect(lines(page).last()).toHaveText(/^wheel:~#/)
  await find(page, 'firmware')
  await expect(searchBar(page).getByRole('status')).toHaveText('1 of 1')
  await expectNoSidewaysScroll(page)
  await expect(searchBar(page).getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
})
