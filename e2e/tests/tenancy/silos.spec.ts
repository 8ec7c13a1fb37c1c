import { expectAccessible } from '../../support/accessibility.ts'
import { addUser } from '../../support/host.ts'
import { GiB, ok } from '../../support/seed.ts'
import { expect, openAs, test } from '../../support/test.ts'
import {
  confirm,
  dialog,
  expectDisabled,
  expectFieldError,
  heading,
  openRowActions,
  row,
  rowAction,
  summary,
  toasts,
} from '../../support/ui.ts'
import type { ApiClient, SiloCreate } from '@steading/api/client'

const makeSilo = (api: ApiClient, name: string, values: Partial<SiloCreate> = {}) =>
  ok(
    api.siloCreate({
      body: {
        name,
        description: '',
        identityMode: 'local_only',
        discoverable: true,
        quotas: { cpus: 16, memory: 64 * GiB, storage: 2048 * GiB },
        tlsCertificates: [],
        ...values,
      },
    }),
  )

test('the list of silos is searched and filtered @long', async ({ page, api }) => {
  await makeSilo(api, 'brewery')
  await makeSilo(api, 'archive', { identityMode: 'saml_jit' })
  await page.goto('/system/silos?identity_mode=saml_jit')
  await expect(row(page, 'archive')).toBeVisible()
  await expect(row(page, 'brewery')).toBeHidden()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(row(page, 'brewery')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search silos' }).fill('brew')
  await expect(row(page, 'archive')).toBeHidden()
  await expect(row(page, 'brewery')).toBeVisible()
  await expectAccessible(page)
})

test('an operator creates a silo, by keyboard from the silo to the system and back @long', async ({
  page,
  api,
}) => {
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Switch between system and silo' }).press('Enter')
  await page.getByRole('menuitem', { name: 'System' }).press('Enter')
  await expect(heading(page, 'Issues')).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await expect(heading(page, 'Silos')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Steading System' })).toBeVisible()
  await page.keyboard.press('c')
  const form = dialog(page, 'Create silo')
  await form.getByRole('button', { name: 'Create silo' }).click()
  await expectFieldError(
    form.getByRole('textbox', { name: 'Name', exact: true }),
    'Name is required',
  )
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('brewery')
  await form.getByRole('checkbox', { name: /^Discoverable/ }).uncheck()
  const memory = form.getByRole('spinbutton', { name: /^Memory quota/ })
  await memory.fill('')
  await form.getByRole('button', { name: 'Create silo' }).click()
  await expectFieldError(memory, 'Memory quota is required')
  await memory.fill('64')
  await form.getByRole('spinbutton', { name: /^CPU quota/ }).fill('16')
  await form.getByRole('textbox', { name: 'Admin group name' }).fill('brewers')
  // Removed input does not return.
  await form.getByRole('radio', { name: /^Local only/ }).check()
  await expect(form.getByRole('textbox', { name: 'Admin group name' })).toBeHidden()
  await form.getByRole('radio', { name: /^SAML \+ SCIM/ }).check()
  const group = form.getByRole('textbox', { name: 'Admin group name' })
  await expect(group).toHaveValue('')
  await group.fill('  masters ')
  await form.getByRole('checkbox', { name: 'Grant fleet viewer role to silo viewers' }).check()
  await form.getByRole('button', { name: 'Create silo' }).click()
  await expect(toasts(page)).toContainText('Silo brewery created')
  await expect(page).toHaveURL('/system/silos')
  expect(await ok(api.siloView({ path: { silo: 'brewery' } }))).toMatchObject({
    identityMode: 'saml_scim',
    discoverable: false,
    adminGroupName: 'masters',
    mappedFleetRoles: { viewer: ['viewer'] },
  })
  expect(await ok(api.siloQuotasView({ path: { silo: 'brewery' } }))).toMatchObject({
    cpus: 16,
    memory: 64 * GiB,
  })

  // It is not listed, but can be found by name.
  await expect(row(page, 'main')).toBeVisible()
  await expect(row(page, 'brewery')).toBeHidden()
  await page.goto('/system/silos/brewery?tab=fleet-roles')
  await expect(page).toHaveURL('/system/silos/brewery/fleet-roles')
  await expect(summary(page)).toContainText('not discoverable')
  await expect(page.getByRole('listitem').filter({ hasText: 'Silo viewer' })).toContainText(
    'Fleet viewer',
  )
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await expect(page).toHaveURL('/system/utilization')
  await expect(heading(page, 'Utilization')).toBeVisible()
  await page.getByRole('button', { name: 'Switch between system and silo' }).click()
  await page.getByRole('menuitem', { name: 'Silo', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Silo main' })).toBeVisible()
})

test('quotas of a silo are changed one by one, live for others @long', async ({
  page,
  api,
  host,
  session,
}) => {
  await makeSilo(api, 'brewery', {
    quotas: { cpus: 4, memory: Math.round(4403.2 * GiB), storage: 0 },
  })
  await page.goto('/system/silos')
  await page.getByRole('link', { name: 'brewery' }).click()
  await page.getByRole('tab', { name: 'Quotas' }).click()
  const table = page.getByRole('table', { name: 'Quotas' })
  await expect(table.getByRole('row').filter({ hasText: 'Memory' })).toContainText('4,403.2 GiB')
  const other = await openAs(page, host.url, session)
  await other.goto('/system/silos/brewery/quotas')

  await page.getByRole('button', { name: 'Edit quotas' }).click()
  const form = dialog(page, 'Edit quotas')
  await form.getByRole('spinbutton', { name: /^CPU/ }).fill('')
  await form.getByRole('button', { name: 'Update Quotas' }).click()
  await expectFieldError(form.getByRole('spinbutton', { name: /^CPU/ }), 'CPU is required')
  await form.getByRole('spinbutton', { name: /^CPU/ }).fill('8')
  await form.getByRole('button', { name: 'Update Quotas' }).click()
  await expect(toasts(page)).toContainText('Quotas updated')
  for (const shown of [page, other]) {
    const rows = shown.getByRole('table', { name: 'Quotas' }).getByRole('row')
    await expect(rows.filter({ hasText: 'CPU' })).toContainText('8 vCPUs')
    await expect(rows.filter({ hasText: 'Memory' })).toContainText('4,403.2 GiB')
  }
})

test('a silo is deleted, but not one with projects, nor the own one @long', async ({
  page,
  api,
  project,
  consoleErrors,
}) => {
  expect(project.name).toBe('mill')
  const { id } = await makeSilo(api, 'brewery')
  await makeSilo(api, 'bakery')
  await page.goto('/system/silos')
  const menu = await openRowActions(page, 'main')
  await expectDisabled(
    menu.getByRole('menuitem', { name: 'Delete' }),
    'You are signed in to this silo',
  )
  await page.keyboard.press('Escape')
  await rowAction(page, 'bakery', 'Delete')
  await expect(dialog(page, 'Delete silo')).toContainText('Its users are signed out at once')
  await confirm(page, 'Delete silo')
  await expect(toasts(page)).toContainText('Silo bakery deleted')
  await expect(row(page, 'bakery')).toBeHidden()

  // The page of a deleted silo reports that, and its data stays readable.
  await page.getByRole('link', { name: 'brewery' }).click()
  await expect(heading(page, 'brewery')).toBeVisible()
  consoleErrors.expect(/404|API error|ApiError|GoneError/)
  await ok(api.siloDelete({ path: { silo: id } }))
  await expect(page.getByText(/no longer exists|was deleted|does not exist/).first()).toBeVisible()
})

test('utilization counts running instances, in the silo and in the system @long', async ({
  page,
  project,
  api,
  seed,
}) => {
  await seed.disk(project.name, 'sacks')
  await makeSilo(api, 'empty', { quotas: { cpus: 0, memory: 0, storage: 0 } })
  await page.goto('/utilization')
  const storage = page.getByRole('region', { name: /^Storage/ })
  await expect(storage).toContainText('0.01 TiB')
  await expect(storage).toContainText('40 TiB')
  await expect(page.getByRole('region', { name: /^CPU/ })).toContainText('0%')
  await seed.disk(project.name, 'more', { size: 1023 * GiB })
  await expect(storage).toContainText('1.01 TiB')
  await expectAccessible(page)

  await page.goto('/system/utilization')
  const rows = page.getByRole('table', { name: 'Utilization of silos' }).getByRole('row')
  await expect(rows.filter({ hasText: 'main' })).toContainText('1.01 / 40 TiB')
  await expect(rows.filter({ hasText: 'empty' })).toContainText('0 / 0 GiB')
  await expect(page.getByRole('table')).not.toContainText('NaN')
  await expect(page.getByRole('region', { name: /^Storage/ })).toContainText('Quota (Total)')
  await page.getByRole('link', { name: 'empty' }).click()
  await expect(heading(page, 'empty')).toBeVisible()
})

test.describe('in a German browser', () => {
  test.use({ locale: 'de-DE' })

  test('numbers are formatted like dates @long', async ({ page, project, seed }) => {
    await seed.disk(project.name, 'sacks', { size: 1023 * GiB })
    await page.goto('/projects/mill/disks')
    await expect(row(page, 'sacks')).toContainText('1.023 GiB')
    await page.goto('/utilization')
    const storage = page.getByRole('region', { name: /^Storage/ })
    await expect(storage.getByRole('meter')).toHaveAttribute('aria-valuetext', '2,5%')
    await expect(storage).toContainText('2,5%')
    await expect(page.getByRole('region', { name: /^Memory/ })).toContainText('2.048 GiB')
  })
})

test('the system area is for operators only @long', async ({ page, host, api, consoleErrors }) => {
  consoleErrors.expect(/403|API error|ApiError/)
  const session = await addUser(host, 'somebody')
  const theirs = await openAs(page, host.url, session)
  for (const path of ['/system/silos', '/system/utilization', '/system/silos/main/quotas']) {
    await theirs.goto(path)
    await expect(heading(theirs, 'Page not found')).toBeVisible()
  }
  await theirs.goto('/utilization')
  await expect(theirs.getByRole('region', { name: /^CPU/ })).toContainText('512')
  await expect(theirs.getByRole('button', { name: 'Switch between system and silo' })).toBeHidden()
  // With the role, the link appears.
  const { id } = (await ok(api.userList({}))).items.find((user) => user.displayName === 'somebody')!
  const { roleAssignments } = await ok(api.systemPolicyView({}))
  const viewer = { identityId: id, identityType: 'silo_user', roleName: 'viewer' } as const
  await ok(api.systemPolicyUpdate({ body: { roleAssignments: [...roleAssignments, viewer] } }))
  await theirs.goto('/system/silos')
  await expect(row(theirs, 'main')).toBeVisible()
})

test.describe('in a browser without a session', () => {
  test.use({ signedIn: false })

  test('a user signs in to a silo by name, and returns to it @long', async ({ page, api }) => {
    await makeSilo(api, 'brewery')
    const { id } = await ok(
      api.localIdpUserCreate({
        query: { silo: 'brewery' },
        body: { externalId: 'otto', password: { mode: 'password', value: 'hops and malt' } },
      }),
    )
    const admin = { identityId: id, identityType: 'silo_user', roleName: 'admin' } as const
    await ok(
      api.siloPolicyUpdate({ path: { silo: 'brewery' }, body: { roleAssignments: [admin] } }),
    )
    await page.goto('/images')
    await expect(heading(page, 'main')).toBeVisible()
    await page.getByRole('link', { name: 'Sign in to another silo' }).click()
    const silo = page.getByRole('textbox', { name: 'Silo' })
    await silo.fill('distillery')
    await silo.press('Enter')
    await expect(page.getByRole('alert')).toContainText('There is no silo named distillery')
    await expectAccessible(page)
    await silo.fill('brewery')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(heading(page, 'brewery')).toBeVisible()
    await page.getByRole('textbox', { name: 'Username' }).fill('otto')
    await page.getByRole('textbox', { name: 'Password' }).fill('hops and malt')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page).toHaveURL('/images')
    await expect(page.getByRole('link', { name: 'Silo brewery' })).toBeVisible()
    await expect(page.getByText('debian-13')).toBeHidden()
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    // The browser remembers the silo.
    await expect(heading(page, 'brewery')).toBeVisible()
  })
})
