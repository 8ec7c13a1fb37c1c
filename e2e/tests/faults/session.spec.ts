import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/accessibility.ts'
import { liveSign } from '../../support/faults.ts'
import { ADMIN_PASSWORD, addUser, clientOf, signIn } from '../../support/host.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { dialog, heading, pressUnder, row, rowAction, toasts } from '../../support/ui.ts'

test.beforeEach(({ consoleErrors }) => {
  consoleErrors.expect(/status of (401|403)|API error/)
})

const question = (page: Page) => dialog(page, 'Sign in again')
const offer = (page: Page) => dialog(page, 'You are signed in again')

async function signInAgain(page: Page, username = 'admin') {
  await question(page).getByRole('textbox', { name: 'Username' }).fill(username)
  await question(page).getByRole('textbox', { name: 'Password' }).fill(ADMIN_PASSWORD)
  await question(page).getByRole('button', { name: 'Sign in' }).click()
  await expect(question(page)).toBeHidden()
}

const refresh = (page: Page) => pressUnder(page, 'button', 'Refresh data')

test('a session that ends under a filled form loses nothing, and repeats nothing unasked', async ({
  page,
  api,
  host,
  project,
}) => {
  await page.goto('/projects-new')
  const form = dialog(page, 'Create project')
  await form.getByRole('textbox', { name: 'Name' }).fill('forge')
  await form.getByRole('textbox', { name: 'Description' }).fill('Hammers')
  await api.logout()
  await pressUnder(page, 'button', 'Create project')
  await expect(question(page)).toBeVisible()
  await expectAccessible(page)
  await signInAgain(page)
  await expect(offer(page)).toBeVisible()
  const { items } = await ok(clientOf(host.url, await signIn(host.url)).projectList({}))
  expect(items.map(({ name }) => name)).toEqual([project.name])
  await offer(page).getByRole('button', { name: 'Not now' }).click()
  await expect(form.getByText('Your session had ended, so nothing was changed')).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Description' })).toHaveValue('Hammers')
  await form.getByRole('button', { name: 'Create project' }).click()
  await expect(page).toHaveURL('/projects/forge/instances')
})

test('a confirmed action is offered again after signing in @long', async ({
  page,
  api,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  await page.goto('/projects/mill/instances')
  await rowAction(page, 'wheel', 'Start')
  await expect(dialog(page, 'Start instance')).toBeVisible()
  await api.logout()
  await pressUnder(page, 'button', 'Confirm')
  await signInAgain(page)
  await expect(row(page, 'wheel').getByText('stopped')).toBeVisible()
  await offer(page).getByRole('button', { name: 'Send again' }).click()
  await expect(toasts(page)).toContainText('Starting instance wheel')
  await expect(row(page, 'wheel').getByText('running')).toBeVisible()
})

test('a page opened after the end of the session appears after signing in @long', async ({
  page,
  api,
  project,
}) => {
  await page.goto('/projects')
  await expect(liveSign(page)).toBeVisible()
  await api.logout()
  await pressUnder(page, 'link', project.name)
  await signInAgain(page)
  await expect(page).toHaveURL('/projects/mill/instances')
  await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
  await expect(liveSign(page)).toBeVisible()
})

test('a user who does not sign in again can still read the page, and sign in later @long', async ({
  page,
  api,
  project,
}) => {
  await page.goto('/projects')
  await expect(liveSign(page)).toBeVisible()
  await api.logout()
  await refresh(page)
  await question(page).getByRole('button', { name: 'Close' }).click()
  await expect(row(page, project.name)).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Your session had ended')
  await page.getByRole('banner').getByRole('button', { name: 'Sign in again' }).click()
  await signInAgain(page)
  await expect(page.getByRole('alert')).toBeHidden()
  await expect(liveSign(page)).toBeVisible()
})

test("another user who signs in does not get the previous user's page @long", async ({
  page,
  api,
  host,
  project,
}) => {
  await addUser(host, 'stranger')
  await page.goto('/projects')
  await expect(liveSign(page)).toBeVisible()
  await api.logout()
  await refresh(page)
  await signInAgain(page, 'stranger')
  await expect(page.getByRole('button', { name: 'User menu' })).toHaveText('stranger')
  await expect(row(page, project.name)).toBeHidden()
})

test('the draft of a new instance survives a reload, and can be discarded', async ({
  page,
  project,
}) => {
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await page.goto(`/projects/${project.name}/instances-new`)
  await name.fill('wheel')
  await page.getByRole('textbox', { name: 'Description' }).fill('Turns')
  await page.reload()
  await expect(page.getByText('Your draft was restored')).toBeVisible()
  await expect(name).toHaveValue('wheel')
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Turns')
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await expect(name).toHaveValue('')
  await expect(page.getByText('Your draft was restored')).toBeHidden()
  await page.reload()
  await expect(heading(page, 'Create instance')).toBeVisible()
  await expect(name).toHaveValue('')
})
