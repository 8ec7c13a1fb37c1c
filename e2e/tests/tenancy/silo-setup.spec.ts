import type { ApiClient, SiloCreate } from '@steading/api/client'
import { commonPassword } from '@steading/api/rules'
import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from '../../support/accessibility.ts'
import { showAsCode } from '../../support/as-code.ts'
import { fail, hold } from '../../support/faults.ts'
import { pressAt, typeAt } from '../../support/keyboard.ts'
import { DESK, takePictures } from '../../support/pictures.ts'
import { GiB, ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { dialog, expectFieldError, heading, row, toasts } from '../../support/ui.ts'

const PASSWORD = 'hops and malt and water'

const makeSilo = (api: ApiClient, name: string, values: Partial<SiloCreate> = {}) =>
  ok(
    api.siloCreate({
      body: {
        name,
        description: '',
        identityMode: 'local_only',
        discoverable: true,
        quotas: { cpus: 0, memory: 0, storage: 0 },
        tlsCertificates: [],
        ...values,
      },
    }),
  )

const newSilo = async (page: Page) => {
  await page.goto('/system/silos-new')
  return dialog(page, 'Create silo')
}
const quota = (page: Page, name: RegExp) => page.getByRole('spinbutton', { name })
const username = (page: Page) => page.getByRole('textbox', { name: 'Username' })
const password = (page: Page) => page.getByRole('textbox', { name: 'Password' })
const setup = (page: Page) => page.getByRole('region', { name: 'Set up this silo' })

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
  // A choice that hides the user keeps what was typed.
  await form.getByRole('radio', { name: /^Local only/ }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(username(page)).toBeHidden()
  await page.keyboard.press('ArrowUp')
  await expect(username(page)).toHaveValue('otto')
  // A user needs a password.
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
  page.once('close', () => void context.close())
  const theirs = await context.newPage()
  await theirs.goto('/login/brewery/local')
  await username(theirs).fill('otto')
  await password(theirs).fill(PASSWORD)
  await theirs.getByRole('button', { name: 'Sign in' }).click()
  await expect(heading(theirs, 'Projects')).toBeVisible()
  await theirs.goto('/users')
  await expect(row(theirs, 'otto')).toBeVisible()
})

test('a failure after the silo was made says what is left, and can be repeated @long', async ({
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

test('after a failure, the page of the silo shows what is left @long', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.expect(/500|API error/)
  await fail(page, /\/identity-providers\/local\/users/)
  const form = await newSilo(page)
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('brewery')
  await form.getByRole('radio', { name: /^Local only/ }).check()
  await username(page).fill('otto')
  await password(page).fill(PASSWORD)
  await form.getByRole('button', { name: 'Create silo' }).click()
  await form.getByRole('link', { name: 'continue on the page of the silo' }).click()
  await expect(heading(page, 'brewery')).toBeVisible()
  await expect(setup(page)).toContainText('1 of 4 done')
  await setup(page).getByRole('link', { name: 'Create a user' }).first().click()
  await expect(page.getByRole('button', { name: 'Create user' })).toBeVisible()
})

test('a failure after the form was left is reported as well @long', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/500|API error/)
  const left = Promise.withResolvers<void>()
  await page.route(/\/identity-providers\/local\/users/, async (route) => {
    await left.promise
    await route.fulfill({ status: 500, json: { message: 'It has come loose' } })
  })
  const form = await newSilo(page)
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('brewery')
  await form.getByRole('radio', { name: /^Local only/ }).check()
  await username(page).fill('otto')
  await password(page).fill(PASSWORD)
  const sent = page.waitForRequest(/\/identity-providers\/local\/users/)
  await form.getByRole('button', { name: 'Create silo' }).click()
  await sent
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(form).toBeHidden()
  left.resolve()
  await expect(toasts(page)).toContainText('Silo brewery was created without an administrator')
  expect(await adminsOf(api, 'brewery')).toEqual([])
})

test('quotas that are typed before the fleet is known stay @long', async ({ page, api }) => {
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

test('the steps of a new silo count up as they are done, and are dismissed', async ({
  page,
  api,
}) => {
  const silo = 'brewery'
  await makeSilo(api, silo)
  await ok(api.systemIpPoolCreate({ body: { name: 'yard', description: '' } }))
  await page.goto(`/system/silos/${silo}`)
  await expect(setup(page)).toContainText('0 of 4 done')
  await expectAccessible(page)
  await takePictures(page, 'silo 0 of 4')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await page.setViewportSize(DESK)
  // Each step leads to the place where it is done.
  for (const [link, tab] of [
    ['Open the IP pools', 'IP pools'],
    ['Open the quotas', 'Quotas'],
  ] as const) {
    await pressAt(page, setup(page).getByRole('link', { name: link }))
    await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')
  }
  await expect(page.getByText('The CPU quota is 0, so no instance can start.')).toBeVisible()
  await expect(page.getByText('The storage quota is 0, so no disk can be created.')).toBeVisible()

  // Other operators do the steps while the page is open.
  await ok(
    api.siloQuotasUpdate({
      path: { silo },
      body: { cpus: 4, memory: 8 * GiB, storage: 100 * GiB },
    }),
  )
  await expect(setup(page)).toContainText('1 of 4 done')
  await ok(api.systemIpPoolSiloLink({ path: { pool: 'yard' }, body: { silo, isDefault: false } }))
  await expect(setup(page)).toContainText('2 of 4 done')
  await expect(setup(page).getByText('Link an IP pool, done')).toBeVisible()
  await takePictures(page, 'silo 2 of 4')
  await page.setViewportSize(DESK)
  const { id } = await ok(
    api.localIdpUserCreate({
      query: { silo },
      body: { externalId: 'otto', password: { mode: 'password', value: PASSWORD } },
    }),
  )
  await expect(setup(page)).toContainText('3 of 4 done')
  await setup(page).getByRole('link', { name: 'Assign a role' }).click()
  await expect(page.getByRole('tab', { name: 'Access' })).toHaveAttribute('aria-selected', 'true')
  const admin = { identityId: id, identityType: 'silo_user', roleName: 'admin' } as const
  await ok(api.siloPolicyUpdate({ path: { silo }, body: { roleAssignments: [admin] } }))
  await expect(setup(page)).toBeHidden()
  await takePictures(page, 'silo 4 of 4')
  await page.setViewportSize(DESK)

  await makeSilo(api, 'corp', { identityMode: 'saml_jit' })
  await page.goto('/system/silos/corp')
  await expect(setup(page).getByRole('link', { name: 'Add a SAML provider' })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Summary' })).toContainText('Identity provider')
  await expect(page.getByRole('link', { name: 'New OpenID provider' })).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'silo with providers 0 of 4')
  await page.setViewportSize(DESK)
  await pressAt(page, setup(page).getByRole('button', { name: 'Dismiss' }))
  await expect(setup(page)).toBeHidden()
  await page.reload()
  await expect(heading(page, 'corp')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No identity providers' })).toBeVisible()
  await expect(setup(page)).toBeHidden()
})

test('a control plane without extensions has the plain form and page @long', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/404|API error/)
  await page.route('**/x/v1/**', (route) => route.fulfill({ status: 404, json: {} }))
  await makeSilo(api, 'brewery')
  const form = await newSilo(page)
  await form.getByRole('radio', { name: /^Local only/ }).check()
  await expect(quota(page, /^CPU/)).toHaveValue('0')
  await expect(username(page)).toBeHidden()
  await page.goto('/system/silos/brewery/quotas')
  await expect(page.getByRole('table', { name: 'Quotas' })).toContainText('0 vCPUs')
  await expect(setup(page)).toBeHidden()
})
