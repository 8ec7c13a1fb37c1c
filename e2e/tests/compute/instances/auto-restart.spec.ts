import { pauseMessages } from '@steading/api/rules'
import { expectAccessible } from '../../../support/accessibility.ts'
import { databaseOf } from '../../../support/many.ts'
import { expect, test } from '../../../support/test.ts'
import type { Host } from '../../../support/host.ts'
import { holdStarting, watchStates } from '../../../support/states.ts'
import { row, toasts } from '../../../support/ui.ts'
import { ok } from '../../../support/seed.ts'

const BASE = '/projects/mill/instances/wheel'
const wheel = { path: { instance: 'wheel' }, query: { project: 'mill' } }

test('the auto-restart policy is changed in any state @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await seed.instance(project.name, 'wheel', { start: true })
  await page.goto(`${BASE}/settings`)
  const save = page.getByRole('button', { name: 'Save' })
  const policy = page.getByRole('button', { name: 'Policy' })
  await expect(policy).toHaveText('Default')
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await policy.click()
  await page.getByRole('option', { name: 'Never' }).click()
  await save.click()
  await expect(toasts(page)).toContainText('Instance auto-restart policy updated')
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await expect(policy).toHaveText('Never')
  expect((await ok(api.instanceView(wheel))).autoRestartPolicy).toBe('never')
  await page.reload()
  await expect(policy).toHaveText('Never')
})

test.describe('when its host has died', () => {
  /** As when its sled fails. */
  async function crash(host: Host, instance: string): Promise<void> {
    const { database, engines } = host.server.controlPlane
    const { vm_id } = await database.db
      .selectFrom('instance')
      .select('vm_id')
      .where('name', '=', instance)
      .executeTakeFirstOrThrow()
    await engines.machines.crash(vm_id!)
  }

  test('an instance restarts automatically @long', async ({ page, project, seed, host }) => {
    await seed.instance(project.name, 'wheel', { start: true })
    await seed.until(project.name, 'wheel', 'running')
    await page.goto(`/projects/${project.name}/instances`)
    await expect(row(page, 'wheel')).toBeVisible()
    const states = await watchStates(page, 'wheel')
    const letGo = holdStarting(host)
    await crash(host, 'wheel')
    await expect(row(page, 'wheel').getByText('starting')).toBeVisible()
    letGo()
    await expect
      .poll(async () => (await states()).join(' '))
      .toMatch(/^running (failed )?starting running$/)
  })

  test('an instance without restarts stays failed, and shows that @long', async ({
    page,
    project,
    seed,
    host,
  }) => {
    await seed.instance(project.name, 'wheel', { start: true, autoRestartPolicy: 'never' })
    await seed.until(project.name, 'wheel', 'running')
    const { db } = host.server.controlPlane.database
    const pause = { pause: 'no_space', time_paused: new Date().toISOString() } as const
    await db
      .updateTable('instance')
      .set({ ...pause, firmware: 'uefi' })
      .where('name', '=', 'wheel')
      .execute()
    await page.goto(`${BASE}/storage`)
    const paused = page.getByRole('alert').filter({ hasText: 'The guest is paused' })
    await expect(paused).toContainText('its host has no room')
    await expect(paused).toContainText(pauseMessages.no_space.body)
    const boot = page.getByRole('region', { name: 'Boot disk' })
    await expect(boot.getByText('Booted by UEFI')).toBeVisible()
    await expectAccessible(page)
    await crash(host, 'wheel')
    const why =
      'The sled that it ran on stopped responding. It will not be restarted automatically.'
    await expect(page.getByRole('alert').filter({ hasText: 'has failed' })).toContainText(why)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Auto-restart status' }).click()
    const status = page.getByRole('dialog', { name: 'Auto-restart status' })
    await expect(status).toContainText('Disabled')
    await expect(status).toContainText('This instance will not automatically restart.')
    await status.getByRole('link', { name: 'never' }).click()
    await expect(page).toHaveURL(`${BASE}/settings`)
    await expect(page.getByRole('button', { name: 'Policy' })).toHaveText('Never')
    await page.getByRole('link', { name: 'Instances', exact: true }).first().click()
    await row(page, 'wheel').getByText('failed', { exact: true }).hover()
    await expect(page.getByRole('tooltip')).toHaveText(why)
  })

  test('an instance shows when its cooldown ends @long', async ({ page, project, seed, host }) => {
    await seed.instance(project.name, 'wheel', { start: true })
    await seed.until(project.name, 'wheel', 'running')
    await databaseOf(host)
      .updateTable('instance')
      .set({ time_last_auto_restarted: new Date().toISOString() })
      .execute()
    await crash(host, 'wheel')
    await seed.until(project.name, 'wheel', 'failed')
    await page.goto(`${BASE}/storage`)
    await expect(page.getByRole('alert').filter({ hasText: 'has failed' })).toContainText(
      /stopped responding\. It will be restarted in \d+[ms]\./,
    )
  })
})
