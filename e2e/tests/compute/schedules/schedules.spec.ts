import { expectAccessible } from '../../../support/accessibility.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { choose, confirm, dialog, heading, properties, row } from '../../../support/ui.ts'

test('a schedule is created with a preview, runs, is paused and resumed, and deleted', async ({
  page,
  project,
  seed,
  api,
}) => {
  const { id: thing } = await seed.disk(project.name, 'sacks')
  await ok(api.tagsChange({ path: { kind: 'disk', thing }, body: { set: ['backup:nightly'] } }))
  await page.goto('/projects/mill/schedules')
  await page.getByRole('link', { name: 'New schedule' }).first().click()
  const form = page.getByRole('main')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('nightly')
  const next = page.getByRole('region', { name: /^Next runs/ })
  await expect(next.getByRole('listitem')).toHaveCount(5)
  // The rules of the control plane are those of the form.
  await form.getByRole('radio', { name: 'By cron expression' }).check()
  await form.getByRole('textbox', { name: 'Cron expression' }).fill('*/5 * * * *')
  await form.getByRole('button', { name: 'Create schedule' }).click()
  await expect(form.getByText('Runs must be at least 15 minutes apart')).toBeVisible()
  await expect(form.getByText('Choose at least one target')).toBeVisible()
  await expect(next.getByRole('listitem')).toHaveCount(0)
  await expectAccessible(page)
  await form.getByRole('radio', { name: 'Week', exact: true }).check()
  await form.getByRole('button', { name: /Day of the week/ }).click()
  await page.getByRole('option', { name: 'Friday' }).click()
  await form.getByRole('textbox', { name: 'Time of day' }).fill('23:30')
  await expect(next.getByText(/^Fri, /)).toHaveCount(5)
  await choose(form.getByRole('combobox', { name: 'Targets' }), 'sacks')
  await form.getByRole('button', { name: 'Add target' }).click()
  await expect(form.getByRole('table', { name: 'Targets' })).toContainText('sacks')
  // The same disk by its tag, which makes no second snapshot.
  await choose(form.getByRole('combobox', { name: 'Targets' }), 'backup:nightly')
  // Chosen, and sent without having been added.
  await form.getByRole('button', { name: 'Create schedule' }).click()

  await expect(heading(page, 'nightly')).toBeVisible()
  await expect(properties(page)).toContainText(/Every Friday at 11:30.PM/)
  await expect(page.getByRole('link', { name: 'backup:nightly' })).toBeVisible()
  await page.getByRole('button', { name: 'Run now' }).click()
  await dialog(page, 'Run schedule now').getByRole('button', { name: 'Confirm' }).click()
  // The result arrives without a reload.
  const result = row(page, 'Run 1')
  await expect(result).toContainText('succeeded')
  await result.getByRole('button', { name: 'Run 1' }).click()
  const run = dialog(page, 'Run 1')
  await expect(run.getByText('Snapshot of sacks')).toBeVisible()
  await expectAccessible(page)
  await run.getByRole('button', { name: 'Close' }).last().click()

  const actions = page.getByRole('button', { name: 'Schedule actions' })
  for (const [action, state] of [
    ['Pause', 'paused'],
    ['Resume', 'active'],
  ] as const) {
    await actions.click()
    await page.getByRole('menuitem', { name: action }).click()
    await dialog(page, `${action} schedule`).getByRole('button', { name: 'Confirm' }).click()
    await expect(properties(page).getByText(state, { exact: true })).toBeVisible()
  }
  await page.goto('/projects/mill/disks/sacks')
  await page.getByRole('link', { name: 'nightly' }).click()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await confirm(page, 'Delete schedule')
  await expect(page.getByText('No schedules')).toBeVisible()
  await page.goto('/projects/mill/snapshots')
  await expect(page.getByRole('row', { name: /sacks-nightly-/ })).toBeVisible()
})
