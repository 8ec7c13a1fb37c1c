import type { ApiClient, IpVersion } from '@steading/api/client'
import { expectAccessible } from '../../support/accessibility.ts'
import { box, bulkAction, item, jobDialog } from '../../support/jobs.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import {
  choose,
  confirm,
  dialog,
  expectFieldError,
  heading,
  openRowActions,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'

const makePool = (api: ApiClient, name: string, ipVersion: IpVersion = 'v4') =>
  ok(api.systemIpPoolCreate({ body: { name, description: '', ipVersion } }))

const addRange = (api: ApiClient, pool: string, first: string, last: string) =>
  ok(api.systemIpPoolRangeAdd({ path: { pool }, body: { first, last } }))

const makeSilo = (api: ApiClient, name: string) =>
  ok(
    api.siloCreate({
      body: {
        name,
        description: '',
        identityMode: 'local_only',
        discoverable: true,
        quotas: { cpus: 0, memory: 0, storage: 0 },
        tlsCertificates: [],
      },
    }),
  )

test('an operator creates a pool with a range, and its free addresses are shown', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|API error/)
  await page.goto('/system/networking')
  await expect(page).toHaveURL('/system/networking/ip-pools')
  await expect(row(page, '65,534 / 65,534')).toContainText('default')
  await expect(row(page, 'services')).toBeHidden()
  await page.keyboard.press('c')
  const form = dialog(page, 'Create IP pool')
  await form.getByRole('textbox', { name: 'Name' }).fill('edge')
  await form.getByRole('radio', { name: 'v6' }).check()
  await form.getByRole('button', { name: 'Create IP pool' }).click()
  await expect(toasts(page)).toContainText('IP pool edge created')
  await page.getByRole('link', { name: 'edge' }).click()

  await expect(heading(page, 'edge')).toBeVisible()
  await page.getByRole('link', { name: 'Add range' }).first().click()
  const range = dialog(page, 'Add IP range')
  const first = range.getByRole('textbox', { name: 'First' })
  const last = range.getByRole('textbox', { name: 'Last' })
  await range.getByRole('button', { name: 'Add IP range' }).click()
  await expectFieldError(first, 'Not a valid IP address')
  await first.fill('10.0.0.1')
  await expectFieldError(first, 'IPv4 address not allowed in IPv6 pool')
  await first.fill('2001:db8:7::')
  await last.fill('2001:db8:6::ff')
  await range.getByRole('button', { name: 'Add IP range' }).click()
  await expect(range).toContainText('First must not come after last')
  await last.fill('2001:db8:7:ffff:ffff:ffff:ffff:ffff')
  await range.getByRole('button', { name: 'Add IP range' }).click()
  await expect(toasts(page)).toContainText('IP range added')
  await expect(page.getByRole('region', { name: /^IPv6/ })).toContainText('1.2e24')

  const actions = page.getByRole('button', { name: 'IP pool actions' })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = dialog(page, 'Delete IP pool')
  await expect(question).toContainText('First: empty edge')
  await expect(question.getByRole('button', { name: 'Empty and delete' })).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await rowAction(page, '2001:db8:7::', 'Remove')
  await expect(dialog(page, 'Remove range')).toContainText(
    'while addresses of the range are in use',
  )
  await confirm(page, 'Remove range')
  await expect(page.getByText('No IP ranges')).toBeVisible()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await confirm(page, 'Delete IP pool')
  await expect(toasts(page)).toContainText('Pool edge deleted')
  await expect(page).toHaveURL('/system/networking/ip-pools')
  await expect(row(page, 'edge')).toBeHidden()
  expect((await api.systemIpPoolView({ path: { pool: 'edge' } })).type).toBe('error')
})

test('a pool is linked to a silo as its default, replacing the previous one @long', async ({
  page,
  api,
}) => {
  await makePool(api, 'edge')
  await makeSilo(api, 'brewery')
  await ok(
    api.systemIpPoolSiloLink({
      path: { pool: 'default' },
      body: { silo: 'brewery', isDefault: true },
    }),
  )
  await page.goto('/system/networking/ip-pools/edge?tab=silos')
  await page.getByRole('button', { name: 'Link silo' }).first().click()
  const form = dialog(page, 'Link silo')
  await form.getByRole('button', { name: 'Link', exact: true }).click()
  await expectFieldError(form.getByRole('combobox', { name: 'Silo' }), 'Silo is required')
  await choose(form.getByRole('combobox', { name: 'Silo' }), 'brewery')
  await expect(form).toContainText('Replaces default, which stays linked')
  await form.getByRole('checkbox', { name: /^Make default IPv4 unicast pool for silo/ }).check()
  await form.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(form).toBeHidden()
  await expect(row(page, 'brewery')).toContainText('default')

  await page.getByRole('link', { name: 'brewery' }).click()
  await expect(page).toHaveURL('/system/silos/brewery/ip-pools')
  await expect(heading(page, 'brewery')).toBeVisible()
  await rowAction(page, 'default', 'Make default')
  await expect(dialog(page, 'Change default')).toContainText(
    'change the default IPv4 unicast pool from edge to default?',
  )
  await confirm(page, 'Change default')
  const menu = await openRowActions(page, 'edge')
  await menu.getByRole('menuitem', { name: 'Unlink' }).click()
  await confirm(page, 'Unlink pool')
  await expect(toasts(page)).toContainText('IP pool unlinked')
  await expect(row(page, 'edge')).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL('/system/networking/ip-pools/edge?tab=silos')
  await expect(page.getByText('No linked silos')).toBeVisible()
})

test('a nearly full pool is marked, and blocked changes show the reason @long', async ({
  page,
  api,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|API error/)
  await makePool(api, 'edge')
  await addRange(api, 'edge', '198.51.100.1', '198.51.100.2')
  await ok(
    api.systemIpPoolSiloLink({ path: { pool: 'edge' }, body: { silo: 'main', isDefault: false } }),
  )
  await seed.floatingIp(project.name, 'gate', 'edge')
  await seed.floatingIp(project.name, 'door', 'edge')
  await page.goto('/system/networking/ip-pools')
  await expect(
    row(page, 'edge').getByRole('img', { name: 'None left' }),
    'a sign beside what is left',
  ).toBeVisible()
  await page.getByRole('link', { name: 'edge' }).click()
  await expect(page.getByText('No IPs left')).toBeVisible()
  await rowAction(page, '198.51.100.1', 'Remove')
  await confirm(page, 'Remove range')
  await expect(toasts(page)).toContainText(
    'IP pool ranges cannot be deleted while external IP addresses are allocated from them',
  )
  await page.getByRole('tab', { name: 'Addresses' }).click()
  await expect(row(page, 'door')).toContainText('198.51.100.2')
  await page.getByRole('searchbox', { name: 'Search addresses' }).fill('gat')
  await expect(row(page, 'door')).toBeHidden()
  await expect(row(page, 'gate')).toContainText('mill')
  await page.getByRole('tab', { name: 'Linked silos' }).click()
  await rowAction(page, 'main', 'Unlink')
  await confirm(page, 'Unlink silo')
  await expect(toasts(page)).toContainText(
    'IP addresses from this pool are in use in the linked silo',
  )
})

test('pools are deleted together, with their ranges @long', async ({ page, api }) => {
  for (const [index, name] of ['east', 'west'].entries()) {
    await makePool(api, name)
    await addRange(api, name, `198.18.${index}.1`, `198.18.${index}.9`)
  }
  await page.goto('/system/networking/ip-pools')
  await box(page, 'east').check()
  await box(page, 'west').check()
  await bulkAction(page, 'Delete').click()
  await expect(item(page, 'east')).toContainText(
    'IP Pool cannot be deleted while it contains IP ranges',
  )
  await jobDialog(page).getByRole('checkbox', { name: 'Remove their ranges first' }).check()
  await jobDialog(page).getByRole('button', { name: 'Delete 2 IP pools' }).click()
  await expect(jobDialog(page).getByText('4 steps done').first()).toBeVisible()
  expect((await api.systemIpPoolView({ path: { pool: 'east' } })).type).toBe('error')
})
