import { expectAccessible } from '../../../support/accessibility.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { confirm, dialog, expectDisabled, row, rowAction, toasts } from '../../../support/ui.ts'

test('an instance joins and leaves groups from its settings @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.group(project.name, 'apart')
  await seed.group(project.name, 'strict', 'fail')
  await seed.instance(project.name, 'wheel')
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(`/projects/${project.name}/instances/wheel/settings`)
  await expect(
    page.getByText('This instance is not a member of any anti-affinity groups'),
  ).toBeVisible()
  const apart = page.getByRole('region', { name: 'Anti-affinity groups' })
  const add = apart.getByRole('button', { name: 'Add to group' })
  for (const name of ['apart', 'strict']) {
    await add.click()
    const form = dialog(page, 'Add to anti-affinity group')
    const group = form.getByRole('combobox', { name: 'Anti-affinity group' })
    await expect(group).toHaveValue('')
    await group.click()
    await page.getByRole('option', { name }).click()
    await form.getByRole('button', { name: 'Add to group' }).click()
    await expect(toasts(page)).toContainText(`Instance wheel added to anti-affinity group ${name}`)
  }
  await expectDisabled(add, 'Instance is already in all groups')
  await expect(row(page, 'strict')).toContainText('fail')
  await expectAccessible(page)

  await rowAction(page, 'apart', 'Remove instance from group')
  await expect(dialog(page, 'Remove instance from group')).toContainText(
    'Are you sure you want to remove instance wheel from group apart?',
  )
  await confirm(page, 'Remove instance from group')
  await expect(toasts(page)).toContainText('Instance wheel removed from anti-affinity group apart')
  await expect(row(page, 'apart')).toBeHidden()
  await page.getByRole('link', { name: 'strict' }).click()
  await expect(page).toHaveURL('/projects/mill/affinity/strict')
})

test('an instance joins and leaves an affinity group @long', async ({ page, project, seed }) => {
  await seed.affinityGroup(project.name, 'close')
  await seed.instance(project.name, 'wheel')
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(`/projects/${project.name}/instances/wheel/settings`)
  const card = page.getByRole('region', { name: 'Affinity groups', exact: true })
  await expect(card).toContainText('This instance is not a member of any affinity groups')
  await card.getByRole('button', { name: 'Add to group' }).click()
  const form = dialog(page, 'Add to affinity group')
  await form.getByRole('combobox', { name: 'Affinity group' }).click()
  await page.getByRole('option', { name: 'close' }).click()
  await form.getByRole('button', { name: 'Add to group' }).click()
  await expect(toasts(page)).toContainText('Instance wheel added to affinity group close')
  await expect(card.getByRole('link', { name: 'close' })).toHaveAttribute(
    'href',
    '/projects/mill/affinity-groups/close',
  )
  await rowAction(page, 'close', 'Remove instance from group')
  await confirm(page, 'Remove instance from group')
  await expect(toasts(page)).toContainText('Instance wheel removed from affinity group close')
})

test('reasons against joining are shown, and a deleted group disappears @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await seed.instance(project.name, 'wheel')
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(`/projects/${project.name}/instances/wheel/settings`)
  const apart = page.getByRole('region', { name: 'Anti-affinity groups' })
  const add = apart.getByRole('button', { name: 'Add to group' })
  await expectDisabled(add, 'No groups found')
  await seed.group(project.name, 'apart')
  const path = { antiAffinityGroup: 'apart' }
  await expect(add).not.toHaveAttribute('aria-disabled')
  await ok(
    api.antiAffinityGroupMemberInstanceAdd({
      path: { ...path, instance: 'wheel' },
      query: { project: 'mill' },
    }),
  )
  await expect(row(page, 'apart')).toBeVisible()
  await ok(api.instanceStart({ path: { instance: 'wheel' }, query: { project: 'mill' } }))
  await expectDisabled(add, 'Only stopped instances can be added to a group')
  await ok(api.antiAffinityGroupDelete({ path, query: { project: 'mill' } }))
  await expect(row(page, 'apart')).toBeHidden()
})

test('deleting an instance from its settings leads to the list @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.group(project.name, 'apart')
  await seed.instance(project.name, 'wheel', { antiAffinityGroups: ['apart'] })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(`/projects/${project.name}/instances/wheel/settings`)
  await page.getByRole('button', { name: 'Instance actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await confirm(page, 'Delete instance')
  await expect(page).toHaveURL('/projects/mill/instances')
})
