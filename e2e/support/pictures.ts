import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { heading } from './ui.ts'

const folder = process.env.STEADING_PICTURES

export const DESK = { width: 1440, height: 900 }
const SIZES = { desk: DESK, phone: { width: 390, height: 844 } }

/**
 * Takes pictures of a page in both themes, on a desk and on a phone, if `STEADING_PICTURES` names a
 * folder for them. They are for people to look at, no test compares them.
 *
 * @param height of the window, for a page that is looked at as a whole
 */
export async function takePictures(page: Page, name: string, height?: number): Promise<void> {
  if (!folder) return
  const theme = await page.locator('html').getAttribute('data-theme')
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize({ ...viewport, height: height ?? viewport.height })
    for (const each of ['dark', 'light']) {
      await page.evaluate((value) => (document.documentElement.dataset.theme = value), each)
      const path = join(folder, `${name.replaceAll(' ', '-')}-${size}-${each}.png`)
      await page.screenshot({ path, animations: 'disabled' })
    }
  }
  await page.evaluate((value) => (document.documentElement.dataset.theme = value), theme ?? 'dark')
}

/** Takes pictures of a page, which is as wide as a desk again afterwards. */
export async function picture(page: Page, name: string, height?: number): Promise<void> {
  await takePictures(page, name, height)
  await page.setViewportSize(DESK)
}

export async function openAtDesk(page: Page, path: string, title: string): Promise<void> {
  await page.setViewportSize(DESK)
  await page.goto(path)
  await expect(heading(page, title)).toBeVisible()
}

/** Calls to a path fail, until the returned function is called. */
export async function fail(page: Page, path: RegExp, status = 500): Promise<() => void> {
  let failing = true
  const json = { message: 'It has come loose', request_id: 'e4b4c9bb-9e7c-4a6c-8c1d-4ad2b8e0a001' }
  await page.route(path, (route) => (failing ? route.fulfill({ status, json }) : route.fallback()))
  return () => {
    failing = false
  }
}
