import { expectAccessible, expectNoSidewaysScroll } from '../../support/accessibility.ts'
import { addSubnet } from '../../support/networks.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import {
  closeByEscape,
  confirm,
  dialog,
  expectDisabled,
  expectFieldError,
  openMenuOf,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'

const path = '/projects/mill/instances/wheel/networking'

test('interfaces are added, made primary and removed', async ({ page, project, seed, api }) => {
  await addSubnet(api, project.name, 'backend', '10.7.0.0/24')
  await seed.instance(project.name, 'wheel', { networkInterfaces: { type: 'default_ipv4' } })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(path)
  await page.getByRole('button', { name: 'Add network interface' }).click()
  const form = dialog(page, 'Add network interface')
  await form.getByRole('textbox', { name: 'Name' }).fill('side')
  // The only one.
  await expect(form.getByRole('button', { name: 'VPC', exact: false }).first()).toContainText(
    'default',
  )
  await expect(form.getByRole('textbox', { name: 'IPv6 address' })).toBeVisible()
  await form.getByRole('radio', { name: 'IPv4', exact: true }).check()
  await expect(form.getByRole('textbox', { name: 'IPv6 address' })).toBeHidden()
  await form.getByRole('button', { name: 'Add network interface' }).click()
  await expect(form.getByText('VPC subnet is required')).toBeVisible()
  await form.getByRole('button', { name: 'VPC subnet' }).click()
  await page.getByRole('option', { name: 'backend' }).click()
  await form.getByRole('textbox', { name: 'IPv4 address' }).fill('10.7.0.77')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Add network interface' }).click()
  await expect(row(page, 'side')).toContainText('v410.7.0.77')
  await expect(row(page, 'side')).toContainText('backend')

  const menu = await openMenuOf(page.getByRole('row').filter({ hasText: 'net0' }))
  await expectDisabled(
    menu.getByRole('menuitem', { name: 'Make primary' }),
    'This network interface is already set as primary',
  )
  await expectDisabled(
    menu.getByRole('menuitem', { name: 'Delete' }),
    'The primary interface can’t be deleted while other interfaces are attached. To delete it, make another interface primary.',
  )
  await closeByEscape(page)
  await rowAction(page, 'side', 'Make primary')
  await expect(page.getByRole('row').filter({ hasText: 'side' })).toContainText('primary')
  // The page learns of the deletion before the answer arrives: the preview is not requested again.
  await page.route('**/v1/network-interfaces/**', async (route) => {
    const answer = await route.fetch()
    await expect(page.locator('tr', { hasText: 'net0' })).toHaveCount(0)
    await route.fulfill({ response: answer })
  })
  await rowAction(page, 'net0', 'Delete')
  await confirm(page, 'Delete network interface')
  await expect(toasts(page)).toContainText('Network interface net0 deleted')
  await expect(row(page, 'net0')).toBeHidden()
})

test('an address outside of the subnet @long', async ({ page, project, seed, consoleErrors }) => {
  consoleErrors.expect(/400|API error/)
  await seed.instance(project.name, 'wheel')
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(path)
  await page.getByRole('button', { name: 'Add network interface' }).click()
  const form = dialog(page, 'Add network interface')
  await form.getByRole('textbox', { name: 'Name' }).fill('side')
  await form.getByRole('button', { name: 'VPC subnet' }).click()
  await page.getByRole('option', { name: 'default' }).click()
  await form.getByRole('textbox', { name: 'IPv4 address' }).fill('10.9.9.9')
  await form.getByRole('button', { name: 'Add network interface' }).click()
  await expect(form.getByRole('alert')).toContainText('10.9.9.9 is outside subnet 172.30.0.0/22')
})

test('transit IPs are checked when added, and survive "Make primary" @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await addSubnet(api, project.name, 'backend', '10.7.0.0/24')
  const v4 = { type: 'v4' as const, value: { ip: { type: 'auto' as const } } }
  const nic = (name: string, subnetName: string) => ({
    name,
    description: '',
    vpcName: 'default',
    subnetName,
    ipConfig: v4,
  })
  await seed.instance(project.name, 'wheel', {
    networkInterfaces: { type: 'create', params: [nic('main', 'default'), nic('side', 'backend')] },
  })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(path)
  await rowAction(page, 'side', 'Edit')
  const form = dialog(page, 'Edit network interface')
  const input = form.getByRole('textbox', { name: 'Transit IPs' })
  const add = form.getByRole('button', { name: 'Add Transit IP' })
  await expect(form).toContainText('This network interface supports IPv4 transit IPs.')
  await expect(form).toContainText('Private IPv410.7.0.5')
  await expect(input).toHaveAttribute('placeholder', 'An IP network, e.g., 192.168.0.0/16')
  await expect(add).toHaveAttribute('aria-disabled', 'true')
  for (const [text, problem] of [
    ['10.0.0.0', 'Must contain an IP address and a width, separated by a /'],
    ['10.0.0.0/a', 'Width must be an integer'],
    ['10.0.0.0/33', 'Max width for IPv4 is 32'],
    ['fd00::/64', 'IPv6 transit IP not supported by this network interface'],
  ] as const) {
    await input.fill(text)
    await add.click()
    await expectFieldError(input, problem)
  }
  await input.fill('192.168.0.0/16')
  await input.press('Enter')
  await expect(input).toHaveValue('')
  await input.fill('192.168.0.0/16')
  await expect(input).not.toHaveAttribute('aria-invalid')
  await input.press('Enter')
  await expectFieldError(input, 'Transit IP already in list')
  await form.getByRole('button', { name: 'Clear' }).click()
  await input.fill('172.16.0.0/12')
  await add.click()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'remove IP 172.16.0.0/12' }).click()
  await form.getByRole('button', { name: 'Update network interface' }).click()
  await expect(toasts(page)).toContainText('Network interface side updated')
  await expect(row(page, 'side')).toContainText('192.168.0.0/16')
  await rowAction(page, 'side', 'Make primary')
  const side = page.getByRole('row').filter({ hasText: 'side' })
  await expect(side).toContainText('primary')
  await expect(side).toContainText('192.168.0.0/16')
})

test('interfaces of a running instance cannot be changed @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await seed.instance(project.name, 'wheel', {
    networkInterfaces: { type: 'default_dual_stack' },
    start: true,
  })
  await seed.until(project.name, 'wheel', 'running')
  await page.goto(path)
  await expectDisabled(
    page.getByRole('button', { name: 'Add network interface' }),
    'A network interface cannot be created or edited unless the instance is stopped',
  )
  const menu = await openMenuOf(page.getByRole('row').filter({ hasText: 'net0' }))
  const edit = menu.getByRole('menuitem', { name: 'Edit' })
  await expectDisabled(
    edit,
    "The instance must be stopped before editing a network interface's settings",
  )
  await expectDisabled(
    menu.getByRole('menuitem', { name: 'Delete' }),
    'The instance must be stopped to delete a network interface',
  )
  // The menu stays open while the page receives state changes.
  await ok(api.instanceStop({ path: { instance: 'wheel' }, query: { project: 'mill' } }))
  await expect(edit).not.toHaveAttribute('aria-disabled')
  await closeByEscape(page)
  await expectNoSidewaysScroll(page)
})

test('a list that is still loading is announced, and a press on it is not lost @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel', { networkInterfaces: { type: 'default_ipv4' } })
  await seed.until(project.name, 'wheel', 'stopped')
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\/v1\/vpc-subnets\?/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(path)
  await page.getByRole('button', { name: 'Add network interface' }).click()
  const form = dialog(page, 'Add network interface')
  await form.getByRole('button', { name: 'VPC subnet' }).click()
  const options = page.getByRole('listbox')
  await expect(options).toContainText('Loading…')
  answer()
  await options.getByRole('option', { name: 'default' }).click()
  await expect(form.getByRole('button', { name: 'VPC subnet' })).toContainText('default')
})
