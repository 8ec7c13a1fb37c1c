import { expectAccessible, expectNoSidewaysScroll } from '../../../support/accessibility.ts'
import { addPool } from '../../../support/networks.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { confirm, dialog, expectDisabled, row, rowAction, toasts } from '../../../support/ui.ts'

const networking = '/projects/mill/instances/wheel/networking'

test.describe('with multicast', () => {
  test.use({ hostConfig: { multicast: true } })

  test.beforeEach(async ({ host, seed, project }) => {
    const poolType = 'multicast'
    await addPool(host, 'casts', { poolType, range: ['239.1.0.1', '239.1.0.99'] })
    await seed.instance(project.name, 'wheel')
  })

  test('an instance joins a group, which is deleted when it leaves @long', async ({ page }) => {
    await page.goto(networking)
    await page.getByRole('button', { name: 'Join multicast group' }).click()
    const form = dialog(page, 'Join multicast group')
    await form.getByRole('combobox', { name: 'Group' }).fill('news')
    await page.keyboard.press('Tab')
    const sources = form.getByRole('textbox', { name: 'Sources' })
    await sources.fill('192.0.2.1, garden')
    await form.getByRole('button', { name: 'Join' }).click()
    await expect(form.getByText('garden is not an IP address')).toBeVisible()
    await expectAccessible(page)
    await sources.fill('192.0.2.1')
    await form.getByRole('button', { name: 'Join' }).click()
    await expect(toasts(page)).toContainText('Instance wheel joined multicast group news')
    await expect(row(page, 'news')).toContainText('239.1.0.1')
    await expect(row(page, 'news')).toContainText('192.0.2.1')

    await page.getByRole('link', { name: 'news' }).click()
    await expect(page).toHaveTitle('news / Multicast Groups / Steading Console')
    await expect(row(page, 'wheel')).toContainText('mill')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'wheel' }).click()
    await rowAction(page, 'news', 'Leave')
    await confirm(page, 'Leave multicast group')
    await expect(toasts(page)).toContainText('Instance wheel left multicast group 239.1.0.1')
    await page.goto('/multicast-groups')
    await expect(page.getByRole('heading', { name: 'No multicast groups' })).toBeVisible()
  })

  test('the sources of a member are changed @long', async ({ page, api, project }) => {
    await ok(
      api.instanceMulticastGroupJoin({
        path: { instance: 'wheel', multicastGroup: 'news' },
        query: { project: project.name },
        body: {},
      }),
    )
    await page.goto(networking)
    await expect(row(page, 'news')).toContainText('any')
    await rowAction(page, 'news', 'Edit sources')
    const form = dialog(page, 'Edit sources')
    const sources = form.getByRole('textbox', { name: 'Sources' })
    await sources.fill('2001:db8::1')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(
      form.getByText('source IP 2001:db8::1 does not match multicast group address family (IPv4)'),
    ).toBeVisible()
    await sources.fill('192.0.2.9')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(row(page, 'news')).toContainText('192.0.2.9')
  })

  test('the list shows a new group, also on a phone @long', async ({ page, api, project }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/multicast-groups')
    await expect(page.getByRole('heading', { name: 'No multicast groups' })).toBeVisible()
    await ok(
      api.instanceMulticastGroupJoin({
        path: { instance: 'wheel', multicastGroup: '239.1.0.77' },
        query: { project: project.name },
        body: {},
      }),
    )
    await expect(row(page, 'mcast-239-1-0-77')).toContainText('active')
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})

test('with multicast disabled, the console shows that @long', async ({ page, seed, project }) => {
  await seed.instance(project.name, 'wheel')
  await page.goto('/multicast-groups')
  await expect(page.getByText('Multicast is turned off')).toBeVisible()
  await expectAccessible(page)
  await page.goto(networking)
  const join = page.getByRole('button', { name: 'Join multicast group' })
  await expectDisabled(join, 'Multicast is turned off')
})
