import { expectAccessible, expectNoSidewaysScroll } from '../../support/accessibility.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import {
  confirm,
  dialog,
  expectDisabled,
  heading,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'

test('a group is made from the empty list, and opens', async ({ page, project, api }) => {
  await page.goto(`/projects/${project.name}/affinity`)
  await expect(page.getByRole('heading', { name: 'No anti-affinity groups' })).toBeVisible()
  await page.getByRole('link', { name: 'New group' }).last().click()
  await expect(page).toHaveTitle(
    'New anti-affinity group / Affinity Groups / mill / Projects / Steading Console',
  )
  const form = dialog(page, 'Add anti-affinity group')
  await expectAccessible(page)
  await form.getByRole('textbox', { name: 'Name' }).fill('apart')
  await form.getByRole('textbox', { name: 'Description' }).fill('Replicas')
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

test('stopped instances join and leave', async ({ page, project, seed }) => {
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

test('a group is renamed, deleted, and its name used again', async ({ page, project, seed }) => {
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

test('the list counts members as they come and go', async ({ page, project, seed, api }) => {
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

test('the state of a member is live', async ({ page, project, seed, api }) => {
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
