import { expectAccessible, expectNoSidewaysScroll } from '../../../support/accessibility.ts'
import { count, sortBy } from '../../../support/lists.ts'
import { groupRow, store } from '../../../support/many.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import {
  closeByEscape,
  confirm,
  dialog,
  expectDisabled,
  heading,
  row,
  rowAction,
  toasts,
} from '../../../support/ui.ts'

test('a group is created from the empty list, and opens', async ({ page, project, api }) => {
  await page.goto(`/projects/${project.name}/affinity`)
  await expect(page.getByRole('heading', { name: 'No affinity groups' })).toBeVisible()
  await page.getByRole('link', { name: 'New group' }).last().click()
  await expect(page).toHaveTitle(
    'New affinity group / Affinity Groups / mill / Projects / Steading Console',
  )
  const form = dialog(page, 'New affinity group')
  await expectAccessible(page)
  await form.getByRole('textbox', { name: 'Name' }).fill('apart')
  await form.getByRole('textbox', { name: 'Description' }).fill('Replicas')
  await expect(form.getByRole('radio', { name: 'Anti-affinity' })).toBeChecked()
  await expect(form.getByRole('radio', { name: 'Allow' })).toBeChecked()
  await form.getByRole('radio', { name: 'Fail' }).check()
  await form.getByRole('button', { name: 'Add group' }).click()
  await expect(page).toHaveURL('/projects/mill/affinity/apart')
  await expect(toasts(page)).toContainText('Anti-affinity group apart created')
  await expect(heading(page, 'apart')).toBeVisible()
  await expect(page).toHaveTitle('apart / Affinity Groups / mill / Projects / Steading Console')
  await expect(page.getByRole('heading', { name: 'No group members' })).toBeVisible()
  await expectDisabled(page.getByRole('button', { name: 'Add instance' }), 'No instances available')
  const group = await ok(
    api.antiAffinityGroupView({
      path: { antiAffinityGroup: 'apart' },
      query: { project: 'mill' },
    }),
  )
  expect(group).toMatchObject({ policy: 'fail', failureDomain: 'sled', description: 'Replicas' })
})

test('stopped instances join and leave @long', async ({ page, project, seed }) => {
  await seed.group(project.name, 'apart')
  await seed.instance(project.name, 'wheel')
  await seed.instance(project.name, 'stone', { start: true })
  await seed.until(project.name, 'wheel', 'stopped')
  await seed.until(project.name, 'stone', 'running')
  await page.goto(`/projects/${project.name}/affinity/apart`)
  await page.getByRole('button', { name: 'Add instance' }).click()
  const form = dialog(page, 'Add instance to group')
  const instance = form.getByRole('combobox', { name: 'Instance' })
  await instance.click()
  await page.getByRole('option', { name: 'stone' }).click()
  await expect(form).toContainText('This instance must be stopped to add it to a group')
  await expect(form.getByRole('button', { name: 'Add to group' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await expectAccessible(page)
  await instance.fill('wheel')
  await page.getByRole('option', { name: 'wheel' }).click()
  await form.getByRole('button', { name: 'Add to group' }).click()
  await expect(toasts(page)).toContainText('Instance wheel added to anti-affinity group apart')
  await expect(row(page, 'wheel')).toContainText('stopped')
  await expect(page.getByLabel('Properties table')).toContainText('Members1')
  await expectAccessible(page)

  await rowAction(page, 'wheel', 'Remove from group')
  const title = 'Remove instance from anti-affinity group'
  await expect(dialog(page, title)).toContainText(
    'Are you sure you want to remove wheel from the anti-affinity group apart?',
  )
  await confirm(page, title)
  await expect(toasts(page)).toContainText('Member wheel removed from anti-affinity group apart')
  await expect(page.getByRole('heading', { name: 'No group members' })).toBeVisible()
})

test('a group is renamed and deleted, and its name is reused @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.group(project.name, 'apart')
  await page.goto(`/projects/${project.name}/affinity`)
  await rowAction(page, 'apart', 'Edit')
  await expect(page).toHaveTitle(/^Edit anti-affinity group \/ apart/)
  const form = dialog(page, 'Edit anti-affinity group')
  await expect(form.getByRole('radio')).toHaveCount(0)
  await form.getByRole('textbox', { name: 'Name' }).fill('away')
  await form.getByRole('button', { name: 'Edit group' }).click()
  await expect(page).toHaveURL('/projects/mill/affinity/away')
  await expect(toasts(page)).toContainText('Anti-affinity group away updated')
  await page.getByRole('button', { name: 'Anti-affinity group actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await confirm(page, 'Delete anti-affinity group')
  await expect(page).toHaveURL('/projects/mill/affinity')
  await expect(toasts(page)).toContainText('Anti-affinity group away deleted')
  await seed.group(project.name, 'away')
  await page.getByRole('link', { name: 'away' }).click()
  await expect(heading(page, 'away')).toBeVisible()
})

test('the list counts members as they come and go @long', async ({ page, project, seed, api }) => {
  await seed.group(project.name, 'apart')
  await seed.instance(project.name, 'wheel')
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(`/projects/${project.name}/affinity`)
  const count = row(page, 'apart').getByRole('cell').nth(3)
  await expect(count).toHaveText('—')
  const path = { antiAffinityGroup: 'apart', instance: 'wheel' }
  await ok(api.antiAffinityGroupMemberInstanceAdd({ path, query: { project: 'mill' } }))
  await expect(count).toHaveText('1')
  await ok(api.instanceDelete({ path: { instance: 'wheel' }, query: { project: 'mill' } }))
  await expect(count).toHaveText('—')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})

test('the state of a member is live @long', async ({ page, project, seed, api }) => {
  await seed.group(project.name, 'apart')
  await seed.instance(project.name, 'wheel', { antiAffinityGroups: ['apart'] })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(`/projects/${project.name}/affinity/apart`)
  await expect(row(page, 'wheel')).toContainText('stopped')
  await ok(api.instanceStart({ path: { instance: 'wheel' }, query: { project: 'mill' } }))
  await expect(row(page, 'wheel')).toContainText('running')
  await row(page, 'wheel').getByRole('link', { name: 'wheel' }).click()
  await expect(page).toHaveURL('/projects/mill/instances/wheel/settings')
})

test('groups of both kinds share a list @long', async ({ page, project, seed, api }) => {
  await seed.group(project.name, 'one')
  await seed.affinityGroup(project.name, 'one')
  await seed.affinityGroup(project.name, 'a-10', 'fail')
  await seed.group(project.name, 'a-2')
  await page.goto(`/projects/${project.name}/affinity`)
  const rows = page.getByRole('row')
  await expect(rows).toContainText(['name', /a-2.*anti-aff/, /a-10aff/, /oneanti-aff/, /oneaff/])
  await expect(count(page)).toHaveText('4 affinity groups')
  await sortBy(page, 'name')
  await expect(rows).toContainText(['name', /oneanti-aff/, /oneaff/, /a-10aff/, /a-2anti-aff/])

  // A change of either kind is shown at once.
  await ok(api.affinityGroupDelete({ path: { affinityGroup: 'one' }, query: { project: 'mill' } }))
  await expect(rows).toContainText(['name', /oneanti-aff/, /a-10aff/, /a-2anti-aff/])

  await page.getByRole('search').getByRole('button', { name: 'Type', exact: true }).click()
  const type = (name: string) => page.getByRole('menuitemcheckbox', { name, exact: true })
  await expect(type('Anti-affinity')).toHaveAccessibleDescription('2 affinity groups')
  await expect(type('Affinity')).toHaveAccessibleDescription('1 affinity group')
  await type('Affinity').click()
  await expect(page).toHaveURL(/type=affinity/)
  await expect(rows).toContainText(['name', /a-10aff/])
  await expect(count(page)).toHaveText('1 of 3 affinity groups')
  await closeByEscape(page)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'a-10' }).click()
  await expect(page).toHaveURL('/projects/mill/affinity-groups/a-10')
})

test('an affinity group is created, changed and deleted @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await seed.instance(project.name, 'wheel')
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(`/projects/${project.name}/affinity-new`)
  const form = dialog(page, 'New affinity group')
  await form.getByRole('radio', { name: 'Affinity', exact: true }).check()
  await expect(form).toContainText("when the affinity rule can't be satisfied")
  await form.getByRole('textbox', { name: 'Name' }).fill('together')
  await form.getByRole('button', { name: 'Add group' }).click()
  await expect(page).toHaveURL('/projects/mill/affinity-groups/together')
  await expect(toasts(page)).toContainText('Affinity group together created')
  await expect(page).toHaveTitle('together / Affinity Groups / mill / Projects / Steading Console')
  await expect(page.getByLabel('Properties table')).toContainText('Typeaffinity')

  await page.getByRole('button', { name: 'Add instance' }).click()
  await page.getByRole('combobox', { name: 'Instance' }).click()
  await page.getByRole('option', { name: 'wheel' }).click()
  await dialog(page, 'Add instance to group').getByRole('button', { name: 'Add to group' }).click()
  await expect(toasts(page)).toContainText('Instance wheel added to affinity group together')
  await expect(row(page, 'wheel')).toContainText('stopped')
  await rowAction(page, 'wheel', 'Remove from group')
  await confirm(page, 'Remove instance from affinity group')
  await expect(toasts(page)).toContainText('Member wheel removed from affinity group together')

  await page.getByRole('button', { name: 'Affinity group actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page).toHaveTitle(/^Edit affinity group \/ together/)
  const edit = dialog(page, 'Edit affinity group')
  await edit.getByRole('textbox', { name: 'Name' }).fill('close')
  await edit.getByRole('button', { name: 'Edit group' }).click()
  await expect(page).toHaveURL('/projects/mill/affinity-groups/close')
  await page.getByRole('button', { name: 'Affinity group actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await confirm(page, 'Delete affinity group')
  await expect(page).toHaveURL('/projects/mill/affinity')
  await expect(toasts(page)).toContainText('Affinity group close deleted')
  const { items } = await ok(api.affinityGroupList({ query: { project: 'mill' } }))
  expect(items).toEqual([])
})

test('paging goes through the groups of both kinds @long', async ({ page, project, host }) => {
  const names = (kind: 'affinity' | 'anti_affinity', beginning: string) =>
    Array.from({ length: 40 }, (_, index) => groupRow(project.id, kind, `${beginning}${index}`))
  await store(host, 'affinity_group', [...names('anti_affinity', 'n-'), ...names('affinity', 'm-')])
  await page.goto(`/projects/${project.name}/affinity`)
  await expect(page.getByRole('row')).toHaveCount(51)
  await expect(row(page, 'n-9')).toContainText('anti-affinity')
  await page.getByRole('button', { name: 'next', exact: true }).click()
  await expect(page.getByRole('row')).toHaveCount(31)
  await expect(row(page, 'n-10')).toBeVisible()
  await expect(row(page, 'n-39')).toBeVisible()
})

test('groups of both kinds are selected and deleted together @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.group(project.name, 'apart')
  await seed.affinityGroup(project.name, 'close')
  await page.goto(`/projects/${project.name}/affinity`)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  const bar = page.getByRole('toolbar', { name: 'Bulk actions' })
  await expect(bar).toContainText('2 selected')
  await expect(bar.getByRole('button', { name: 'Delete anti-affinity groups' })).toBeVisible()
  await bar.getByRole('button', { name: 'Delete affinity groups' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row(page, 'close')).toBeHidden()
  await expect(bar).toContainText('1 selected')
  await expect(bar.getByRole('button', { name: 'Delete', exact: true })).toBeVisible()
})

test('a control plane without affinity groups still has anti-affinity groups @long', async ({
  page,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/501/)
  await seed.group(project.name, 'apart')
  await seed.instance(project.name, 'wheel')
  await page.route(/\/v1\/(instances\/wheel\/)?affinity-groups/, (route) =>
    route.fulfill({ status: 501, json: { message: 'Not implemented', request_id: 'none' } }),
  )
  await page.goto(`/projects/${project.name}/affinity`)
  await expect(row(page, 'apart')).toBeVisible()
  await expect(page.getByText('This control plane has no affinity groups')).toBeVisible()
  await page.getByRole('link', { name: 'New group' }).first().click()
  const form = dialog(page, 'New affinity group')
  await expect(form.getByRole('radio', { name: /^Affinity/ })).toBeDisabled()
  await page.goto(`/projects/${project.name}/instances/wheel/settings`)
  await expect(page.getByRole('region', { name: 'Anti-affinity groups' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Affinity groups', exact: true })).toHaveCount(0)
})
