import { expectAccessible, expectNoSidewaysScroll } from '../../support/accessibility.ts'
import { addSubnetPool } from '../../support/networks.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import {
  confirm,
  dialog,
  expectDisabled,
  openRowActions,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'

const list = '/projects/mill/external-subnets'

test('a subnet is allocated from a pool, by length or by address', async ({
  page,
  project,
  host,
}) => {
  await addSubnetPool(host, 'sixes', ['2001:db8::/48'])
  await addSubnetPool(host, 'yards', ['203.0.113.0/24'], { isDefault: true })
  await page.goto(`/projects/${project.name}/external-subnets`)
  await expect(page.getByRole('heading', { name: 'No external subnets' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'New External Subnet' }).last().click()
  await expect(page).toHaveTitle(
    'New External Subnet / External Subnets / mill / Projects / Steading Console',
  )
  const form = dialog(page, 'Create external subnet')
  const pool = form.getByRole('button', { name: 'Subnet pool' })
  await expect(pool).toContainText('yards')
  await form.getByRole('textbox', { name: 'Name' }).fill('yard')
  const length = form.getByRole('spinbutton', { name: 'Prefix length' })
  await expect(length).toHaveValue('24')
  await pool.click()
  await page.getByRole('option', { name: 'sixes' }).click()
  await length.fill('64')
  await pool.click()
  await page.getByRole('option', { name: 'yards' }).click()
  // The longest prefix of the pool.
  await expect(length).toHaveValue('32')
  await length.fill('28')
  await form.getByRole('button', { name: 'Create external subnet' }).click()
  await expect(page).toHaveURL(list)
  await expect(toasts(page)).toContainText('External subnet yard created')
  await expect(row(page, 'yard')).toContainText('203.0.113.0/28')
  await expect(row(page, 'yard')).toContainText('yards')

  await page.getByRole('link', { name: 'New External Subnet' }).click()
  await form.getByRole('textbox', { name: 'Name' }).fill('garden')
  await form.getByRole('radio', { name: 'Explicit' }).check()
  const cidr = form.getByRole('textbox', { name: 'Subnet CIDR' })
  await cidr.fill('203.0.113.64')
  await form.getByRole('button', { name: 'Create external subnet' }).click()
  await expect(
    form.getByText('Must contain an IP address and a width, separated by a /'),
  ).toBeVisible()
  await expectAccessible(page)
  await cidr.fill('203.0.113.64/29')
  await form.getByRole('button', { name: 'Create external subnet' }).click()
  await expect(row(page, 'garden')).toContainText('203.0.113.64/29')
})

test('a subnet is attached and detached, and shows changes by others @long', async ({
  page,
  project,
  host,
  seed,
  api,
}) => {
  await addSubnetPool(host, 'yards', ['203.0.113.0/24'], { isDefault: true })
  await seed.externalSubnet(project.name, 'yard')
  const { id } = await seed.instance(project.name, 'wheel', {
    networkInterfaces: { type: 'default_ipv4' },
  })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(list)
  await rowAction(page, 'yard', 'Attach')
  const attach = dialog(page, 'Attach external subnet')
  await expect(attach).toContainText(
    'The selected instance will be reachable at subnet 203.0.113.0/28',
  )
  await attach.getByRole('button', { name: 'Instance' }).click()
  await page.getByRole('option', { name: 'wheel' }).click()
  await attach.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(toasts(page)).toContainText('External subnet yard attached')

  const menu = await openRowActions(page, 'yard')
  await expectDisabled(
    menu.getByRole('menuitem', { name: 'Delete' }),
    'This external subnet must be detached from the instance before it can be deleted',
  )
  await menu.getByRole('menuitem', { name: 'Detach' }).click()
  await expect(dialog(page, 'Detach external subnet')).toContainText(
    'Are you sure you want to detach external subnet yard from instance wheel?',
  )
  await confirm(page, 'Detach external subnet')
  await expect(toasts(page)).toContainText('External subnet yard detached')

  const link = row(page, 'yard').getByRole('link', { name: 'wheel' })
  await expect(link).toBeHidden()
  await ok(
    api.externalSubnetAttach({
      path: { externalSubnet: 'yard' },
      query: { project: project.name },
      body: { instance: id },
    }),
  )
  await expect(link).toBeVisible()
})

test('the networking tab of an instance attaches and detaches subnets @long', async ({
  page,
  project,
  host,
  seed,
}) => {
  await addSubnetPool(host, 'yards', ['203.0.113.0/24'], { isDefault: true })
  await seed.instance(project.name, 'wheel', { networkInterfaces: { type: 'default_ipv4' } })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto('/projects/mill/instances/wheel/networking')
  const card = page.getByRole('region', { name: 'External subnets' })
  await expect(card).toContainText('Attach an external subnet to see it here')
  const button = card.getByRole('button', { name: 'Attach external subnet' })
  await expectDisabled(button, 'No available external subnets')
  await seed.externalSubnet(project.name, 'yard')
  await button.click()
  const attach = dialog(page, 'Attach external subnet')
  await attach.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(attach.getByText('External subnet is required')).toBeVisible()
  await attach.getByRole('button', { name: 'External subnet' }).click()
  await page.getByRole('option', { name: 'yard (203.0.113.0/28)' }).click()
  await attach.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(toasts(page)).toContainText('External subnet yard attached')
  await expect(row(page, 'yard')).toContainText('203.0.113.0/28')
  await rowAction(page, 'yard', 'Detach')
  await expect(dialog(page, 'Detach external subnet')).toContainText(
    'Are you sure you want to detach external subnet yard from wheel?',
  )
  await confirm(page, 'Detach external subnet')
  await expect(toasts(page)).toContainText('External subnet yard detached')
  await expect(card).toContainText('Attach an external subnet to see it here')
})

test('a subnet is renamed on a phone @long', async ({ page, project, host, seed }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await addSubnetPool(host, 'yards', ['203.0.113.0/24'], { isDefault: true })
  await seed.externalSubnet(project.name, 'yard')
  await page.goto(list)
  await page.getByRole('link', { name: 'yard' }).click()
  const form = dialog(page, 'Edit external subnet')
  await expect(form).toContainText('Subnet203.0.113.0/28')
  await expect(form).toContainText('Subnet poolyards')
  await expectAccessible(page)
  await form.getByRole('textbox', { name: 'Name' }).fill('garden')
  await form.getByRole('button', { name: 'Update external subnet' }).click()
  await expect(toasts(page)).toContainText('External subnet garden updated')
  await expect(row(page, 'garden')).toBeVisible()
  await expectNoSidewaysScroll(page)
})
