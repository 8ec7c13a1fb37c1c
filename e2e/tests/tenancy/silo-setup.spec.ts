import type { ApiClient } from '@steading/api/client'
import { commonPassword } from '@steading/api/rules'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/accessibility.ts'
import { showAsCode } from '../../support/as-code.ts'
import { fail, hold } from '../../support/faults.ts'
import { pressAt, typeAt } from '../../support/keyboard.ts'
import { DESK, takePictures } from '../../support/pictures.ts'
import { GiB, ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { dialog, expectFieldError, heading, row, toasts } from '../../support/ui.ts'

const PASSWORD = 'hops and malt and water'

const newSilo = async (page: Page) => {
  await page.goto('/system/silos-new')
  return dialog(page, 'Create silo')
}
const quota = (page: Page, name: RegExp) => page.getByRole('spinbutton', { name })
const username = (page: Page) => page.getByRole('textbox', { name: 'Username' })
const password = (page: Page) => page.getByRole('textbox', { name: 'Password' })

const adminsOf = async (api: ApiClient, silo: string) => {
  const users = (await ok(api.siloUserList({ query: { silo } }))).items
  const { roleAssignments } = await ok(api.siloPolicyView({ path: { silo } }))
  return roleAssignments.map(({ identityId, roleName }) => [
    users.find(({ id }) => id === identityId)?.displayName,
    roleName,
  ])
}

test('a silo is created by keyboard with its administrator, who signs in', async ({
  page,
  host,
  api,
}) => {
  const { capacity } = await ok(api.fleetOverview({}))
  const form = await newSilo(page)
  await typeAt(page, form.getByRole('textbox', { name: 'Name', exact: true }), 'brewery')
  await expect(quota(page, /^CPU/)).toHaveValue(String(Math.floor(capacity!.cpus.limit / 10)))
  const memory = Math.floor(capacity!.memory.limit / GiB / 10)
  await expect(quota(page, /^Memory/)).toHaveValue(String(memory))
  await takePictures(page, 'new silo')
  await page.setViewportSize(DESK)
  await form.getByRole('radio', { name: /^SAML \+ JIT/ }).focus()
  await page.keyboard.press('ArrowUp')
  await expect(form.getByRole('radio', { name: /^Local only/ })).toBeChecked()
  await typeAt(page, username(page), 'otto')
  // Whoever names a user has to choose a password.
  await pressAt(page, form.getByRole('button', { name: 'Create silo' }))
  await expectFieldError(password(page), 'Password is required')
  await typeAt(page, password(page), PASSWORD)
  await expectAccessible(page)
  await takePictures(page, 'new silo with administrator')
  await takePictures(page, 'new silo with administrator whole', 1700)
  await page.setViewportSize(DESK)
  const code = await showAsCode(form, 'curl')
  for (const path of [
    'silos',
    'identity-providers/local/users?silo=brewery',
    'silos/brewery/policy',
  ]) {
    await expect(code).toContainText(`/v1/system/${path}'`)
  }
  await expect(code).not.toContainText(PASSWORD)
  await pressAt(page, form.getByRole('button', { name: 'Create silo' }))
  await expect(toasts(page)).toContainText('Silo brewery created, with otto as its administrator')
  await expect(page).toHaveURL('/system/silos')
  await expect(row(page, 'brewery')).toBeVisible()
  expect(await adminsOf(api, 'brewery')).toEqual([['otto', 'admin']])

  const context = await page
    .context()
    .browser()!
    .newContext({ baseURL: host.url, storageState: { cookies: [], origins: [] } })
  page.context().once('close', () => void context.close())
  const theirs = await context.newPage()
  await theirs.goto('/login/brewery/local')
  await username(theirs).fill('otto')
  await password(theirs).fill(PASSWORD)
  await theirs.getByRole('button', { name: 'Sign in' }).click()
  await expect(heading(theirs, 'Projects')).toBeVisible()
  await theirs.goto('/users')
  await expect(row(theirs, 'otto')).toBeVisible()
})

test('a failure after the silo was made says what is left, and can be repeated', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|500|API error/)
  const form = await newSilo(page)
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('brewery')
  await form.getByRole('radio', { name: /^Local only/ }).check()
  await username(page).fill('otto')
  await password(page).fill('Password123')
  await form.getByRole('button', { name: 'Create silo' }).click()
  await expect(form.getByText('Silo brewery was created')).toBeVisible()
  await expect(form.getByText('It has no administrator yet.')).toBeVisible()
  await expectFieldError(password(page), commonPassword)
  await expect(password(page)).toBeFocused()
  await expectAccessible(page)
  await takePictures(page, 'silo without administrator')
  await page.setViewportSize(DESK)

  // The user is created next, but gets no role.
  const working = await fail(page, /\/silos\/brewery\/policy$/)
  await password(page).fill(PASSWORD)
  await form.getByRole('button', { name: 'Create administrator' }).click()
  await expect(form.getByText(/^So was its user otto/)).toBeVisible()
  await expect(form.getByRole('alert')).toContainText('It has come loose')
  await expectAccessible(page)
  await takePictures(page, 'silo with user without role')
  await page.setViewportSize(DESK)
  await form.getByRole('button', { name: 'Assign role' }).click()
  await expect(form.getByRole('alert')).toContainText('It has come loose')
  await working()
  await form.getByRole('button', { name: 'Assign role' }).click()
  await expect(toasts(page)).toContainText('Silo brewery created, with otto as its administrator')
  expect(await adminsOf(api, 'brewery')).toEqual([['otto', 'admin']])
})

test('quotas that are typed before the fleet is known stay', async ({ page, api }) => {
  const { capacity } = await ok(api.fleetOverview({}))
  const release = await hold(page, '**/x/v1/overview/fleet')
  await newSilo(page)
  await expect(quota(page, /^Memory/)).toHaveValue('0')
  await quota(page, /^CPU/).fill('0')
  await quota(page, /^Storage/).fill('7')
  release()
  const memory = Math.floor(capacity!.memory.limit / GiB / 10)
  await expect(quota(page, /^Memory/)).toHaveValue(String(memory))
  await expect(quota(page, /^CPU/)).toHaveValue('0')
  await expect(quota(page, /^Storage/)).toHaveValue('7')
})
