import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/accessibility.ts'
import { waitingDevice } from '../../support/devices.ts'
import { ADMIN_PASSWORD } from '../../support/host.ts'
import { expect, test } from '../../support/test.ts'
import { heading } from '../../support/ui.ts'

const box = (page: Page, number: number) =>
  page.getByRole('textbox', { name: `Character ${number}.`, exact: true })
const logIn = (page: Page) => page.getByRole('button', { name: 'Log in on device' })
const shown = (page: Page) =>
  page
    .getByRole('textbox')
    .evaluateAll((boxes) => boxes.map((each) => (each as HTMLInputElement).value).join(''))

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('ControlOrMeta+v')
}

test.describe('without a session', () => {
  test.use({ signedIn: false })

  test('a user signs in first, and then authorizes a device @long', async ({ page, host }) => {
    const device = await waitingDevice(host)
    await page.goto('/device/verify')
    await expect(page).toHaveURL('/login/main/local?redirect_uri=%2Fdevice%2Fverify')
    await page.getByRole('textbox', { name: 'Username' }).fill('admin')
    await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(heading(page, 'Device Authentication')).toBeVisible()
    await expect(page).toHaveTitle('Steading Console')
    await expect(page.getByText('Enter the code shown on your device')).toBeVisible()
    await expect(box(page, 1)).toBeFocused()
    await expect(logIn(page)).toBeDisabled()
    await expectAccessible(page)
    expect(await device.token()).toBeUndefined()
    // Lower case, without the dash of the device's screen.
    await page.keyboard.type(device.userCode.toLowerCase().replace('-', ''))
    await expect(box(page, 8)).toHaveValue(device.userCode.at(-1)!)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/device/success')
    await expect(heading(page, 'Device logged in')).toBeVisible()
    await expect(page.getByText('You can close this window')).toBeVisible()
    await expectAccessible(page)
    expect(await device.token()).toMatch(/^oxide-token-/)
  })
})

test('a code is typed, corrected and pasted @long', async ({ page, host, consoleErrors }) => {
  consoleErrors.expect(/404/)
  await page.goto('/device/verify')
  await expect(box(page, 1)).toBeFocused()
  // Only letters are accepted.
  await page.keyboard.type('1b-c')
  await expect(box(page, 3)).toBeFocused()
  expect(await shown(page)).toBe('BC')
  // In an empty box, Backspace clears the one before.
  await page.keyboard.press('Backspace')
  await expect(box(page, 2)).toBeFocused()
  expect(await shown(page)).toBe('B')
  // Pasted text fills the empty boxes.
  await paste(page, 'CD-FGHJ K')
  expect(await shown(page)).toBe('BCDFGHJK')
  await expect(logIn(page)).toBeEnabled()
  await logIn(page).click()
  await expect(page.getByText('Code is invalid')).toBeVisible()
  await expect(box(page, 1)).toHaveAttribute('aria-invalid', 'true')
  // Typing replaces a letter.
  await box(page, 4).focus()
  await page.keyboard.type('x')
  expect(await shown(page)).toBe('BCDXGHJK')
  await expect(page.getByText('Code is invalid')).toBeHidden()
  await expect(box(page, 5)).toBeFocused()
  // A whole code replaces another, with or without its dash.
  const device = await waitingDevice(host)
  await paste(page, device.userCode)
  expect(await shown(page)).toBe(device.userCode.replace('-', ''))
  await logIn(page).click()
  await expect(page).toHaveURL('/device/success')
})

test('an expired session leads to the login page and back @long', async ({
  page,
  host,
  consoleErrors,
}) => {
  consoleErrors.expect(/401|API/)
  const device = await waitingDevice(host)
  await page.goto('/device/verify')
  await expect(box(page, 1)).toBeFocused()
  await page.context().clearCookies()
  await paste(page, device.userCode)
  await logIn(page).click()
  await expect(page).toHaveURL('/login/main/local?redirect_uri=%2Fdevice%2Fverify')
})
