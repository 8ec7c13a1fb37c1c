import { expectAccessible, expectNoSidewaysScroll } from '../../support/accessibility.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { confirm, dialog, row, rowAction, toasts } from '../../support/ui.ts'

test('a pool is created and gets a member, with validated prefix lengths @long', async ({
  page,
}) => {
  await page.goto('/system/networking/subnet-pools')
  await expect(page.getByRole('heading', { name: 'No subnet pools' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'New Subnet Pool' }).first().click()
  const form = dialog(page, 'Create subnet pool')
  await form.getByRole('textbox', { name: 'Name' }).fill('yards')
  await form.getByRole('button', { name: 'Create subnet pool' }).click()
  await expect(toasts(page)).toContainText('Subnet pool yards created')
  await page.getByRole('link', { name: 'yards', exact: true }).click()
  await page.getByRole('link', { name: 'Add member' }).first().click()
  const member = dialog(page, 'Add member')
  const subnet = member.getByRole('textbox', { name: 'Subnet' })
  const add = member.getByRole('button', { name: 'Add member' })
  await subnet.fill('2001:db8::/48')
  await add.click()
  await expect(member.getByText('IPv6 subnet not allowed in IPv4 pool')).toBeVisible()
  await subnet.fill('203.0.113.0/24')
  const min = member.getByRole('spinbutton', { name: 'Min prefix length' })
  await min.fill('20')
  await add.click()
  await expect(member.getByText('Must be ≥ subnet prefix length (24)')).toBeVisible()
  await expectAccessible(page)
  // The rule compares three fields: a change of any revalidates all with an error.
  const max = member.getByRole('spinbutton', { name: 'Max prefix length' })
  await min.fill('28')
  await max.fill('26')
  await add.click()
  const crossed = member.getByText('Min prefix length must be ≤ max prefix length')
  await expect(crossed).toBeVisible()
  await max.fill('32')
  await expect(crossed).toHaveCount(0)
  await min.fill('26')
  await add.click()
  await expect(toasts(page)).toContainText('Member added')
  await expect(row(page, '203.0.113.0/24')).toContainText('26')
  await expect(page.getByText('256 / 256').first()).toBeVisible()
})

test('a pool is linked to a silo and appears there, on a phone too @long', async ({
  page,
  api,
}) => {
  const pool = await ok(
    api.systemSubnetPoolCreate({ body: { name: 'yards', description: '', ipVersion: 'v4' } }),
  )
  await ok(
    api.systemSubnetPoolMemberAdd({
      path: { pool: pool.id },
      body: { subnet: '203.0.113.0/24' },
    }),
  )
  await page.goto('/system/networking/subnet-pools/yards?tab=silos')
  await page.getByRole('button', { name: 'Link silo' }).first().click()
  const link = dialog(page, 'Link silo')
  await link.getByRole('combobox', { name: 'Silo' }).fill('main')
  await page.getByRole('option', { name: 'main' }).click()
  await link.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(row(page, 'main')).toBeVisible()
  await rowAction(page, 'main', 'Make default')
  await expect(dialog(page, 'Make default')).toContainText(
    'the default IPv4 subnet pool for silo main?',
  )
  await confirm(page, 'Make default')
  await expect(row(page, 'main')).toContainText('default')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/system/silos/main/subnet-pools')
  await expect(page.getByRole('link', { name: 'yards' })).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})
