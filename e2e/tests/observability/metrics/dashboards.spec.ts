import { expectAccessible } from '../../../support/accessibility.ts'
import { addUser } from '../../../support/host.ts'
import { measured } from '../../../support/measured.ts'
import { ok } from '../../../support/seed.ts'
import { expect, openAs, test } from '../../../support/test.ts'
import { dialog, heading } from '../../../support/ui.ts'

test('a dashboard is created and shared, and shows others only permitted data', async ({
  page,
  host,
  api,
  project,
  seed,
  consoleErrors,
}) => {
  const wheel = await seed.instance(project.name, 'wheel')
  const query = { project: project.name }
  await measured(host, await ok(api.instanceView({ path: { instance: 'wheel' }, query })))
  for (const { id, tag } of [
    { id: wheel.id, tag: 'env:prod' },
    { id: (await seed.disk(project.name, 'sacks')).id, tag: 'env:test' },
  ]) {
    const kind = tag === 'env:prod' ? ('instance' as const) : ('disk' as const)
    await ok(api.tagsChange({ path: { kind, thing: id }, body: { set: [tag] } }))
  }
  await page.goto('/projects/mill/dashboards')
  await page.getByRole('button', { name: 'New dashboard' }).click()
  const form = dialog(page, 'New dashboard')
  await form.getByRole('textbox', { name: 'Name' }).fill('Load of the mill')
  await form.getByRole('combobox', { name: 'Choices by tags' }).fill('env')
  await page.getByRole('option', { name: 'env' }).click()
  await form.getByRole('radio', { name: 'The project' }).check()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(heading(page, 'Load of the mill')).toBeVisible()

  await page.getByRole('main').getByRole('button', { name: 'Add chart' }).first().click()
  const chart = dialog(page, 'Add chart')
  await chart.getByRole('textbox', { name: 'Title' }).fill('CPU')
  const editor = chart.getByRole('textbox', { name: 'Query' })
  await editor.fill('get virtual_machine:vcpu_usage | filter instance_id == $wheel')
  await chart.getByRole('button', { name: 'Add chart' }).click()
  await expect(editor).toHaveAccessibleDescription(/Line 1, column 56: expected a value$/)
  await editor.fill(
    'get virtual_machine:vcpu_usage | filter instance_id == $instance | align mean_within(1m) | group_by [state], sum',
  )
  await chart.getByRole('button', { name: 'Add chart' }).click()
  await expect(chart).toBeHidden()
  await expect(page.getByRole('slider', { name: /^CPU/ })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()

  // The charts are about resources with the chosen tag alone, which may have no data to merge.
  consoleErrors.expect(/400 .*timeseries/)
  const choice = page.getByRole('button', { name: /Tag env/ })
  await choice.click()
  await page.getByRole('option', { name: 'env:test' }).click()
  await expect(page).toHaveURL(/tags=env%3Atest/)
  await expect(page.getByRole('slider', { name: /^CPU/ })).toBeHidden()
  await choice.click()
  await page.getByRole('option', { name: 'env:prod' }).click()
  await expect(page.getByRole('slider', { name: /^CPU/ })).toBeVisible()
  await expectAccessible(page)

  const viewer = await addUser(host, 'viewer')
  const { id } = (await ok(api.userList({ query: {} }))).items.find(
    (user) => user.displayName === 'viewer',
  )!
  await ok(
    api.projectPolicyUpdate({
      path: { project: project.name },
      body: {
        roleAssignments: [{ identityType: 'silo_user', identityId: id, roleName: 'viewer' }],
      },
    }),
  )
  const other = await openAs(page, host.url, viewer)
  await other.goto(page.url())
  await expect(other.getByRole('slider', { name: /^CPU/ })).toBeVisible()
  await expect(other.getByRole('button', { name: 'Instance' })).toContainText('wheel')

  consoleErrors.expect(/404|API error/)
  const stranger = await openAs(page, host.url, await addUser(host, 'stranger'))
  await stranger.goto(page.url())
  await expect(heading(stranger, 'Page not found')).toBeVisible()
})

test('a chart of the explorer is added to a dashboard, and becomes an alert rule @long', async ({
  page,
  host,
  api,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  const query = { project: project.name }
  await measured(host, await ok(api.instanceView({ path: { instance: 'wheel' }, query })))
  const asked =
    'get virtual_machine:vcpu_usage | align mean_within(1m) | group_by [instance_id], sum'
  await page.goto(`/projects/mill/metrics?query=${encodeURIComponent(asked)}`)
  await expect(page.getByRole('slider', { name: /vcpu_usage over time/ })).toBeVisible()
  await page.getByRole('link', { name: 'Add to dashboard' }).click()
  await expect(page.getByText('Choose the dashboard to which the chart is added')).toBeVisible()
  await page.getByRole('button', { name: 'New dashboard' }).click()
  const form = dialog(page, 'New dashboard')
  await form.getByRole('textbox', { name: 'Name' }).fill('Load')
  await form.getByRole('button', { name: 'Save' }).click()
  const chart = dialog(page, 'Add chart')
  await expect(chart.getByRole('textbox', { name: 'Query' })).toHaveValue(asked)
  await chart.getByRole('textbox', { name: 'Title' }).fill('All instances')
  await chart.getByRole('button', { name: 'Add chart' }).click()
  await expect(page.getByRole('slider', { name: /^All instances/ })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()
  const { items } = await ok(api.dashboardList({ query: { source: 'project' } }))
  expect(items).toMatchObject([
    { name: 'Load', charts: [{ title: 'All instances', query: asked }] },
  ])

  await page.getByRole('button', { name: 'All instances chart actions' }).click()
  await page.getByRole('menuitem', { name: 'Open in explorer' }).click()
  await page.getByRole('link', { name: 'Create alert' }).click()
  await expect(heading(page, 'New alert rule')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Query' })).toHaveValue(asked)
})
