import { expectAccessible } from '../../support/accessibility.ts'
import { expect, test } from '../../support/test.ts'
import {
  choose,
  closeByEscape,
  confirm,
  dialog,
  expectDisabled,
  expectFieldError,
  openRowActions,
  row,
  rowAction,
  summary,
  toasts,
} from '../../support/ui.ts'
import { GiB, ok } from '../../support/seed.ts'

test('a blank disk is created from the empty list @long', async ({ page, project, api }) => {
  await page.goto(`/projects/${project.name}/disks`)
  await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
  await expect(page.getByText('Create a disk to see it here')).toBeVisible()
  await page.getByRole('link', { name: 'New disk' }).last().click()
  await expect(page).toHaveTitle('New disk / Disks / mill / Projects / Steading Console')
  const form = dialog(page, 'Create disk')
  await form.getByRole('textbox', { name: 'Name' }).fill('sacks')
  await form.getByRole('textbox', { name: 'Description' }).fill('Full of flour')
  await form.getByRole('spinbutton', { name: 'Size (GiB)' }).fill('20')
  await form.getByRole('radio', { name: '2048' }).check()
  await form.getByRole('button', { name: 'Create disk' }).click()
  await expect(page).toHaveURL('/projects/mill/disks')
  await expect(toasts(page)).toContainText('Disk sacks created')
  const cells = row(page, 'sacks').getByRole('cell')
  await expect(cells.nth(2)).toHaveText('—')
  await expect(cells.nth(3)).toHaveText('Distributed')
  await expect(cells.nth(4)).toHaveText(/^20\s?GiB$/)
  await expect(cells.nth(5)).toHaveText('—')
  await expect(cells.nth(6)).toHaveText('detached')
  const disk = await ok(api.diskView({ path: { disk: 'sacks' }, query: { project: 'mill' } }))
  expect(disk).toMatchObject({ size: 20 * GiB, blockSize: 2048, description: 'Full of flour' })
})

test('a disk created from an image grows to its size and keeps its source @long', async ({
  page,
  project,
}) => {
  await page.goto(`/projects/${project.name}/disks-new`)
  const form = dialog(page, 'Create disk')
  const size = form.getByRole('spinbutton', { name: 'Size (GiB)' })
  await form.getByRole('textbox', { name: 'Name' }).fill('root')
  await size.fill('1')
  await form.getByRole('radio', { name: 'Image' }).check()
  await expect(form.getByRole('radio', { name: '4096' })).toBeHidden()
  await form.getByRole('button', { name: 'Create disk' }).click()
  await expect(form.getByText('Source image is required')).toBeVisible()
  await form.getByRole('button', { name: 'Source image' }).click()
  await page.getByRole('option', { name: 'ubuntu-24-04' }).click()
  // 3 GiB, rounded up to the next ten.
  await expect(size).toHaveValue('10')
  await size.fill('2')
  await form.getByRole('button', { name: 'Create disk' }).click()
  await expectFieldError(size, 'Must be as large as selected image (min. 3 GiB)')
  await size.fill('4')
  await form.getByRole('button', { name: 'Create disk' }).click()
  await expect(row(page, 'root').getByRole('button', { name: 'ubuntu-24-04' })).toBeVisible()

  await page.getByRole('link', { name: 'root' }).click()
  await expect(page).toHaveURL('/projects/mill/disks/root')
  const details = dialog(page, 'Disk details')
  await expect(details.getByText('ubuntu-24-04')).toBeVisible()
  await expect(details.getByText('512 bytes')).toBeVisible()
  await closeByEscape(page)
  await expect(page).toHaveURL('/projects/mill/disks')
})

test('a source that fits leaves the size of a disk unchanged @long', async ({ page, project }) => {
  await page.goto(`/projects/${project.name}/disks-new`)
  const form = dialog(page, 'Create disk')
  const size = form.getByRole('spinbutton', { name: 'Size (GiB)' })
  await size.fill('4')
  await form.getByRole('radio', { name: 'Image' }).check()
  await form.getByRole('button', { name: 'Source image' }).click()
  await page.getByRole('option', { name: 'ubuntu-24-04' }).click()
  await expect(form.getByRole('button', { name: 'Source image' })).toContainText('ubuntu-24-04')
  await expect(size).toHaveValue('4')
})

test('a local disk has no source, and its size is not capped @long', async ({
  page,
  project,
  api,
}) => {
  await page.goto(`/projects/${project.name}/disks-new`)
  const form = dialog(page, 'Create disk')
  const size = form.getByRole('spinbutton', { name: 'Size (GiB)' })
  await form.getByRole('textbox', { name: 'Name' }).fill('scratch')
  await size.fill('2000')
  await size.blur()
  await expect(size).toHaveValue('1023')
  await form.getByRole('radio', { name: 'Local' }).check()
  await expect(form.getByRole('radio', { name: 'Image' })).toBeHidden()
  await size.fill('2000')
  await size.blur()
  await expect(size).toHaveValue('2000')
  await form.getByRole('button', { name: 'Create disk' }).click()
  await expect(row(page, 'scratch').getByRole('cell').nth(4)).toHaveText(/^1\.95\s?TiB$/)
  const disk = await ok(api.diskView({ path: { disk: 'scratch' }, query: { project: 'mill' } }))
  expect(disk).toMatchObject({ size: 2000 * GiB, diskType: 'local' })
})

test('a taken name is reported at the field @long', async ({
  page,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|API error/)
  await seed.disk(project.name, 'sacks')
  await page.goto(`/projects/${project.name}/disks-new`)
  const form = dialog(page, 'Create disk')
  await form.getByRole('textbox', { name: 'Name' }).fill('sacks')
  await form.getByRole('button', { name: 'Create disk' }).click()
  await expect(form.getByText('Disk name already exists')).toBeVisible()
  await expectFieldError(form.getByRole('textbox', { name: 'Name' }), 'Name already exists')
})

test('a detached disk is deleted @long', async ({ page, project, seed }) => {
  await seed.disk(project.name, 'sacks')
  await seed.disk(project.name, 'grain')
  await seed.instance(project.name, 'wheel', { disks: [{ type: 'attach', name: 'grain' }] })
  await page.goto(`/projects/${project.name}/disks`)
  await rowAction(page, 'sacks', 'Delete')
  await expect(dialog(page, 'Delete disk')).toContainText('Are you sure you want to delete sacks?')
  await confirm(page, 'Delete disk')
  await expect(toasts(page)).toContainText('Disk sacks deleted')
  await expect(row(page, 'sacks')).toBeHidden()
  await row(page, 'grain').getByRole('link', { name: 'wheel' }).click()
  await expect(page).toHaveURL('/projects/mill/instances/wheel/storage')
})

test.describe('with a control plane without previews of deletions', () => {
  test.use({ hostConfig: { extensions: false } })

  test('a disk that cannot be deleted shows the reason @long', async ({
    page,
    project,
    seed,
    consoleErrors,
  }) => {
    consoleErrors.expect(/404/)
    await seed.disk(project.name, 'grain')
    await seed.instance(project.name, 'wheel', { disks: [{ type: 'attach', name: 'grain' }] })
    await page.goto(`/projects/${project.name}/disks`)
    const menu = await openRowActions(page, 'grain')
    await expectDisabled(
      menu.getByRole('menuitem', { name: 'Delete' }),
      'Disk must be detached before it can be deleted',
    )
  })
})

test('a disk is attached from its row, and has a page with its snapshots and history', async ({
  page,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'sacks')
  await seed.instance(project.name, 'wheel')
  await page.goto(`/projects/${project.name}/disks`)
  await rowAction(page, 'sacks', 'Attach to instance')
  const attach = dialog(page, 'Attach to instance')
  await choose(attach.getByRole('combobox', { name: 'Instance' }), 'wheel')
  await attach.getByRole('button', { name: 'Attach disk' }).click()
  await expect(attach).toBeHidden()
  await expect(row(page, 'sacks').getByText('attached')).toBeVisible()
  const menu = await openRowActions(page, 'sacks')
  await expectDisabled(
    menu.getByRole('menuitem', { name: 'Attach to instance' }),
    'Only detached disks can be attached',
  )
  await closeByEscape(page)

  await page.getByRole('link', { name: 'sacks' }).click()
  await dialog(page, 'Disk details').getByRole('link', { name: 'Open page' }).click()
  await expect(page).toHaveURL('/projects/mill/disks/sacks/overview')
  await expect(page).toHaveTitle('sacks / Disks / mill / Projects / Steading Console')
  await expect(summary(page)).toContainText('attached')
  await expect(page.getByLabel('At a glance').getByRole('link', { name: 'wheel' })).toBeVisible()
  await page.getByRole('button', { name: 'Snapshot', exact: true }).click()
  const snapshots = page.getByRole('table', { name: 'Snapshots' })
  await expect(snapshots.getByText('ready')).toBeVisible()
  await page.getByRole('button', { name: 'Detach' }).click()
  await confirm(page, 'Detach disk')
  await expect(summary(page)).toContainText('detached')
  await expect(page.getByRole('button', { name: 'Attach to instance' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'History' })).toContainText('Created disk sacks')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Disk actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await confirm(page, 'Delete disk')
  await expect(page).toHaveURL('/projects/mill/disks')
  await expect(row(page, 'sacks')).toBeHidden()
})

test('a disk grows, and is rolled back to a snapshot', async ({ page, project, api, seed }) => {
  const query = { project: project.name }
  await seed.disk(project.name, 'sacks')
  await page.goto(`/projects/${project.name}/disks`)
  await rowAction(page, 'sacks', 'Snapshot')
  await expect(toasts(page)).toContainText('created: Offline')
  const taken = (await ok(api.snapshotList({ query }))).items[0]!

  await rowAction(page, 'sacks', 'Grow')
  const grow = dialog(page, 'Grow sacks')
  const size = grow.getByRole('spinbutton', { name: 'New size (GiB)' })
  await expect(size).toHaveValue('20')
  await expect(grow.getByText(/The storage quota leaves/)).toBeVisible()
  await size.fill('14')
  await grow.getByRole('button', { name: 'Grow' }).click()
  await expect(toasts(page)).toContainText('Grow the partition and the file system')
  await expect(row(page, 'sacks')).toContainText(/14\s?GiB/)

  await rowAction(page, 'sacks', 'Roll back')
  const back = dialog(page, 'Roll back sacks')
  await expect(back.getByRole('button', { name: 'Snapshot' })).toContainText(taken.name)
  await back.getByRole('button', { name: 'Roll back' }).click()
  await expect(toasts(page)).toContainText('Disk sacks rolled back')
  await expect(back).toBeHidden()
  await page.goto(`/projects/${project.name}/snapshots`)
  const before = page.getByRole('row', { name: `Before rolling back to ${taken.name}` })
  await expect(before).toContainText(/14\s?GiB/)
})
