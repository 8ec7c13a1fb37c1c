/** Controls above a list, by role and name. */
import { expect, type Locator, type Page } from '@playwright/test'
import { closeByEscape } from './ui.ts'

/** @param many word for the items of the list */
export const search = (page: Page, many = 'instances'): Locator =>
  page.getByRole('searchbox', { name: `Search ${many}` })

export const count = (page: Page): Locator => page.getByRole('search').getByRole('status')

export const header = (page: Page, text: string): Locator =>
  page.getByRole('columnheader', { name: text, exact: true })

export const sortBy = (page: Page, text: string): Promise<void> =>
  header(page, text).getByRole('button', { name: text }).click()

export const columnsButton = (page: Page): Locator =>
  page.getByRole('button', { name: 'Columns', exact: true })

/** Chooses an item of a menu that stays open. */
export async function chooseItem(page: Page, button: Locator, item: string): Promise<void> {
  await button.click()
  await page.getByRole('menuitemcheckbox', { name: item, exact: true }).click()
  await closeByEscape(page)
  await expect(page.getByRole('menu')).toBeHidden()
}
