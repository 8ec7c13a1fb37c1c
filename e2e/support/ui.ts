/** Common parts of the console, by role and name. */
import { expect, type Locator, type Page } from '@playwright/test'

export const heading = (page: Page, name: string): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true })

/** Summary beside the name on a resource's page. */
export const summary = (page: Page): Locator => page.getByRole('group', { name: 'Summary' })

/** Table of a resource's properties. */
export const properties = (page: Page): Locator => page.getByLabel('Properties table')

/** Table row with a cell of this text. */
export const row = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })

/** Opens the menu of one row. */
export async function openMenuOf(tableRow: Locator): Promise<Locator> {
  await tableRow.getByRole('button', { name: 'Row actions' }).click()
  return tableRow.page().getByRole('menu', { name: 'Row actions' })
}

/** Opens the menu of the row with a cell of this text. */
export const openRowActions = (page: Page, name: string): Promise<Locator> =>
  openMenuOf(row(page, name))

export async function rowAction(page: Page, name: string, action: string): Promise<void> {
  const menu = await openRowActions(page, name)
  await menu.getByRole('menuitem', { name: action, exact: true }).click()
}

/** Closes a dialog or a menu with Escape, once it has the focus. */
export async function closeByEscape(page: Page): Promise<void> {
  const hasFocus = () =>
    page.evaluate(
      () =>
        document.activeElement?.closest('[role=dialog], [role=alertdialog], [role=menu]') != null,
    )
  await expect.poll(hasFocus, 'the focus is in what is open').toBe(true)
  await page.keyboard.press('Escape')
}

export const dialog = (page: Page, name: string): Locator =>
  page.getByRole('dialog', { name, exact: true })

/** Presses an element that a dialog may cover at any moment, e.g. the sign-in dialog. */
export const pressUnder = (page: Page, role: 'button' | 'link', name: string): Promise<void> =>
  page.getByRole(role, { name, exact: true, includeHidden: true }).dispatchEvent('click')

/** Confirms a dialog. */
export async function confirm(page: Page, title: string): Promise<void> {
  const question = dialog(page, title)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(question).toBeHidden()
}

export const toasts = (page: Page): Locator => page.getByTestId('Toasts')

/** Waits for a toast, and keeps it by hovering. */
export const holdToast = (page: Page, text: string): Promise<void> =>
  toasts(page).getByText(text).hover()

/** A field's message, which is also its description for a screen reader. */
export async function expectFieldError(field: Locator, message: string): Promise<void> {
  // The field may also have a help text before the message.
  const escaped = message.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  await expect(field).toHaveAccessibleDescription(new RegExp(`${escaped}$`))
  await expect(field).toHaveAttribute('aria-invalid', 'true')
}

/** Expects a disabled control with a reason. */
export async function expectDisabled(control: Locator, reason: string): Promise<void> {
  await expect(control).toHaveAttribute('aria-disabled', 'true')
  await expect(control).toHaveAccessibleDescription(reason)
}

/** Chooses an option of a field that filters by typed text. */
export async function choose(field: Locator, option: string): Promise<void> {
  await field.fill(option.slice(0, 3))
  await field.page().getByRole('option', { name: option }).click()
}
