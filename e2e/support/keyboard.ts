import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'

/** Presses Tab until an element has the focus, like a user without a mouse. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const focused = () => target.evaluate((element) => element === document.activeElement)
  for (let stops = 0; stops < 60; stops++) {
    if (await focused()) return
    await page.keyboard.press('Tab')
  }
  await expect(target, 'reached by Tab').toBeFocused()
}

/** Moves to a button or link by Tab, and presses it. */
export async function pressAt(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Moves to a field by Tab, and inserts text at once: single keys are not under test. */
export async function typeAt(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.insertText(text)
}

/** Moves to a file field by Tab, and sets the file that the browser's dialog would choose. */
export async function chooseFileAt(
  page: Page,
  field: Locator,
  { name, text }: { name: string; text: string },
): Promise<void> {
  await tabTo(page, field)
  const buffer = Buffer.from(text)
  await field.setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
}
