import { oneTimePassword } from '../../../packages/control-plane/test/support/authenticator.ts'
import { expectAccessible } from '../../support/accessibility.ts'
import { ADMIN_PASSWORD } from '../../support/host.ts'
import { addAuthenticator, enterPassword, named } from '../../support/second-factors.ts'
import { takePictures } from '../../support/pictures.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { dialog, heading, toasts } from '../../support/ui.ts'
import type { Locator, Page } from '@playwright/test'

test.use({ signedIn: false })

/** The secret that is shown for an authenticator app, as soon as it is there. */
async function secretIn(place: Locator): Promise<string> {
  const shown = await place.getByText(/^([A-Z2-7]{4} ?){8}$/).textContent()
  return shown!.replaceAll(' ', '')
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(heading(page, 'main')).toBeVisible()
}

test('a passkey signs in after the password, and alone; a recovery code replaces it', async ({
  page,
  host,
  consoleErrors,
}) => {
  consoleErrors.expect(/40[0-3]|API error/)
  await addAuthenticator(page)
  await page.goto(`${named(host.url)}/login/main/local?redirect_uri=%2Fsettings%2Fsign-in-security`)
  await enterPassword(page)
  await expect(heading(page, 'Sign-in Security')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No passkeys' })).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'no second factors')

  await page.getByRole('button', { name: 'Add passkey' }).click()
  const form = dialog(page, 'Add passkey')
  await form.getByRole('textbox', { name: 'Name' }).fill('laptop')
  await form.getByRole('textbox', { name: 'Current password' }).fill('wrong')
  await form.getByRole('button', { name: 'Create passkey' }).click()
  await expect(form.getByText('This is not your present password')).toBeVisible()
  await form.getByRole('textbox', { name: 'Current password' }).fill(ADMIN_PASSWORD)
  await form.getByRole('button', { name: 'Create passkey' }).click()
  const shown = dialog(page, 'Recovery codes')
  const code = await shown.getByRole('listitem').first().textContent()
  await expectAccessible(page)
  await takePictures(page, 'recovery codes')
  await shown.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Set up app' }).click()
  const app = dialog(page, 'Set up an authenticator app')
  const key = await secretIn(app)
  await app.getByRole('textbox', { name: 'Current password' }).fill(ADMIN_PASSWORD)
  await expectAccessible(page)
  await takePictures(page, 'set up an authenticator app')
  await app.getByRole('textbox', { name: 'Code' }).fill(oneTimePassword(key))
  await app.getByRole('button', { name: 'Set up', exact: true }).click()
  await expect(toasts(page)).toContainText('Authenticator app set up')
  await expect(page.getByText('10 unused codes are left')).toBeVisible()
  await takePictures(page, 'second factors')

  await signOut(page)
  await enterPassword(page)
  await expect(page.getByRole('heading', { name: 'Second step for admin' })).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'second step of a sign-in')
  await page.getByRole('button', { name: 'Use passkey' }).click()
  await expect(heading(page, 'Projects')).toBeVisible()

  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(heading(page, 'Projects')).toBeVisible()

  await signOut(page)
  await enterPassword(page)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  const field = page.getByRole('textbox', { name: 'Recovery code' })
  await field.fill('wrong')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('none of your unused recovery codes')).toBeVisible()
  await expect(field).toHaveValue('wrong')
  await field.fill(code!)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(heading(page, 'Projects')).toBeVisible()
})

test('a silo leads its users to set up a second factor, and says where passkeys cannot work @long', async ({
  page,
  host,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/40[0-3]|API error/)
  await ok(api.signInPolicyUpdate({ path: { silo: 'main' }, body: { secondFactor: 'required' } }))
  // At an IP address.
  await page.goto(`${host.url}/login/main/local?redirect_uri=%2Fsettings%2Fsign-in-security`)
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeHidden()
  await enterPassword(page)
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await expect(page.getByRole('paragraph').filter({ hasText: 'only at a host name' })).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'a second factor is required')
  await page.getByRole('button', { name: 'Use an authenticator app' }).click()
  const key = await secretIn(page.getByRole('main'))
  const field = page.getByRole('textbox', { name: 'Code of your authenticator app' })
  await field.fill(oneTimePassword(key))
  await takePictures(page, 'set up an authenticator app at sign-in')
  await page.getByRole('button', { name: 'Set up and sign in' }).click()
  await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Your silo requires a second factor.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign-in policy' }).click()
  const form = dialog(page, 'Sign-in policy')
  await expect(form.getByRole('radio', { name: /^Required/ })).toBeChecked()
  await expect(form.getByText('Every user with a password has a second factor.')).toBeVisible()
  // The administrator has codes alone.
  await form.getByRole('radio', { name: /^Passkey required/ }).check({ force: true })
  await expect(form.getByText('1 user has no passkey yet')).toBeVisible()
  await expectAccessible(page)
  await form.getByRole('radio', { name: /^Optional/ }).check({ force: true })
  await form.getByRole('button', { name: 'Update policy' }).click()
  await expect(toasts(page)).toContainText('Sign-in policy updated')

  const body = {
    externalId: 'vera',
    password: { mode: 'password', value: ADMIN_PASSWORD } as const,
  }
  await ok(api.localIdpUserCreate({ query: { silo: 'main' }, body }))
  await page.goto('/users')
  const users = page.getByRole('table', { name: 'Users' })
  await expect(users.getByRole('row').filter({ hasText: 'admin' })).toContainText(
    'Authenticator app',
  )
  await page.getByRole('button', { name: /^Second factor/ }).click()
  await page.getByRole('menuitemradio', { name: 'No second factor' }).click()
  await expect(users.getByRole('row')).toHaveCount(2)
  await expect(users.getByRole('link', { name: 'vera' })).toBeVisible()
  await expectAccessible(page)
})
