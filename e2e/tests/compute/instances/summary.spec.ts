import { expectAccessible } from '../../../support/accessibility.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { properties, summary } from '../../../support/ui.ts'

test('the page begins with state, address and size, and on a phone with its tabs @long', async ({
  page,
  project,
  seed,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await seed.instance(project.name, 'wheel')
  await page.goto('/projects/mill/instances/wheel/storage')
  await expect(page.getByRole('heading', { level: 1, name: 'wheel' })).toBeVisible()
  await expect(summary(page)).toContainText(/^stopped.*2 vCPUs · 8 GiB$/)
  const tabs = (await page.getByRole('tablist').boundingBox())!
  expect(tabs.y + tabs.height).toBeLessThan(844 / 2)

  // Only the last breadcrumb and the way back are shown; the properties are one press away.
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link')
  await expect(crumbs).toHaveCount(2)
  await expect(crumbs.nth(0)).toHaveAccessibleName('Back to wheel')
  await expect(crumbs.nth(1)).toHaveText('Storage')
  await expect(properties(page)).toBeHidden()
  await page.getByRole('button', { name: 'Details' }).click()
  await expect(properties(page)).toBeVisible()

  // On a desktop, the header has the state, and the properties are in a fold of their own.
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(summary(page)).toContainText('stopped')
  await expect(properties(page)).toBeHidden()
  await expect(page.getByText('stopped', { exact: true }).filter({ visible: true })).toHaveCount(1)
  await page.getByRole('link', { name: 'Console', exact: true }).click()
  await expect(page).toHaveURL('/projects/mill/instances/wheel/serial-console')
})

test('the head has the command, the last event and the console, and remembers its details', async ({
  page,
  project,
  seed,
  api,
}) => {
  const { items } = await ok(api.imageList({}))
  const debian = items.find(({ name }) => name === 'debian-13')!
  await seed.instance(project.name, 'wheel', {
    start: true,
    networkInterfaces: { type: 'default_ipv4' },
    externalIps: [{ type: 'ephemeral' }],
    bootDisk: {
      type: 'create',
      name: 'root',
      description: '',
      size: 10 * 1024 ** 3,
      diskBackend: {
        type: 'distributed',
        diskSource: { type: 'image', imageId: debian.id },
      },
    },
  })
  await seed.until(project.name, 'wheel', 'running')
  const instance = { path: { instance: 'wheel' }, query: { project: project.name } }
  const ips = await ok(api.instanceExternalIpList(instance))
  const { ip } = ips.items.find(({ kind }) => kind === 'ephemeral')!
  await page.goto('/projects/mill/instances/wheel/storage')
  const head = page.getByLabel('At a glance')
  await expect(head.getByText(`ssh debian@${ip}`, { exact: true })).toBeVisible()
  await expect(head.getByText('This machine is simulated')).toBeVisible()
  await expect(head.getByRole('link', { name: 'Created instance wheel' })).toBeVisible()
  // One query reads all lines.
  const lastHour = page.getByRole('region', { name: 'Last hour' })
  await expect(lastHour).toHaveAttribute('aria-busy', 'false')
  await expect(lastHour.getByRole('link')).toHaveCount(3)
  await expect(page.getByRole('figure')).toContainText('Welcome to wheel.')
  await expect(page.getByRole('link', { name: 'Last lines of the console' })).toBeVisible()

  await expect(properties(page)).toBeHidden()
  await page.getByRole('button', { name: 'Details' }).click()
  await expect(properties(page)).toContainText('External IPs')
  await expectAccessible(page)
  await page.reload()
  await expect(properties(page)).toBeVisible()
})
