/** Addresses in the list of instances. */
import type { Page } from '@playwright/test'
import { expectAccessible } from '../../../support/accessibility.ts'
import { ok, type Seed } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { confirm, dialog, row, rowAction } from '../../../support/ui.ts'

const PATH = '/projects/mill/instances'

/** An instance with an ephemeral and two floating addresses. */
async function reachable(seed: Seed, name: string): Promise<string[]> {
  const floating = [await seed.floatingIp('mill', 'front'), await seed.floatingIp('mill', 'back')]
  await seed.instance('mill', name, {
    networkInterfaces: { type: 'default_ipv4' },
    externalIps: [
      { type: 'ephemeral' },
      ...floating.map((ip) => ({ type: 'floating' as const, floatingIp: ip.name })),
    ],
  })
  return floating.map(({ ip }) => ip)
}

/** Counts requests for the addresses of single instances. */
function watchRequests(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/external-ips')) count++
  })
  return () => count
}

test('addresses come with the list, without requests per row @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  const asked = watchRequests(page)
  const ips = await reachable(seed, 'wheel')
  await seed.instance(project.name, 'stone', { networkInterfaces: { type: 'default_ipv4' } })
  await page.goto(PATH)
  await expect(row(page, 'wheel').getByRole('link', { name: ips[0]! })).toBeVisible()
  await expect(row(page, 'stone').getByRole('cell').nth(5)).toHaveText('—')
  const query = { project: project.name }
  const { ip } = await ok(
    api.instanceEphemeralIpAttach({
      path: { instance: 'stone' },
      query,
      body: { poolSelector: { type: 'explicit', pool: 'default' } },
    }),
  )
  await expect(row(page, 'stone').getByRole('link', { name: ip })).toBeVisible()
  await ok(api.floatingIpDetach({ path: { floatingIp: 'front' }, query }))
  await expect(row(page, 'wheel').getByRole('link', { name: ips[1]! })).toBeVisible()
  // Answers of actions contain no addresses; the row keeps its own.
  await rowAction(page, 'stone', 'Start')
  await confirm(page, 'Start instance')
  await expect(row(page, 'stone').getByText('running')).toBeVisible()
  await expect(row(page, 'stone').getByRole('link', { name: ip })).toBeVisible()
  expect(asked()).toBe(0)
})

test('addresses behind "+2" are shown on click, key press and hover @long', async ({
  page,
  project,
  seed,
}) => {
  const ips = await reachable(seed, 'wheel')
  await page.goto(PATH)
  expect(project.name).toBe('mill')
  const more = page.getByRole('button', { name: '+2 Other external IPs' })
  await more.hover()
  await expect(page.getByRole('tooltip')).toContainText('Other external IPs')
  await more.press('Enter')
  const others = dialog(page, 'Other external IPs')
  await expect(others.getByRole('link')).toHaveCount(2)
  await expect(others.getByRole('link', { name: ips[1]! })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await expect(others.getByRole('link').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(others).toBeHidden()
  await expect(more).toBeFocused()
})

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true })

  test('addresses behind "+2" are shown on tap @long', async ({ page, project, seed }) => {
    await reachable(seed, 'wheel')
    await page.goto(`/projects/${project.name}/instances`)
    const more = page.getByRole('button', { name: '+2 Other external IPs' })
    await more.tap()
    await expect(dialog(page, 'Other external IPs').getByRole('link')).toHaveCount(2)
  })
})

test.describe('with a control plane whose list has no addresses', () => {
  test.use({ hostConfig: { extensions: false } })

  test('visible rows request their addresses @long', async ({
    page,
    project,
    seed,
    consoleErrors,
  }) => {
    // It has no capabilities either.
    consoleErrors.expect(/404/)
    const asked = watchRequests(page)
    const capabilities: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/x/v1/capabilities')) capabilities.push(request.url())
    })
    const ips = await reachable(seed, 'wheel')
    // More rows than fit on the screen; the last one by name is far below.
    await page.setViewportSize({ width: 1280, height: 400 })
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => seed.instance(project.name, `stone-${index}`)),
    )
    await page.goto(PATH)
    await expect(row(page, 'stone-0').getByRole('link')).toHaveCount(1)
    expect(asked()).toBeLessThan(12)
    await row(page, 'wheel').scrollIntoViewIfNeeded()
    await expect(row(page, 'wheel').getByRole('link', { name: ips[0]! })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Disks' }).click()
    await expect(page.getByRole('heading', { name: 'Disks', level: 1 })).toBeVisible()
    await page.getByRole('link', { name: 'Instances' }).click()
    await expect(row(page, 'wheel').getByRole('link', { name: ips[0]! })).toBeVisible()
    expect(capabilities).toHaveLength(1)
  })
})
