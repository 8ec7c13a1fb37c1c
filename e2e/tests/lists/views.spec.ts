/** Saved views of lists: private, and shared in a project. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/accessibility.ts'
import { addUser, clientOf } from '../../support/host.ts'
import { chooseItem, search } from '../../support/lists.ts'
import { ok } from '../../support/seed.ts'
import { takePictures } from '../../support/pictures.ts'
import { expect, openAs, test } from '../../support/test.ts'
import {
  closeByEscape,
  confirm,
  dialog,
  expectDisabled,
  heading,
  row,
  toasts,
} from '../../support/ui.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const menu = (page: Page) => page.getByRole('menu', { name: /^Views/ })

async function choose(page: Page, item: string): Promise<void> {
  await button(page, /^Views/).click()
  await menu(page)
    .getByRole(/…$|view$|default$|^Export/.test(item) ? 'menuitem' : 'menuitemradio', {
      name: item,
    })
    .click()
}

test('a list is saved under a name, changed, updated and restored', async ({
  page,
  project,
  seed,
}) => {
  for (const name of ['rye-one', 'rye-two', 'wheat']) await seed.disk(project.name, name)
  await page.goto(`/projects/${project.name}/disks?q=rye&sort=name_descending`)
  await expect(row(page, 'rye-two')).toBeVisible()
  await choose(page, 'Save as new view…')
  const form = dialog(page, 'Save view')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Name is required')).toBeVisible()
  await form.getByRole('textbox', { name: 'Name' }).fill('Rye only')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(button(page, 'Views: Rye only')).toBeVisible()
  await expect(page).toHaveURL(/view=/)

  await search(page, 'disks').fill('wheat')
  await expect(button(page, 'Views: Rye only, unsaved changes')).toBeVisible()
  await page.reload()
  await expect(button(page, 'Views: Rye only, unsaved changes')).toBeVisible()
  await button(page, /^Views/).click()
  await expect(menu(page).getByRole('menuitemradio', { name: 'Rye only' })).toBeChecked()
  await expectAccessible(page)
  await takePictures(page, 'views menu')
  await page.setViewportSize({ width: 1280, height: 800 })
  await menu(page).getByRole('menuitem', { name: 'Update view' }).click()
  await expect(button(page, /^Views: Rye only$/)).toBeVisible()

  await choose(page, 'All disks')
  await expect(row(page, 'rye-one')).toBeVisible()
  await expect(search(page, 'disks')).toHaveValue('')
  await choose(page, 'Rye only')
  await expect(search(page, 'disks')).toHaveValue('wheat')
  await expect(row(page, 'rye-one')).toBeHidden()
  await expect(page).toHaveURL(/sort=name_descending/)
})

test('the default view applies to a list opened without a search @long', async ({
  page,
  api,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'rye')
  await seed.disk(project.name, 'wheat')
  const body = {
    name: 'Rye only',
    list: 'disk',
    query: { search: 'rye' },
    columns: ['name', 'size'],
  }
  await ok(api.viewCreate({ body: body as never }))
  await page.goto(`/projects/${project.name}/disks`)
  await expect(row(page, 'wheat')).toBeVisible()
  await choose(page, 'Rye only')
  await expect(row(page, 'wheat')).toBeHidden()
  await expect(page.getByRole('columnheader')).toHaveText(['', /name/, /size/, 'Actions'])
  await choose(page, 'Make default')
  await expect(toasts(page)).toContainText('View Rye only is the default')
  await page.getByRole('link', { name: 'Snapshots' }).click()
  await expect(heading(page, 'Snapshots')).toBeVisible()
  await page.getByRole('link', { name: 'Disks' }).click()
  await expect(button(page, /^Views: Rye only$/)).toBeVisible()
  await expect(search(page, 'disks')).toHaveValue('rye')
  // Going back leads to the previous list, not to the list without the view.
  await page.goBack()
  await expect(heading(page, 'Snapshots')).toBeVisible()
  await page.goForward()
  await choose(page, 'All disks')
  await expect(row(page, 'wheat')).toBeVisible()
  await page.reload()
  await expect(row(page, 'wheat')).toBeVisible()
  await choose(page, 'Rye only')
  await choose(page, 'Delete view')
  await confirm(page, 'Delete view')
  await expect(button(page, 'Views: All disks')).toBeVisible()
  await page.goto(`/projects/${project.name}/disks`)
  await expect(row(page, 'wheat')).toBeVisible()
})

test('the rows of a list are requested while its default view is loading @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'rye')
  const rows = page.waitForRequest('**/x/v1/disks?*')
  await page.route('**/x/v1/views?*', async (route) => {
    await rows
    await route.continue()
  })
  await page.goto(`/projects/${project.name}/disks`)
  await expect(row(page, 'rye')).toBeVisible()
})

test('a shared view belongs to everybody, and only collaborators change it @long', async ({
  page,
  host,
  api,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'rye')
  await page.goto(`/projects/${project.name}/disks`)
  await chooseItem(page, page.getByRole('search').getByRole('button', { name: 'Type' }), 'Local')
  await choose(page, 'Save as new view…')
  const form = dialog(page, 'Save view')
  await form.getByRole('textbox', { name: 'Name' }).fill('Local ones')
  await form.getByRole('checkbox', { name: 'Share in the project' }).check()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(button(page, 'Views: Local ones')).toBeVisible()

  const session = await addUser(host, 'viewer')
  const viewer = await ok(clientOf(host.url, session).currentUserView())
  const { roleAssignments } = await ok(api.policyView())
  const given = { identityId: viewer.id, identityType: 'silo_user', roleName: 'viewer' } as const
  await ok(api.policyUpdate({ body: { roleAssignments: [...roleAssignments, given] } }))
  const theirs = await openAs(page, host.url, session)
  await theirs.goto(`/projects/${project.name}/disks`)
  await choose(theirs, 'Local ones')
  await expect(button(theirs, 'Type: Local')).toBeVisible()
  // Disabled actions show the reason in advance.
  const reason = 'Needs project limited collaborator; you are viewer'
  await button(theirs, /^Views/).click()
  await expectDisabled(menu(theirs).getByRole('menuitem', { name: 'Make default' }), reason)
  await expectDisabled(menu(theirs).getByRole('menuitem', { name: 'Rename…' }), reason)
  await menu(theirs).getByRole('menuitem', { name: 'Save as new view…' }).click()
  await expect(dialog(theirs, 'Save view').getByText(reason)).toBeVisible()
  await expect(theirs.getByRole('checkbox', { name: 'Share in the project' })).toBeDisabled()
  await closeByEscape(theirs)

  // Changes by others appear automatically.
  await choose(page, 'Rename…')
  const rename = dialog(page, 'Rename view')
  await rename.getByRole('textbox', { name: 'Name' }).fill('On this sled')
  await rename.getByRole('button', { name: 'Rename' }).click()
  await expect(button(theirs, /^Views: On this sled$/)).toBeVisible()
  await choose(page, 'Make default')
  await button(theirs, /^Views/).click()
  await expect(menu(theirs).getByRole('menuitemradio').first()).toHaveText(
    'On this sleddefault, shared',
  )
  await expectAccessible(theirs)
  await theirs.context().close()
})

test('a view moves up and down in its menu, which stays open @long', async ({
  page,
  api,
  project,
  seed,
}) => {
  await seed.disk(project.name, 'rye')
  for (const name of ['Barley', 'Oats', 'Rye']) {
    await ok(api.viewCreate({ body: { name, list: 'disk', query: { search: name } } }))
  }
  await page.goto(`/projects/${project.name}/disks`)
  await choose(page, 'Rye')
  await button(page, /^Views: Rye$/).press('Enter')
  const items = menu(page).getByRole('menuitemradio')
  await expect(items.first()).toBeFocused()
  const up = menu(page).getByRole('menuitem', { name: 'Move up' })
  await page.keyboard.type('move up')
  await expect(up).toBeFocused()
  for (let steps = 0; steps < 3; steps++) await page.keyboard.press('Enter')
  // Above the plain list, it becomes the default.
  await expect(items).toHaveText(['Ryedefault', 'All disks', 'Barley', 'Oats'])
  await expect(up).toBeFocused()
  await expectDisabled(up, 'The view is the first one')
  const orderOf = async () =>
    (await ok(api.viewList({ query: { list: 'disk' } }))).items.map(({ name }) => name)
  await expect.poll(orderOf).toEqual(['Rye', 'Barley', 'Oats'])

  await menu(page).getByRole('menuitem', { name: 'Move down' }).click()
  await expect(items).toHaveText(['All disks', 'Rye', 'Barley', 'Oats'])
  await menu(page).getByRole('menuitem', { name: 'Make default' }).click()
  await expect(toasts(page)).toContainText('View Rye is the default')
  await choose(page, 'Stop using as default')
  await expect(toasts(page)).toContainText('View Rye is no longer the default')
  await button(page, /^Views: Rye$/).click()
  await expect(items).toHaveText(['All disks', 'Barley', 'Oats', 'Rye'])
})

test('all rows that match are saved as files @long', async ({ page, project, seed, api }) => {
  for (const name of ['rye-one', 'wheat']) await seed.disk(project.name, name)
  const { id } = await seed.disk(project.name, 'rye-two')
  await ok(api.tagsReplace({ path: { kind: 'disk', thing: id }, body: { tags: ['env:prod'] } }))
  await page.goto(`/projects/${project.name}/disks?q=rye&sort=name_descending`)
  await expect(row(page, 'rye-two')).toBeVisible()
  const saved = async (item: string) => {
    const download = page.waitForEvent('download')
    await button(page, /^Views/).click()
    await menu(page).getByRole('menuitem', { name: item }).click()
    const file = await download
    await expect(toasts(page)).toContainText(`2 disks saved as ${file.suggestedFilename()}`)
    return readFile(await file.path(), 'utf8')
  }
  const csv = await saved('Export as CSV')
  // Spreadsheets read it as UTF-8.
  expect(csv).toMatch(/^\uFEFF/)
  const [head, ...lines] = csv.trimEnd().split('\r\n')
  const names = head!.split(',').indexOf('name')
  expect(lines.map((line) => line.split(',')[names])).toEqual(['rye-two', 'rye-one'])
  const rows = JSON.parse(await saved('Export as JSON')) as object[]
  expect(rows).toMatchObject([
    { name: 'rye-two', block_size: 4096, tags: ['env:prod'] },
    { name: 'rye-one', block_size: 4096 },
  ])
})

test('a list that cannot be read is not saved, and says why @long', async ({
  page,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/500|ApiError/)
  await seed.disk(project.name, 'rye')
  await page.goto(`/projects/${project.name}/disks`)
  await expect(row(page, 'rye')).toBeVisible()
  await page.route(/\/x\/v1\/disks\?/, (route) =>
    route.fulfill({ status: 500, json: { message: 'It has come loose', request_id: 'a' } }),
  )
  await choose(page, 'Export as CSV')
  await expect(toasts(page)).toContainText('The disks could not be exported')
})
