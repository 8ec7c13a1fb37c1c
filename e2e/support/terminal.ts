/** The serial console of a running instance `wheel`, as seen by a user and a screen reader. */
import type { Locator, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import type { Seed } from './seed.ts'

export const CONSOLE = '/projects/mill/instances/wheel/serial-console'

export const screen = (page: Page): Locator =>
  page.getByRole('application', { name: 'Serial console' })

/** Rows on the screen. */
export const lines = (page: Page): Locator => screen(page).getByRole('listitem')

export const line = (page: Page, text: string | RegExp): Locator =>
  lines(page).filter({ hasText: text })

export const connected = (page: Page): Locator => page.getByText('connected', { exact: true })

export async function runningInstance(project: string, seed: Seed): Promise<void> {
  await seed.instance(project, 'wheel', { start: true })
  await seed.until(project, 'wheel', 'running')
}

/** Opens the console, and waits for its prompt. */
export async function openConsole(page: Page): Promise<void> {
  await page.goto(CONSOLE)
  await expect(connected(page)).toBeVisible()
  await expect(line(page, /^wheel:~#/).last()).toBeVisible()
  await expect(screen(page).getByRole('textbox')).toBeFocused()
}

export const searchBar = (page: Page): Locator =>
  page.getByRole('search', { name: 'Find in scrollback' })

/**
 * Searches for a text.
 * @returns the element with the number of matches
 */
export async function find(page: Page, text: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Find in scrollback' }).click()
  await searchBar(page).getByRole('textbox', { name: 'Find' }).fill(text)
  return searchBar(page).getByRole('status')
}
