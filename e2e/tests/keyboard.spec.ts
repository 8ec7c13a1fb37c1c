import { tabTo } from '../support/keyboard.ts'
import { ok } from '../support/seed.ts'
import { expect, test } from '../support/test.ts'
import { dialog, heading, row, toasts } from '../support/ui.ts'

test('a project and an instance are created and deleted without a mouse @long', async ({
  page,
  api,
}) => {
  await page.goto('/projects')
  await expect(page.getByRole('heading', { name: 'No projects' })).toBeVisible()
  await tabTo(page, page.getByRole('link', { name: 'New project' }).first())
  await page.keyboard.press('Enter')
  const form = dialog(page, 'Create project')
  await expect(form).toBeVisible()
  await tabTo(page, form.getByRole('textbox', { name: 'Name' }))
  await page.keyboard.type('mill')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Instances')).toBeFocused()

  await tabTo(page, page.getByRole('link', { name: 'New Instance', exact: true }))
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Create instance')).toBeFocused()
  await tabTo(page, page.getByRole('textbox', { name: 'Name', exact: true }))
  await page.keyboard.type('wheel')
  await tabTo(page, page.getByRole('checkbox', { name: 'Start Instance' }))
  await page.keyboard.press('Space')
  await tabTo(page, page.getByRole('tab', { name: 'General Purpose' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'High CPU' })).toBeFocused()
  await tabTo(page, page.getByRole('radio', { name: '2 CPU 4 gibibytes RAM' }))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: '4 CPU 8 gibibytes RAM' })).toBeChecked()
  const image = page.getByRole('combobox', { name: 'Image' })
  await tabTo(page, image)
  await page.keyboard.type('deb')
  await expect(page.getByRole('option')).toHaveText([/debian/])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(image).toHaveValue('debian-13')
  // With the list closed, Enter does not send the form.
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Create instance')).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Create instance' }))
  await page.keyboard.press('Enter')
  await expect(heading(page, 'wheel')).toBeFocused()
  const wheel = { path: { instance: 'wheel' }, query: { project: 'mill' } }
  expect(await ok(api.instanceView(wheel))).toMatchObject({ ncpus: 4, runState: 'stopped' })

  await tabTo(page, page.getByRole('button', { name: 'Instance actions' }))
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, dialog(page, 'Delete instance').getByRole('button', { name: 'Confirm' }))
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Instances')).toBeFocused()
  await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
  await expect(toasts(page)).toContainText('Deleting instance wheel')
})

test('a disk is attached and snapshotted without a mouse, and an instance deleted with its disk @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  const query = { project: project.name }
  await seed.instance(project.name, 'wheel')
  await seed.until(project.name, 'wheel', 'stopped')
  await seed.disk(project.name, 'grain')
  await page.goto(`/projects/${project.name}/instances/wheel/storage`)
  await tabTo(page, page.getByRole('button', { name: 'Attach existing disk' }))
  await page.keyboard.press('Enter')
  const form = dialog(page, 'Attach disk')
  await tabTo(page, form.getByRole('combobox', { name: 'Disk name' }))
  await page.keyboard.type('gra')
  await expect(page.getByRole('option')).toHaveText([/grain/])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabTo(page, form.getByRole('button', { name: 'Attach disk' }))
  await page.keyboard.press('Enter')
  await expect(toasts(page)).toContainText('Disk grain attached')

  const actions = row(page, 'grain').getByRole('button', { name: 'Row actions' })
  await tabTo(page, actions)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.type('Snap')
  await expect(page.getByRole('menuitem', { name: 'Snapshot', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await ok(api.snapshotList({ query }))).items.map(({ name }) => name))
    .toEqual([expect.stringMatching(/^grain-/)])

  await tabTo(page, page.getByRole('button', { name: 'Instance actions' }))
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Enter')
  const deletion = dialog(page, 'Delete instance')
  await tabTo(page, deletion.getByRole('checkbox', { name: 'Delete it too (1 disk)' }))
  await page.keyboard.press('Space')
  await tabTo(page, deletion.getByRole('button', { name: 'Delete with 1 other thing' }))
  await page.keyboard.press('Enter')
  const plan = dialog(page, 'Delete instance wheel in mill')
  await expect.poll(async () => (await ok(api.diskList({ query }))).items).toEqual([])
  expect((await ok(api.instanceList({ query }))).items).toEqual([])
  await tabTo(page, plan.getByRole('button', { name: 'Close' }).last())
  await page.keyboard.press('Enter')
  await expect(plan).toBeHidden()
  await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
})

test('the focus stays inside a modal and returns to its origin', async ({ page, project }) => {
  await page.goto('/projects')
  const opener = page.getByRole('row', { name: project.name }).getByRole('button', {
    name: 'Row actions',
  })
  await opener.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const question = dialog(page, 'Delete project')
  await expect(question).toBeVisible()
  for (let stops = 0; stops < 5; stops++) {
    await page.keyboard.press('Tab')
    await expect(question.locator(':focus')).toBeAttached()
  }
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(opener).toBeFocused()
})

test('the focus stays in a list when its rows and buttons disappear', async ({
  page,
  project,
  seed,
  api,
  consoleErrors,
}) => {
  // Its panel may be preloaded as soon as its link has the focus.
  consoleErrors.expect(/404/)
  for (const name of ['ash', 'beech', 'cedar']) await seed.disk(project.name, name)
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await page.goto(`/projects/${project.name}/disks`)
  await link('beech').focus()
  await ok(api.diskDelete({ path: { disk: 'beech' }, query: { project: project.name } }))
  await expect(link('cedar')).toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.type('ash')
  await expect(link('cedar')).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(link('ash')).toBeFocused()
  const search = page.getByRole('searchbox', { name: 'Search disks' })
  await search.fill('willow')
  await page.getByRole('button', { name: 'Clear search and filters' }).press('Enter')
  await expect(search).toBeFocused()
  await expect(link('cedar')).toBeVisible()
})

test('the key for the actions of the selection waits for them @long', async ({ page, project }) => {
  await page.goto('/projects')
  await page.getByRole('link', { name: project.name, exact: true }).focus()
  const arrives = Promise.withResolvers<void>()
  await page.route(/\/assets\//, async (route) => {
    await arrives.promise
    await route.continue()
  })
  await page.keyboard.press('x')
  await page.keyboard.press('.')
  arrives.resolve()
  const bar = page.getByRole('toolbar', { name: 'Bulk actions' })
  await expect(bar.getByRole('button', { name: 'Tag', exact: true })).toBeFocused()
})
