import { expectAccessible } from '../../../support/accessibility.ts'
import { addFiringRule } from '../../../support/alert-rules.ts'
import { measured } from '../../../support/measured.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { dialog, heading } from '../../../support/ui.ts'

test('a rule is tried, created, fires at its instance, and is disabled', async ({
  page,
  api,
  host,
  project,
  seed,
  consoleErrors,
}) => {
  const query = { project: project.name }
  await seed.instance(project.name, 'wheel', { start: true })
  await seed.until(project.name, 'wheel', 'running')
  const wheel = await ok(api.instanceView({ path: { instance: 'wheel' }, query }))
  await measured(host, wheel)
  const tagged = { kind: 'instance' as const, thing: wheel.id }
  await ok(api.tagsChange({ path: tagged, body: { set: ['env:prod'] } }))

  // As Chromium names its language in the locale C.
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' }),
  )
  // A form opened from a chart starts with the chart's query.
  const asked = 'get virtual_machine:vcpu_usage | filter state == "run"'
  await page.goto(`/projects/mill/alert-rules-new?query=${encodeURIComponent(asked)}`)
  await expect(page.getByRole('combobox', { name: 'Metric' })).toHaveValue(
    'virtual_machine:vcpu_usage',
  )
  await expect(page.getByRole('region', { name: 'Who is told' })).toContainText(
    'Members of the project see firings in the bell.',
  )
  await page.getByRole('tab', { name: 'Write' }).click()
  await expect(page.getByRole('textbox', { name: 'Query' })).toHaveValue(asked)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('busy')
  // CPU time is displayed and entered as percent.
  await page.getByRole('spinbutton', { name: 'Threshold' }).fill('40')
  await expect(page.getByText(/^Would have fired once in the last 24 hours/)).toBeVisible()
  await expect(page.getByRole('row', { name: /^Threshold 40%/ })).toBeVisible()
  await expect(
    page.getByRole('row', { name: 'Would have fired 1 time', exact: true }),
  ).toBeVisible()
  // An invalid query is reported with its position.
  consoleErrors.expect(/400/)
  await page.getByRole('textbox', { name: 'Query' }).fill(`${asked} | last 1`)
  await expect(page.getByText(/Error at 1:58/)).toBeVisible()
  await expect(page.getByText(/must not have "last"/)).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Query' }).fill(`${asked} |`)
  await page.getByRole('spinbutton', { name: 'Threshold' }).focus()
  await expect(page.getByText(/expected "filter"/)).toHaveCount(1)
  await expect(page.getByText(/Error at/)).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Query' }).fill(asked)
  await expect(page.getByText(/^Would have fired once in the last 24 hours/)).toBeVisible()
  // A rule for resources with a tag, of which there are none yet.
  const tags = page.getByRole('combobox', { name: 'Only resources with the tags' })
  await tags.fill('env=test, -x')
  // While the list of tags is open, the rest of the page is hidden from roles.
  await tags.press('Tab')
  await page.getByRole('button', { name: 'Create alert rule' }).click()
  await expect(page.getByText(/^Key of a tag may contain/)).toBeVisible()
  await tags.fill('env=test')
  await expect(page.getByText(/^Would have fired once/)).toBeHidden()
  await tags.fill('env')
  await page.getByRole('option', { name: 'env:prod' }).click()
  await expect(page.getByText(/^Would have fired once in the last 24 hours/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create alert rule' }).click()
  await expect(heading(page, 'busy')).toBeVisible()
  await expect(
    page.getByRole('definition').filter({ hasText: 'on resources with env:prod' }),
  ).toBeVisible()

  await host.server.controlPlane.evaluateRules()
  await expect(page.getByRole('definition').filter({ hasText: /^firing$/ })).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: 'above 40%' })).toBeVisible()
  await expect(page.getByRole('row', { name: 'Fired 1 time', exact: true })).toBeVisible()

  await page.goto('/projects/mill/instances/wheel/storage')
  const notice = page.getByRole('link', { name: 'busy' })
  await expect(notice).toBeVisible()
  await notice.click()
  await expect(heading(page, 'busy')).toBeVisible()
  await page.getByRole('button', { name: 'Alert rule actions' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await dialog(page, 'Disable alert rule').getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('definition').filter({ hasText: /^disabled$/ })).toBeVisible()
})

test('the list of projects shows firing rules @long', async ({
  page,
  api,
  host,
  project,
  seed,
}) => {
  const query = { project: project.name }
  await seed.instance(project.name, 'wheel', { start: true })
  await seed.until(project.name, 'wheel', 'running')
  await measured(host, await ok(api.instanceView({ path: { instance: 'wheel' }, query })))
  await page.goto('/projects')
  await expect(page.getByRole('link', { name: 'mill' })).toBeVisible()
  await addFiringRule(api, host, project.name, 'wheel')
  // By an event.
  await expect(
    page.getByText(/^One instance is running\. One alert has been firing since /),
  ).toBeVisible()
  await page.getByRole('link', { name: 'One alert' }).click()
  await expect(heading(page, 'overworked')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Firings' })).toBeVisible()
})

test('a preset fills in the form, without replacing a typed name @long', async ({
  page,
  api,
  project,
}) => {
  await page.goto(`/projects/${project.name}/alert-rules-new`)
  const choose = async (title: string) => {
    await page
      .getByRole('button', { name: /^Preset/ })
      .or(page.getByLabel(/^Preset/))
      .first()
      .click()
    await page.getByRole('option', { name: title }).click()
  }
  await choose('Failed disk writes')
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(
    'failed-disk-writes',
  )
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('busy')
  await choose('CPU above 90%')
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('busy')
  await expect(page.getByRole('spinbutton', { name: 'Threshold' })).toHaveValue('90')
  await page.getByRole('button', { name: 'Create alert rule' }).click()
  await expect(heading(page, 'busy')).toBeVisible()
  await expect(page.getByText('above 90% for 5 minutes')).toBeVisible()
  const path = { alertRule: 'busy' }
  const query = { project: project.name }
  expect(await ok(api.alertRuleView({ path, query }))).toMatchObject({ threshold: 4.5e9 })
})
