/** Saved views of lists: one's own, and those shared in a project. */
import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/accessibility.ts'
import { addUser, clientOf } from '../../support/host.ts'
import { chooseItem, search } from '../../support/lists.ts'
import { ok } from '../../support/seed.ts'
import { takePictures } from '../../support/pictures.ts'
import { expect, openAs, test } from '../../support/test.ts'
import { confirm, dialog, heading, row, toasts } from '../../support/ui.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const menu = (page: Page) => page.getByRole('menu', { name: /^Views/ })

async function choose(page: Page, item: string): Promise<void> {
  await button(page, /^Views/).click()
  await menu(page)
    .getByRole(/…$|view$|default$/.test(item) ? 'menuitem' : 'menuitemradio', { name: item })
    .click()
}

test('a list is saved under a name, changed, updated and shown again', async ({
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

test('the default view is applied to a list that is opened without a search', async ({
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
  // The list before is one step back, not the list without the view.
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

test('a shared view is everybody’s, and only collaborators change it', async ({
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
  await choose(theirs, 'Make default')
  await expect(toasts(theirs)).toContainText('Could not change view Local ones')
  await expect(toasts(theirs)).toContainText('Action not authorized')
  await theirs.context().close()
})
