import { takePictures } from '../../../support/pictures.ts'
import { expect, test } from '../../../support/test.ts'
import {
  closeByEscape,
  confirm,
  dialog,
  expectDisabled,
  openRowActions,
  row,
  rowAction,
  toasts,
} from '../../../support/ui.ts'
import { expectAccessible } from '../../../support/accessibility.ts'
import { GiB, ok } from '../../../support/seed.ts'

test('a snapshot is created from the empty list', async ({ page, project, seed }) => {
  await seed.disk(project.name, 'sacks')
  await seed.disk(project.name, 'scratch', { diskBackend: { type: 'local' } })
  await page.goto(`/projects/${project.name}/snapshots`)
  await expect(page).toHaveTitle('Snapshots / mill / Projects / Steading Console')
  await expect(page.getByRole('heading', { name: 'No snapshots' })).toBeVisible()
  await expect(page.getByText('Create a snapshot to see it here')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'New snapshot' }).last().click()
  const form = dialog(page, 'Create snapshot')
  await form.getByRole('textbox', { name: 'Name' }).fill('harvest')
  await form.getByRole('textbox', { name: 'Description' }).fill('Before the winter')
  await form.getByRole('button', { name: 'Create snapshot' }).click()
  await expect(form.getByText('Disk is required')).toBeVisible()
  await expect(form.getByText('Only disks that support snapshots are listed')).toBeVisible()
  await form.getByRole('combobox', { name: 'Disk' }).click()
  await expect(page.getByRole('option')).toHaveText(['sacks'])
  await page.getByRole('option', { name: 'sacks' }).click()
  await form.getByRole('button', { name: 'Create snapshot' }).click()
  await expect(page).toHaveURL('/projects/mill/snapshots')
  await expect(toasts(page)).toContainText('Snapshot harvest created: Offline')
  const cells = row(page, 'harvest').getByRole('cell')
  await expect(cells.nth(2)).toHaveText('Before the winter')
  await expect(cells.nth(3)).toHaveText('sacks')
  await expect(cells.nth(4)).toHaveText('ready')
  // The window has no room for the consistency, which the message has told.
  await expect(cells.nth(5)).toHaveText(/^10\s?GiB$/)
  await cells.nth(3).getByRole('button').click()
  await expect(dialog(page, 'Disk details')).toContainText('4,096 bytes')
  await expectAccessible(page)
})

test('a snapshot whose disk is gone can be deleted @long', async ({
  page,
  project,
  seed,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 404/)
  const query = { project: project.name }
  await seed.disk(project.name, 'sacks')
  await ok(api.snapshotCreate({ query, body: { name: 'harvest', description: '', disk: 'sacks' } }))
  await page.goto('/projects/mill/snapshots')
  await expect(row(page, 'harvest').getByRole('button', { name: 'sacks' })).toBeVisible()
  await ok(api.diskDelete({ path: { disk: 'sacks' }, query }))
  await expect(row(page, 'harvest').getByRole('cell', { name: 'Deleted' })).toBeVisible()
  await rowAction(page, 'harvest', 'Delete')
  await confirm(page, 'Delete snapshot')
  await expect(page.getByRole('heading', { name: 'No snapshots' })).toBeVisible()
})

test('disks are snapshotted from their list, if possible @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await seed.disk(project.name, 'sacks')
  await seed.disk(project.name, 'scratch', { diskBackend: { type: 'local' } })
  await seed.disk(project.name, 'incoming', {
    diskBackend: {
      type: 'distributed',
      diskSource: { type: 'importing_blocks', blockSize: 512 },
    },
  })
  await page.goto('/projects/mill/disks')
  await rowAction(page, 'sacks', 'Snapshot')
  await expect(toasts(page)).toContainText('Creating snapshot of disk sacks')
  await expect(toasts(page)).toContainText(/Snapshot sacks-[0-9a-f]{6} created/)
  for (const [disk, reason] of [
    ['scratch', "Local disks don't support snapshots"],
    ['incoming', 'Only disks in state attached or detached support snapshots'],
  ] as const) {
    const menu = await openRowActions(page, disk)
    await expectDisabled(menu.getByRole('menuitem', { name: 'Snapshot' }), reason)
    await closeByEscape(page)
  }
  const [snapshot] = (await ok(api.snapshotList({ query: { project: project.name } }))).items
  await seed.disk(project.name, 'copy', {
    diskBackend: {
      type: 'distributed',
      diskSource: { type: 'snapshot', snapshotId: snapshot!.id },
    },
  })
  await row(page, 'copy').getByRole('button', { name: snapshot!.name }).click()
  await expect(dialog(page, 'Snapshot details')).toContainText('Offline')
  await expectAccessible(page)
  await takePictures(page, 'snapshot details')
})

test('the disks of an instance are snapshotted from its storage tab @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'sacks')
  await seed.instance(project.name, 'wheel', { disks: [{ type: 'attach', name: 'sacks' }] })
  await page.goto('/projects/mill/instances/wheel/storage')
  await rowAction(page, 'sacks', 'Snapshot')
  await expect(toasts(page)).toContainText(/Snapshot sacks-[0-9a-f]{6} created/)
})

test('an image is created from a snapshot; a taken name is reported @long', async ({
  page,
  project,
  seed,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|API error/)
  const query = { project: project.name }
  await seed.disk(project.name, 'sacks', { size: 2 * GiB })
  const snapshot = await ok(
    api.snapshotCreate({ query, body: { name: 'harvest', description: '', disk: 'sacks' } }),
  )
  const body = {
    name: 'taken',
    description: '',
    os: '',
    version: '',
    source: { type: 'snapshot' as const, id: snapshot.id },
  }
  await ok(api.imageCreate({ query, body }))
  await page.goto('/projects/mill/snapshots')
  await rowAction(page, 'harvest', 'Create image')
  await expect(page).toHaveURL('/projects/mill/snapshots/harvest/images-new')
  const form = dialog(page, 'Create image from snapshot')
  const name = form.getByRole('textbox', { name: 'Name' })
  await expect(name).toHaveValue('harvest')
  await expect(form.getByText('(Optional)')).toBeHidden()
  await expectAccessible(page)
  await name.fill('taken')
  await form.getByRole('button', { name: 'Create image' }).click()
  await expect(form.getByText('Project-image name already exists')).toBeVisible()
  await name.fill('flour')
  await form.getByRole('textbox', { name: 'OS' }).fill('debian')
  await form.getByRole('button', { name: 'Create image' }).click()
  await expect(toasts(page)).toContainText('Image flour created')
  await expect(page).toHaveURL('/projects/mill/snapshots')
})
