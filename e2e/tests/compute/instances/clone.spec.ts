import { expectAccessible } from '../../../support/accessibility.ts'
import { expect, test } from '../../../support/test.ts'
import { heading, row, rowAction, toasts } from '../../../support/ui.ts'

const attach = (name: string) => ({ type: 'attach' as const, name })

test('an instance is cloned from its row, with a chosen disk and name', async ({
  page,
  project,
  seed,
  api,
  consoleErrors,
}) => {
  // A snapshot may be deleted while the page reads it.
  consoleErrors.expect(/404 .*\/snapshots\/|operation: snapshot/)
  await seed.disk(project.name, 'wheel-boot')
  await seed.disk(project.name, 'flour')
  await seed.group(project.name, 'apart')
  await seed.instance(project.name, 'wheel', {
    bootDisk: attach('wheel-boot'),
    disks: [attach('flour')],
    antiAffinityGroups: ['apart'],
  })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto('/projects/mill/instances')
  await rowAction(page, 'wheel', 'Clone')
  await expect(heading(page, 'Clone wheel')).toBeVisible()
  const form = page.getByRole('main')
  const name = form.getByRole('textbox', { name: 'Name', exact: true })
  await expect(name).toHaveValue('wheel-copy')
  await name.fill('water')
  // The names of the disks follow.
  const boot = form.getByRole('textbox', { name: 'Name of the copy of wheel-boot' })
  await expect(boot).toHaveValue('water-boot')
  await boot.fill('fresh')
  await name.fill('stream')
  await expect(boot).toHaveValue('fresh')
  await form.getByRole('checkbox', { name: /^flour/ }).uncheck()
  await form.getByRole('checkbox', { name: 'Start Instance' }).uncheck()
  await form.getByRole('checkbox', { name: 'apart', checked: true }).uncheck()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Clone instance' }).click()

  await expect(toasts(page)).toContainText('Instance stream created')
  await expect(heading(page, 'stream')).toBeVisible()
  await expect(row(page, 'fresh')).toBeVisible()
  await expect(row(page, 'flour')).toHaveCount(0)
  await seed.until(project.name, 'stream', 'stopped')
  const groups = await api.instanceAntiAffinityGroupList({
    path: { instance: 'stream' },
    query: { project: project.name },
  })
  expect(groups).toMatchObject({ data: { items: [] } })
  // The snapshots are deleted once the copies are made.
  await expect
    .poll(async () => {
      const answer = await api.snapshotList({ query: { project: project.name } })
      return answer.type === 'success' && answer.data.items.length
    })
    .toBe(0)
})

test('what was typed stays when a clone is refused @long', async ({
  page,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 400|API error/)
  await seed.instance(project.name, 'wheel')
  await seed.instance(project.name, 'taken')
  await seed.instance(project.name, 'wheel-copy')
  await page.goto('/projects/mill/instances/wheel/clone')
  const form = page.getByRole('main')
  const name = form.getByRole('textbox', { name: 'Name', exact: true })
  await expect(name).toHaveValue('wheel-copy-2')
  await name.fill('taken')
  await form.getByRole('textbox', { name: 'Hostname' }).fill('twin')
  await form.getByRole('button', { name: 'Clone instance' }).click()
  await expect(form.getByText(/already exists/)).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Hostname' })).toHaveValue('twin')
  await page.reload()
  await expect(form.getByText('Your draft was restored')).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Hostname' })).toHaveValue('twin')
})
