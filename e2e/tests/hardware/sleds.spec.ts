import type { Page } from '@playwright/test'
import type { Wire } from '@steading/api'
import { expectAccessible } from '../../support/accessibility.ts'
import { takePictures } from '../../support/pictures.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { confirm, dialog, properties, row, rowAction, toasts } from '../../support/ui.ts'

// Transitions are instant.
test.use({ hostConfig: { bootMs: 0 } })

/** The row of the instance; its cell has the silo and the project as well. */
const wheelOf = (page: Page) => page.getByRole('row', { name: /wheel/ })

test('an instance is moved by hand, and then away from a sled in maintenance', async ({
  page,
  host,
  api,
  seed,
  project,
}) => {
  await seed.instance(project.name, 'wheel', { start: true })
  const runs = async () =>
    (await ok(api.instanceView({ path: { instance: 'wheel' }, query: { project: project.name } })))
      .runState
  await expect.poll(runs).toBe('running')

  const { machines } = host.server.controlPlane.engines
  machines.slowMoves(3_600_000)
  const path = { instance: 'wheel' }
  const { sled } = await ok(api.instanceSledView({ path, query: { project: project.name } }))
  const { id } = await ok(api.instanceView({ path, query: { project: project.name } }))
  const { items } = await ok(api.sledList({}))
  const there = items.find(({ baseboard }) => baseboard.serial === 'BRM-0003')!
  await page.goto('/projects/mill/instances/wheel/storage')
  await ok(
    api.instanceMove({
      path: { sledId: sled!.id, instanceId: id },
      body: { sledId: there.id },
    }),
  )
  const progress = page.getByRole('progressbar', { name: 'Move of wheel' })
  await expect(progress).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel move' }).click()
  await confirm(page, 'Cancel move')
  await expect(progress).toBeHidden()
  machines.slowMoves()
  await page.getByRole('button', { name: 'Instance actions' }).click()
  await page.getByRole('menuitem', { name: 'Move to another sled' }).click()
  const move = dialog(page, 'Move instance')
  await expect(move.getByRole('radio', { name: /The instance is on it/ })).toBeDisabled()
  await expectAccessible(page)
  await move.getByRole('radio', { name: /^BRM-0003/ }).check()
  await move.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(toasts(page)).toContainText('Moving instance wheel to sled BRM-0003')
  // The new sled arrives without a reload.
  await page.getByRole('button', { name: 'Details' }).click()
  await expect(properties(page).getByRole('link', { name: 'BRM-0003' })).toBeVisible()
  await properties(page).getByRole('link', { name: 'BRM-0003' }).click()
  await expect(wheelOf(page)).toContainText('running')
  await page.getByRole('tab', { name: 'Moves' }).click()
  await expect(wheelOf(page).first()).toContainText('Moved')
  await expect(wheelOf(page).last()).toContainText('Cancelled')
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Maintenance' }).click()
  await page.getByRole('button', { name: 'Begin maintenance' }).click()
  const begin = dialog(page, 'Begin maintenance')
  await expect(begin.getByText('1 instance will move to other sleds')).toBeVisible()
  await begin.getByRole('button', { name: 'Begin maintenance' }).click()
  await expect(begin.getByText('A reason is required')).toBeVisible()
  await begin.getByRole('textbox', { name: 'Reason' }).fill('New fans')
  await begin.getByRole('textbox', { name: 'Expected end' }).fill('2020-01-01 02:00')
  await expect(begin.getByText('The end must be in the future')).toBeVisible()
  await expectAccessible(page)
  await begin.getByRole('textbox', { name: 'Expected end' }).fill('2096-01-01 02:00')
  await begin.getByRole('button', { name: 'Begin maintenance' }).click()
  const card = page.getByRole('region', { name: 'Maintenance' })
  await expect(card.getByText('Empty')).toBeVisible()
  await expect(card.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '1 of 1')
  await expectAccessible(page)

  await card.getByRole('button', { name: 'Edit' }).click()
  const edit = dialog(page, 'Edit maintenance')
  await edit.getByRole('textbox', { name: 'Reason' }).fill('New power supply')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(properties(page).last()).toContainText('New power supply')
  await page.goto('/system/inventory/sleds')
  await expect(row(page, 'BRM-0003')).toContainText('Maintenance')
  await rowAction(page, 'BRM-0003', 'Maintenance')
  await card.getByRole('button', { name: 'End maintenance' }).click()
  await confirm(page, 'End maintenance')
  await expect(page.getByText('The sled is not in maintenance')).toBeVisible()
})

test('an instance without another place is left on a sled in maintenance, with the reason @long', async ({
  page,
  api,
  seed,
  project,
}) => {
  await seed.instance(project.name, 'wheel', { start: true })
  const path = { instance: 'wheel' }
  const query = { project: project.name }
  await expect
    .poll(async () => (await ok(api.instanceView({ path, query }))).runState)
    .toBe('running')
  const { sled } = await ok(api.instanceSledView({ path, query }))
  const { items } = await ok(api.sledList({}))
  for (const { id } of items) {
    const body = { state: 'non_provisionable' as const }
    if (id !== sled!.id) await ok(api.sledSetProvisionPolicy({ path: { sledId: id }, body }))
  }
  await ok(
    api.sledMaintenanceBegin({
      path: { sledId: sled!.id },
      body: { reason: 'New fans', unmovable: 'leave' },
    }),
  )
  await page.goto(`/system/inventory/sleds/${sled!.id}/maintenance`)
  const card = page.getByRole('region', { name: 'Maintenance' })
  await expect(card.getByText('Waiting for room')).toBeVisible()
  await expect(wheelOf(page)).toContainText('Cannot move')
  await expect(wheelOf(page)).toContainText('Could not find any valid sled')
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Pause' }).click()
  await confirm(page, 'Pause maintenance')
  await expect(card.getByText('Paused')).toBeVisible()
  await card.getByRole('button', { name: 'Abort' }).click()
  await confirm(page, 'Abort maintenance')
  await expect(page.getByText('The sled is not in maintenance')).toBeVisible()
})

test('nothing is said about replicas where the engine keeps none', async ({
  page,
  api,
  project,
}) => {
  await page.route('/x/v1/capabilities', async (route) => {
    const response = await route.fetch()
    const known = (await response.json()) as Wire.Capabilities
    const json = { ...known, engine_lacks: [...known.engine_lacks, 'replicas'] }
    return route.fulfill({ response, json })
  })
  const [sled] = (await ok(api.sledList({}))).items
  const path = { sledId: sled!.id }
  await ok(api.sledSetProvisionPolicy({ path, body: { state: 'non_provisionable' } }))
  await page.goto(`/system/inventory/sleds/${sled!.id}/maintenance`)
  const main = page.getByRole('main')
  await expect(main.getByText('The sled is drained')).toBeVisible()
  await expect(main.getByRole('meter')).toHaveCount(2)
  await expect(main).not.toContainText(/replica|Storage used/)
  await takePictures(page, 'a sled without replicas')
  await page.getByRole('button', { name: 'Begin maintenance' }).click()
  const begin = dialog(page, 'Begin maintenance')
  await expect(begin.getByText('No instance is on it')).toBeVisible()
  await expect(begin).not.toContainText('replica')
  await takePictures(page, 'a maintenance without replicas')
  await begin.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Sled actions' }).click()
  await page.getByRole('menuitem', { name: 'Expunge' }).click()
  const expunge = dialog(page, 'Expunge sled')
  await expect(expunge.getByText('No instance runs on it')).toBeVisible()
  await expect(expunge).not.toContainText('replica')
  await expunge.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Learn about inventory' }).click()
  const docs = dialog(page, 'Learn about inventory')
  await expect(docs).toContainText('files in storage pools')
  await expect(docs).not.toContainText('replica')
  await page.goto(`/projects/${project.name}/disks-new`)
  await dialog(page, 'Create disk').getByRole('button', { name: 'Tip' }).hover()
  await expect(page.getByRole('tooltip')).toContainText('files in a storage pool')
  await takePictures(page, 'a new disk without replicas')
})
