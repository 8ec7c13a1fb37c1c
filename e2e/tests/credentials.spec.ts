import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { chooseLanguage, codeIn, showAsCode } from '../support/as-code.ts'
import { waitingDevice } from '../support/devices.ts'
import { liveSign } from '../support/faults.ts'
import { addUser, signIn } from '../support/host.ts'
import { ok } from '../support/seed.ts'
import { expect, openAs, test } from '../support/test.ts'
import { confirm, dialog, expectFieldError, heading, openMenuOf, toasts } from '../support/ui.ts'

const settingsLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sidebar navigation' }).getByRole('link', { name })

test('access tokens appear when a device obtains them, and are deleted @long', async ({
  page,
  host,
  api,
}) => {
  await page.goto('/settings/profile')
  await settingsLink(page, 'Access Tokens').click()
  await expect(page).toHaveURL('/settings/access-tokens')
  await expect(page).toHaveTitle('Access Tokens / Settings / Steading Console')
  await expect(page.getByRole('heading', { name: 'No access tokens' })).toBeVisible()
  await expect(
    page.getByText('Your access tokens will appear here when they are created'),
  ).toBeVisible()

  await expect(liveSign(page)).toBeVisible()
  const device = await waitingDevice(host)
  await ok(api.deviceAuthConfirm({ body: { userCode: device.userCode } }))
  const [token] = (await ok(api.currentUserAccessTokenList({}))).items
  // The first row is the header.
  const made = page.getByRole('row').nth(1)
  await expect(made).toContainText('Never')

  const menu = await openMenuOf(made)
  await expect(menu.getByRole('menuitem').first()).toHaveText('Copy ID')
  await menu.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(dialog(page, 'Delete access token')).toContainText('This cannot be undone.')
  await confirm(page, 'Delete access token')
  await expect(toasts(page)).toContainText(`Access token ${token!.id} deleted`)
  await expect(page.getByRole('heading', { name: 'No access tokens' })).toBeVisible()
  expect((await ok(api.currentUserAccessTokenList({}))).items).toEqual([])
})

test('a token for CI is created with few rights, shown once, and listed', async ({
  page,
  host,
  api,
}) => {
  await ok(api.projectCreate({ body: { name: 'mill', description: '' } }))
  await page.goto('/settings/access-tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  const form = dialog(page, 'Create access token')
  await form.getByRole('textbox', { name: 'Name' }).fill('ci')
  await form.getByRole('radio', { name: /^Viewer at most/ }).check()
  await form.getByRole('radio', { name: 'Only these' }).check()
  await form.getByRole('combobox', { name: 'Project' }).fill('mil')
  await page.getByRole('option', { name: 'mill' }).click()
  await expectAccessible(page)
  await expect(await showAsCode(form, 'curl')).toContainText('"access": "viewer"')
  await chooseLanguage(form, 'CLI')
  await expect(codeIn(form)).toContainText("oxide api '/x/v1/me/access-tokens' --method POST")
  const help = form.getByRole('link', { name: 'How to set up the command line tool' })
  await expect(help).toHaveAttribute('href', '/settings/command-line')
  await form.getByRole('button', { name: 'Create access token' }).click()
  const made = dialog(page, 'Access token created')
  await expectAccessible(page)
  const variables = await made.getByText('export OXIDE_HOST=').innerText()
  expect(variables).toContain(`export OXIDE_HOST=${host.url}`)
  const [, token] = /export OXIDE_TOKEN=(oxide-token-[0-9a-f]{40})/.exec(variables)!
  const headers = { authorization: `Bearer ${token}` }
  const asToken = (path: string) => fetch(host.url + path, { headers })
  expect((await asToken('/v1/instances?project=mill')).status).toBe(200)
  expect((await asToken('/v1/system/hardware/sleds')).status).toBe(403)
  await made.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row').filter({ hasText: 'ci' })
  await expect(row).toContainText('Viewer at most')
  await expect(row).toContainText('in mill')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(row).toContainText('from 127.0.0.1')
  await expect(page.getByText(token!)).toHaveCount(0)
})

test('users see their sessions, and end the other ones', async ({ page, host }) => {
  await page.goto('/settings/profile')
  await settingsLink(page, 'Sessions').click()
  await expect(heading(page, 'Sessions')).toBeVisible()
  // This test signed in without a browser.
  const mine = page.getByRole('row').filter({ hasText: 'This session' })
  await expect(mine).toContainText('node')
  await expect(mine).toContainText('127.0.0.1')
  const endAll = page.getByRole('button', { name: 'End all other sessions' })
  await expect(endAll).toBeDisabled()

  await expect(liveSign(page)).toBeVisible()
  const other = await signIn(host.url)
  await expect(page.getByRole('row')).toHaveCount(3)
  const theirs = await openAs(page, host.url, other)
  await theirs.goto('/settings/profile')
  await expect(liveSign(theirs)).toBeVisible()
  await endAll.click()
  await confirm(page, 'End all other sessions')
  await expect(toasts(page)).toContainText('All other sessions ended')
  await expect(page.getByRole('row')).toHaveCount(2)
  // The other page learns at once that it is signed out. The dialog may open by itself, and then
  // hides the button.
  await expect(
    theirs.getByRole('button', { name: 'Sign in again', includeHidden: true }),
  ).toBeVisible()
})

test('one session is ended from its row @long', async ({ page, host }) => {
  await signIn(host.url)
  await page.goto('/settings/sessions')
  const cells = page.getByRole('row').filter({ hasText: 'node' })
  const another = cells.filter({ hasNotText: 'This session' })
  const menu = await openMenuOf(another)
  await menu.getByRole('menuitem', { name: 'End session' }).click()
  await confirm(page, 'End session')
  await expect(toasts(page)).toContainText('Session ended')
  await expect(another).toHaveCount(0)
})

test('an admin sets the maximum lifetime of access tokens of the silo @long', async ({
  page,
  api,
  host,
}) => {
  await page.goto('/settings/access-tokens')
  await page.getByRole('button', { name: 'Token lifetime' }).click()
  const form = dialog(page, 'Token lifetime')
  await expect(form.getByRole('radio', { name: /^No limit/ })).toBeChecked()
  const amount = form.getByRole('spinbutton', { name: 'Amount' })
  await expect(amount).toBeDisabled()
  await form.getByRole('radio', { name: 'At most' }).check()
  const submit = form.getByRole('button', { name: 'Update token lifetime' })
  await expect(amount).toBeEnabled()
  await amount.fill('')
  await submit.click()
  await expectFieldError(amount, 'Amount is required')
  await amount.fill('60000')
  await form.getByRole('button', { name: /days/ }).click()
  await page.getByRole('option', { name: 'hours' }).click()
  await amount.fill('1000000')
  await form.getByRole('button', { name: /hours/ }).click()
  await page.getByRole('option', { name: 'days' }).click()
  await submit.click()
  await expectFieldError(amount, 'Must be at most 49,710')
  await amount.fill('90')
  await expectAccessible(page)
  await expect(await showAsCode(form, 'curl')).toContainText('7776000')
  await submit.click()
  await expect(toasts(page)).toContainText('Token lifetime updated')
  await expect(
    page.getByText('New tokens of silo main are valid for 90 days at most.'),
  ).toBeVisible()
  expect((await ok(api.authSettingsView())).deviceTokenMaxTtlSeconds).toBe(90 * 86_400)
  const log = await ok(api.auditEntryList({ query: { operation: 'auth_settings_update' } }))
  expect(log.items.map(({ result }) => result.kind)).toEqual(['success'])

  // Other users see it, and cannot change it.
  const member = await openAs(page, host.url, await addUser(host, 'member'))
  await member.goto('/settings/access-tokens')
  await expect(member.getByText('are valid for 90 days at most.')).toBeVisible()
  await expect(member.getByRole('button', { name: 'Token lifetime' })).toBeHidden()
})
