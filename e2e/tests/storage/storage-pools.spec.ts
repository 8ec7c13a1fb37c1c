import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from '../../support/accessibility.ts'
import { DESK, takePictures } from '../../support/pictures.ts'
import { expect, test } from '../../support/test.ts'
import { ok } from '../../support/seed.ts'
import {
  choose,
  confirm,
  dialog,
  heading,
  properties,
  row,
  rowAction,
  summary,
  toasts,
} from '../../support/ui.ts'

const LIST = '/system/inventory/storage-pools'

test('a storage pool is added, takes a disk and gives it back, and is removed', async ({
  page,
  project,
}) => {
  await page.goto(LIST)
  await expect(row(page, 'default')).toContainText('Healthy')
  await takePictures(page, 'storage pools')
  await page.getByRole('link', { name: 'Add storage pool' }).click()
  const form = dialog(page, 'Add storage pool')
  await form.getByRole('textbox', { name: 'Name' }).fill('fast')
  const directory = form.getByRole('textbox', { name: 'Directory' })
  await directory.fill('mnt/fast')
  await form.getByRole('button', { name: 'Add storage pool' }).click()
  await expect(form.getByText('It has to be an absolute path')).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'a storage pool with a wrong directory')
  await directory.fill('/mnt/sim-fast')
  await form.getByRole('button', { name: 'Add storage pool' }).click()
  await expect(row(page, 'fast')).toContainText('Healthy')
  await page.getByRole('link', { name: 'fast', exact: true }).click()
  await expect(heading(page, 'fast')).toBeVisible()
  await expect(properties(page)).toContainText('/mnt/sim-fast')
  await expectAccessible(page)
  await takePictures(page, 'a storage pool', 1100)

  // A choice appears as soon as there are two.
  await page.goto(`/projects/${project.name}/disks-new`)
  const disk = dialog(page, 'Create disk')
  await disk.getByRole('textbox', { name: 'Name' }).fill('sacks')
  await disk.getByRole('button', { name: 'Storage pool' }).click()
  await page.getByRole('option', { name: 'fast' }).click()
  await takePictures(page, 'a disk with a choice of storage pools', 1100)
  await disk.getByRole('button', { name: 'Create disk' }).click()
  await expect(toasts(page)).toContainText('Disk sacks created')
  await page.setViewportSize(DESK)
  await page.goto(`/projects/${project.name}/disks/sacks/overview`)
  await expect(page.getByLabel('At a glance')).toContainText('fast')

  await page.getByRole('button', { name: 'Disk actions' }).click()
  await page.getByRole('menuitem', { name: 'Move to storage pool' }).click()
  const move = dialog(page, 'Move sacks to another storage pool')
  await expect(move).toContainText('The disk is in fast')
  await expectAccessible(page)
  await takePictures(page, 'moving a disk to another storage pool')
  await page.setViewportSize(DESK)
  await move.getByRole('button', { name: 'Move' }).click()
  await expect(page.getByLabel('At a glance')).toContainText('default')

  await page.goto(LIST)
  await rowAction(page, 'fast', 'Make default')
  await expect(row(page, 'fast')).toContainText('default')
  // Both have the word in their row now.
  await page.getByRole('button', { name: 'Row actions of default' }).click()
  await page.getByRole('menuitem', { name: 'Make default' }).click()
  await expect(row(page, 'fast')).not.toContainText('default')
  await rowAction(page, 'fast', 'Remove storage pool')
  await confirm(page, 'Remove storage pool')
  await expect(toasts(page)).toContainText('Storage pool fast removed')
  await expect(row(page, 'fast')).toBeHidden()
})

test('a storage pool that hosts mount is added with its source', async ({ page }) => {
  await page.goto(`${LIST}-new`)
  const form = dialog(page, 'Add storage pool')
  await form.getByRole('textbox', { name: 'Name' }).fill('nas')
  await form.getByRole('textbox', { name: 'Directory' }).fill('/var/sim-nas')
  await form.getByRole('radio', { name: 'NFS' }).click()
  const source = form.getByRole('textbox', { name: 'NFS export' })
  await source.fill('nas.example')
  // The text stays when the type changes.
  await form.getByRole('radio', { name: 'GlusterFS' }).click()
  await expect(form.getByRole('textbox', { name: 'GlusterFS volume' })).toHaveValue('nas.example')
  await form.getByRole('radio', { name: 'Directory' }).click()
  await form.getByRole('radio', { name: 'NFS' }).click()
  await expect(source).toHaveValue('nas.example')
  await form.getByRole('button', { name: 'Add storage pool' }).click()
  await expect(form.getByText('It has to be a host, a colon and a path')).toBeVisible()
  await expect(form.getByText('Hosts mount storage pools in /mnt and /srv only')).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'a storage pool with a wrong source', 1100)
  await page.setViewportSize(DESK)
  await source.fill('nas.example:/export/fast')
  await form.getByRole('textbox', { name: 'Directory' }).fill('/mnt/sim-nas')
  await form.getByRole('button', { name: 'Add storage pool' }).click()
  await expect(row(page, 'nas')).toContainText('nas.example:/export/fast')
  await page.getByRole('link', { name: 'nas', exact: true }).click()
  await expect(properties(page)).toContainText('nas.example:/export/fast')
  await expect(properties(page)).toContainText('/mnt/sim-nas')
  await expectAccessible(page)
  await takePictures(page, 'a storage pool that hosts mount', 1100)
})

test('the disks of a new instance are in chosen storage pools, and leave them while it runs', async ({
  page,
  api,
  project,
}) => {
  await ok(
    api.storagePoolCreate({
      body: { name: 'fast', description: '', type: 'directory', path: '/mnt/sim-fast' },
    }),
  )
  await page.goto(`/projects/${project.name}/instances-new`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('wheel')
  await choose(page.getByRole('combobox', { name: 'Image' }), 'debian-13')
  await page.getByRole('textbox', { name: 'Disk name' }).fill('axle')
  const chooseFast = async (form: Page | Locator) => {
    await form.getByRole('button', { name: 'Storage pool' }).click()
    await page.getByRole('option', { name: 'fast' }).click()
  }
  const form = dialog(page, 'Create disk')
  for (const name of ['sacks', 'flour']) {
    await page.getByRole('button', { name: 'Create new disk' }).click()
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    if (name === 'flour') await chooseFast(form)
    await form.getByRole('button', { name: 'Create disk' }).click()
    await expect(form).toBeHidden()
  }
  await chooseFast(page)
  await page.getByRole('button', { name: 'Storage pool' }).click()
  await page.getByRole('option', { name: 'That of the image' }).click()
  await chooseFast(page)
  const chosen = page.getByRole('complementary', { name: 'Summary' })
  await expect(chosen).toContainText('debian-13, in fast')
  await expect(chosen.getByText('in fast', { exact: true })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'flour in fast' })).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'a new instance with a choice of storage pools', 2600)
  await page.setViewportSize(DESK)
  await page.getByRole('button', { name: 'Create instance' }).click()
  await expect(summary(page).getByText('running')).toBeVisible()

  const poolOf = async (disk: string) =>
    (await ok(api.diskStorageView({ path: { disk }, query: { project: project.name } }))).pool.name
  const disks = ['axle', 'sacks', 'flour']
  expect(await Promise.all(disks.map(poolOf))).toEqual(['fast', 'default', 'fast'])

  await page.goto(`/projects/${project.name}/disks/axle/overview`)
  await expect(page.getByLabel('At a glance')).toContainText('fast')
  await page.getByRole('button', { name: 'Disk actions' }).click()
  await page.getByRole('menuitem', { name: 'Move to storage pool' }).click()
  const move = dialog(page, 'Move axle to another storage pool')
  await expect(move).toContainText('An instance that runs goes on')
  await takePictures(page, 'moving a disk of a running instance')
  await page.setViewportSize(DESK)
  await move.getByRole('button', { name: 'Move' }).click()
  await expect(page.getByLabel('At a glance')).toContainText('default')
})

test('a storage pool out of reach says why', async ({ page, api }) => {
  await api.storagePoolCreate({
    body: { name: 'lost', description: '', type: 'directory', path: '/mnt/elsewhere' },
  })
  await page.goto(LIST)
  await expect(row(page, 'lost')).toContainText('Unreachable')
  await page.getByRole('link', { name: 'lost', exact: true }).click()
  await expect(page.getByText('The storage pool cannot be used')).toBeVisible()
  await expect(page.getByText('There is no directory /mnt/elsewhere')).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'a storage pool out of reach', 1100)
})

test('a storage pool that is removed under a form can be given up @long', async ({
  page,
  api,
  project,
  consoleErrors,
}) => {
  consoleErrors.expect(/404/)
  await ok(
    api.storagePoolCreate({
      body: { name: 'fast', description: '', type: 'directory', path: '/mnt/sim-fast' },
    }),
  )
  await page.goto(`/projects/${project.name}/disks-new`)
  const form = dialog(page, 'Create disk')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('sacks')
  const pool = form.getByRole('button', { name: 'Storage pool' })
  await pool.click()
  await page.getByRole('option', { name: 'fast' }).click()
  await ok(api.storagePoolDelete({ path: { pool: 'fast' } }))
  await form.getByRole('button', { name: 'Create disk' }).click()
  await expect(form.getByText('not found: storage-pool with name "fast"')).toBeVisible()
  await expect(pool).toHaveText('fast')
  await pool.click()
  await page.getByRole('option', { name: 'Default' }).click()
  await form.getByRole('button', { name: 'Create disk' }).click()
  await expect(toasts(page)).toContainText('Disk sacks created')
})
