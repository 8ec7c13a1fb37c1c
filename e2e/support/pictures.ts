import { join } from 'node:path'
import type { Page } from '@playwright/test'

const folder = process.env.STEADING_PICTURES

const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

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
