import { expect, test } from '../../../support/test.ts'
import { row } from '../../../support/ui.ts'
import { GiB, ok } from '../../../support/seed.ts'
import { hold, holdStarting, watchStates } from '../../../support/states.ts'

const PATH = '/projects/mill/instances'
const wheel = { path: { instance: 'wheel' }, query: { project: 'mill' } }

test('an empty list offers to create an instance @long', async ({ page, project }) => {
  await page.goto(`/projects/${project.name}`)
  await expect(page).toHaveURL(PATH)
  await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
  await expect(page.getByText('Create an instance to see it here')).toBeVisible()
  await expect(page.getByRole('link', { name: 'New instance', exact: true })).toHaveAttribute(
    'href',
    '/projects/mill/instances-new',
  )
})

test('the list shows state, size, addresses and age @long', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'stones', { ncpus: 1, memory: 4 * GiB })
  await seed.instance(project.name, 'wheel', {
    networkInterfaces: { type: 'default_ipv4' },
    externalIps: [{ type: 'ephemeral' }],
  })
  await page.goto(PATH)
  const table = page.getByRole('table', { name: 'Instances' })
  await expect(table.getByRole('columnheader')).toHaveText(
    ['', 'name', 'state', 'CPU', 'Memory', 'External IPs', 'created', 'Actions'],
    { useInnerText: true, ignoreCase: true },
  )
  const cells = (name: string) => row(page, name).getByRole('cell')
  await expect(cells('stones').nth(2)).toHaveText(/^stopped\d+s$/)
  await expect(cells('stones').nth(3)).toHaveText('1 vCPU')
  await expect(cells('stones').nth(4)).toHaveText(/^4\s?GiB$/)
  await expect(cells('stones').nth(5)).toHaveText('—')
  await expect(cells('wheel').nth(3)).toHaveText('2 vCPUs')
  await expect(cells('wheel').nth(5).getByRole('link')).toHaveText(/^100\.64\.\d+\.\d+$/)
})

test('a new instance of another user appears, with its states while starting @long', async ({
  page,
  project,
  seed,
  host,
}) => {
  await seed.instance(project.name, 'stones')
  await page.goto(PATH)
  await expect(row(page, 'stones')).toBeVisible()
  const states = await watchStates(page, 'wheel')
  const letGo = holdStarting(host)
  await seed.instance(project.name, 'wheel', { start: true })
  await expect(row(page, 'wheel').getByText('starting')).toBeVisible()
  letGo()
  await expect(row(page, 'wheel').getByText('running')).toBeVisible()
  // The state "creating" may be over before the test sees it.
  expect((await states()).filter((state) => state !== 'creating')).toEqual(['starting', 'running'])
})

test('stopping and deleting elsewhere are shown without a reload @long', async ({
  page,
  project,
  seed,
  api,
  host,
  consoleErrors,
}) => {
  // The addresses of the deleted instance may be requested once more.
  consoleErrors.expect(/404|instanceExternalIpList/)
  await seed.instance(project.name, 'wheel', { start: true })
  await seed.until(project.name, 'wheel', 'running')
  await page.goto(PATH)
  await expect(row(page, 'wheel')).toBeVisible()
  const states = await watchStates(page, 'wheel')
  const letGo = hold(host, 'stop')
  await ok(api.instanceStop(wheel))
  await expect(row(page, 'wheel').getByText('stopping')).toBeVisible()
  letGo()
  await expect(row(page, 'wheel').getByText('stopped')).toBeVisible()
  expect(await states()).toEqual(['running', 'stopping', 'stopped'])
  await ok(api.instanceDelete(wheel))
  await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
})

test('an open menu, the focus and the scroll position survive changes', async ({
  page,
  project,
  seed,
  api,
}) => {
  const others = Array.from({ length: 24 }, (_, index) => `stone-${index}`)
  await Promise.all([...others, 'wheel'].map((name) => seed.instance(project.name, name)))
  await page.goto(PATH)
  const button = row(page, 'wheel').getByRole('button', { name: 'Row actions' })
  await button.press('Enter')
  const menu = page.getByRole('menu', { name: 'Row actions' })
  const start = menu.getByRole('menuitem', { name: 'Start' })
  const stop = menu.getByRole('menuitem', { name: 'Stop' })
  await expect(stop).toHaveAttribute('aria-disabled', 'true')
  for (const item of await menu.getByRole('menuitem').all()) {
    await expect(item).toBeFocused()
    if ((await item.textContent()) === 'Start') break
    await page.keyboard.press('ArrowDown')
  }
  await expect(start).toBeFocused()
  const scroll = await page.evaluate(() => window.scrollY)
  expect(scroll).toBeGreaterThan(0)

  await ok(api.instanceStart(wheel))
  await expect(row(page, 'wheel').getByText('running')).toBeVisible()
  await expect(menu).toBeVisible()
  await expect(start).toBeFocused()
  await expect(start).toHaveAttribute('aria-disabled', 'true')
  await expect(stop).not.toHaveAttribute('aria-disabled', 'true')
  expect(await page.evaluate(() => window.scrollY)).toBe(scroll)
})

test('"Go to instance" is in the palette @long', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel')
  await page.goto(PATH)
  await page.getByRole('button', { name: 'Jump to' }).click()
  await page
    .getByRole('group', { name: 'Go to instance' })
    .getByRole('option', { name: 'wheel' })
    .click()
  await expect(page).toHaveURL('/projects/mill/instances/wheel/storage')
})
