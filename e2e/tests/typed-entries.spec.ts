/**
 * Number fields validate input instead of filtering it, and entries typed into the lists of a form are
 * sent even without pressing "Add".
 */
import { GiB, ok } from '../support/seed.ts'
import { expect, test } from '../support/test.ts'
import { dialog, expectFieldError, openMenuOf, row, toasts } from '../support/ui.ts'
import { makeUplinks } from '../support/uplinks.ts'

test('a number field keeps invalid input and explains the fault', async ({ page, api }) => {
  await page.goto('/system/silos/main/quotas')
  await page.getByRole('button', { name: 'Edit quotas' }).click()
  const cpus = page.getByRole('spinbutton', { name: /^CPU/ })
  const memory = page.getByRole('spinbutton', { name: /^Memory/ })
  await cpus.fill('1')
  await cpus.pressSequentially(',5')
  await memory.fill('1,5')
  await expectFieldError(cpus, 'Only whole numbers')
  await expect(cpus).toHaveValue('1,5')
  await memory.press('Enter')
  await expect(cpus).toBeFocused()
  await cpus.fill('1 500')
  await cpus.press('Enter')
  await expect(toasts(page)).toContainText('Quotas updated')
  const quotas = await ok(api.siloQuotasView({ path: { silo: 'main' } }))
  expect(quotas).toMatchObject({ cpus: 1500, memory: 1.5 * GiB })
})

test('of an address lot @long', async ({ page, api }) => {
  await page.goto('/system/networking/address-lots-new')
  const form = dialog(page, 'Create address lot')
  await form.getByRole('textbox', { name: 'Name' }).fill('provider')
  const last = form.getByRole('textbox', { name: 'Last address' })
  await last.fill('192.0.2.14')
  const create = form.getByRole('button', { name: 'Create address lot' })
  await create.click()
  const first = form.getByRole('textbox', { name: 'First address' })
  await expectFieldError(first, 'Not a valid IP address')
  await first.fill('192.0.2.9')
  await create.click()
  await expect(toasts(page)).toContainText('Address lot provider created')
  const { blocks } = await ok(api.networkingAddressLotView({ path: { addressLot: 'provider' } }))
  expect(blocks).toMatchObject([{ firstAddress: '192.0.2.9', lastAddress: '192.0.2.14' }])
})

test('of an announce set @long', async ({ page, api }) => {
  await makeUplinks(api)
  await page.goto('/system/networking/announce-sets/public/edit')
  const form = dialog(page, 'Edit announce set')
  await form.getByRole('textbox', { name: 'Network' }).fill('198.51.100.0/25')
  const update = form.getByRole('button', { name: 'Update announce set' })
  await update.click()
  const lot = form.getByRole('button', { name: 'Address lot' })
  await expect(form.getByText('Address lot is required')).toBeVisible()
  await lot.click()
  await page.getByRole('option', { name: 'provider' }).click()
  await update.click()
  await expect(toasts(page)).toContainText('Announce set public updated')
  await expect(row(page, 'public')).toContainText('198.51.100.0/25+1')
})

test('of the allow list @long', async ({ page, api }) => {
  await page.goto('/system/networking/settings/allow-list')
  const form = dialog(page, 'Edit allow list')
  await form.getByRole('radio', { name: /^Only listed/ }).check()
  const network = form.getByRole('textbox', { name: 'Address or network' })
  const update = form.getByRole('button', { name: 'Update allow list' })
  await update.click()
  await expect(form.getByRole('alert')).toContainText('Add at least one network')
  await network.fill('127.0.0.1/33')
  await update.click()
  await expect(network).toHaveAttribute('aria-invalid', 'true')
  await network.fill('127.0.0.1')
  await update.click()
  await expect(toasts(page)).toContainText('Allow list updated')
  const { allowedIps } = await ok(api.networkingAllowListView())
  expect(allowedIps).toEqual({ allow: 'list', ips: ['127.0.0.1/32'] })
})

test('of the transit IPs of an interface @long', async ({ page, project, seed, api }) => {
  await seed.instance(project.name, 'wheel', { networkInterfaces: { type: 'default_ipv4' } })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto('/projects/mill/instances/wheel/networking')
  const menu = await openMenuOf(page.getByRole('row').filter({ hasText: 'net0' }))
  await menu.getByRole('menuitem', { name: 'Edit' }).click()
  const form = dialog(page, 'Edit network interface')
  const input = form.getByRole('textbox', { name: 'Transit IPs' })
  await input.fill('10.0.0.0/33')
  const update = form.getByRole('button', { name: 'Update network interface' })
  await update.click()
  await expectFieldError(input, 'Max width for IPv4 is 32')
  await input.fill('10.0.0.0/8')
  await update.click()
  await expect(toasts(page)).toContainText('Network interface net0 updated')
  const nics = await ok(
    api.instanceNetworkInterfaceList({ query: { project: 'mill', instance: 'wheel' } }),
  )
  expect(JSON.stringify(nics.items)).toContain('10.0.0.0/8')
})
