import { expect, type Locator, type Page } from '@playwright/test'

export const box = (page: Page, name: string): Locator =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
export const boxOfAll = (page: Page): Locator =>
  page.getByRole('checkbox', { name: 'Select all', exact: true })

export const bulkBar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Bulk actions' })
export const bulkAction = (page: Page, name: string): Locator =>
  bulkBar(page).getByRole('button', { name, exact: true })

/** Expects the selection shown in the bar. */
export const expectSelected = (page: Page, text: string): Promise<void> =>
  expect(bulkBar(page).getByRole('status')).toHaveText(text)

export const jobDialog = (page: Page): Locator => page.getByRole('dialog').filter({ visible: true })

/** Line of a thing in a plan or a result. */
export const item = (page: Page, name: string): Locator =>
  jobDialog(page).getByRole('listitem').filter({ hasText: name })

/** Shows the items in one state. */
export const showItems = (page: Page, state: string): Promise<void> =>
  jobDialog(page)
    .getByRole('group', { name: 'Show' })
    .getByRole('button', { name: new RegExp(`^${state}\\b`) })
    .click()

export const jobsButton = (page: Page): Locator => page.getByRole('button', { name: /^Jobs/ })
