import { BlockList } from 'node:net'
import { startWebhookReceiver } from '../../../../packages/control-plane/test/support/webhook-receiver.ts'
import { addUser, clientOf } from '../../../support/host.ts'
import { takePictures } from '../../../support/pictures.ts'
import { ok } from '../../../support/seed.ts'
import { simulatedTime } from '../../../support/simulated-time.ts'
import { expect, openAs, test } from '../../../support/test.ts'
import { dialog, heading } from '../../../support/ui.ts'

const MINUTE = 60_000

const loopback = new BlockList()
loopback.addAddress('127.0.0.1')
test.use({ hostConfig: { webhookNetworks: loopback }, ownContext: true })

test('load is visible on the tab, in the explorer, on a shared dashboard and by a webhook, but not to outsiders @long', async ({
  page,
  host,
  api,
  project,
  seed,
  consoleErrors,
}) => {
  test.slow()
  const query = { project: project.name }
  await seed.instance(project.name, 'wheel', { start: true })
  await seed.instance(project.name, 'stone', { start: true })
  await seed.until(project.name, 'wheel', 'running')
  await seed.until(project.name, 'stone', 'running')
  const pass = simulatedTime(host)
  const receiver = await startWebhookReceiver()
  await ok(
    api.webhookReceiverCreate({
      body: {
        name: 'pager',
        description: '',
        endpoint: `${receiver.url}/hook`,
        secrets: ['sesame'],
        subscriptions: ['alert_rule.**'],
      },
    }),
  )

  // Put an instance under load.
  await page.clock.install()
  await page.goto('/projects/mill/instances/wheel/metrics/cpu')
  const running = page.getByRole('figure', { name: 'CPU Utilization: Running' })
  await expect(running.getByText('There is no data for this time period.')).toBeVisible()
  await page.getByRole('button', { name: 'Simulate load' }).click()
  const load = dialog(page, 'Simulate load')
  await load.getByRole('spinbutton', { name: 'CPU' }).fill('0')
  await expect(load.getByRole('button', { name: 'Start load' })).toHaveAccessibleDescription(
    'At least one must be above zero',
  )
  await load.getByRole('spinbutton', { name: 'CPU' }).fill('100')
  await takePictures(page, 'load form')
  await load.getByRole('button', { name: 'Start load' }).click()
  await expect(load).toBeHidden()
  await expect(page.getByText(/^Under simulated load until /)).toBeVisible()

  // The tab shows it live.
  await pass(5 * MINUTE)
  await page.clock.runFor(10_000)
  await running.getByRole('slider').focus()
  // The last points may be of incomplete minutes.
  for (let point = 0; point < 3; point++) await page.keyboard.press('ArrowLeft')
  await expect(running.getByRole('tooltip')).toContainText(/9\d(\.\d+)?%$/)
  await takePictures(page, 'metrics under load')

  // Open the chart in the explorer, and compare all instances of the project.
  await running.getByRole('button', { name: 'CPU Utilization: Running chart actions' }).click()
  await page.getByRole('menuitem', { name: 'Open in explorer' }).click()
  const editor = page.getByRole('textbox', { name: 'OxQL query' })
  await expect(editor).toHaveValue(/instance_id == "[\da-f-]{36}" && state == "run"/)
  const compared =
    'get virtual_machine:vcpu_usage | filter state == "run" | align mean_within(1m) | group_by [instance_id], sum'
  await editor.fill(compared)
  await editor.press('Control+Enter')
  const result = page.getByRole('region', { name: 'Result', exact: true })
  await expect(result.getByText('wheel')).toBeVisible()
  await expect(result.getByText('stone')).toBeVisible()

  // Save it to a dashboard shared in the project.
  await page.getByRole('link', { name: 'Add to dashboard' }).click()
  await page.getByRole('button', { name: 'New dashboard' }).click()
  const form = dialog(page, 'New dashboard')
  await form.getByRole('textbox', { name: 'Name' }).fill('Load')
  await form.getByRole('radio', { name: 'The project' }).check()
  await form.getByRole('button', { name: 'Save' }).click()
  const chart = dialog(page, 'Add chart')
  await expect(chart.getByRole('textbox', { name: 'Query' })).toHaveValue(compared)
  await chart.getByRole('textbox', { name: 'Title' }).fill('All instances')
  await chart.getByRole('button', { name: 'Add chart' }).click()
  await expect(page.getByRole('slider', { name: /^All instances/ })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()
  const dashboard = new URL(page.url()).pathname
  await takePictures(page, 'dashboard under load')

  // Create an alert rule from it, and receive the alert.
  await page.getByRole('button', { name: 'All instances chart actions' }).click()
  await page.getByRole('menuitem', { name: 'Open in explorer' }).click()
  await page.getByRole('link', { name: 'Create alert' }).click()
  await expect(page.getByRole('textbox', { name: 'Query' })).toHaveValue(compared)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('overworked')
  await page.getByRole('spinbutton', { name: 'Threshold' }).fill('100')
  await page.getByRole('spinbutton', { name: 'Duration' }).fill('30')
  await page.getByRole('button', { name: 'Create alert rule' }).click()
  await expect(heading(page, 'overworked')).toBeVisible()
  const rule = new URL(page.url()).pathname
  await pass()
  await host.server.controlPlane.evaluateRules()
  await expect(page.getByRole('definition').filter({ hasText: /^firing$/ })).toBeVisible()
  await expect.poll(() => receiver.received.map(({ body }) => body)).toHaveLength(1)
  const wheel = await ok(api.instanceView({ path: { instance: 'wheel' }, query }))
  const { alert_class, data } = JSON.parse(receiver.received[0]!.body)
  expect(alert_class).toBe('alert_rule.firing')
  expect(JSON.stringify(data)).toContain(wheel.id)
  receiver.close()

  // A member of another project finds nothing.
  const session = await addUser(host, 'smith')
  const { items: users } = await ok(api.userList({ query: {} }))
  const smith = users.find(({ displayName }) => displayName === 'smith')!
  const forge = await seed.project('forge')
  await ok(
    api.projectPolicyUpdate({
      path: { project: forge.name },
      body: {
        roleAssignments: [
          { identityType: 'silo_user', identityId: smith.id, roleName: 'collaborator' },
        ],
      },
    }),
  )
  const theirs = clientOf(host.url, session)
  const asked = { body: { query: 'get virtual_machine:vcpu_usage | last 1' } }
  const own = await ok(theirs.timeseriesQuery({ query: { project: forge.name }, ...asked }))
  expect(own.tables.flatMap(({ timeseries }) => timeseries)).toEqual([])
  for (const refused of [
    await theirs.timeseriesQuery({ query, ...asked }),
    await theirs.dashboardView({ path: { dashboard: dashboard.split('/').at(-1)! } }),
    await theirs.dashboardList({ query: { source: 'project', ...query } }),
    await theirs.alertRuleSearch({ query }),
    await theirs.alertRuleView({ path: { alertRule: 'overworked' }, query }),
    await theirs.simulatedInstanceLoadView({ path: { instance: wheel.id } }),
  ]) {
    expect(refused).toMatchObject({ type: 'error', status: 404 })
  }
  // The last error is a query that groups nothing.
  consoleErrors.expect(/404|400|API error/)
  const other = await openAs(page, host.url, session)
  for (const address of [dashboard, rule]) {
    await other.goto(address)
    await expect(heading(other, 'Page not found')).toBeVisible()
  }
  await other.goto('/projects/forge/dashboards')
  await expect(other.getByRole('table', { name: 'Dashboards' })).toBeVisible()
  await expect(other.getByRole('link', { name: 'Load', exact: true })).toHaveCount(0)
  await other.goto(`/projects/forge/metrics?query=${encodeURIComponent(compared)}`)
  await expect(other.getByText('There is no data for this time period.')).toBeVisible()
  await other.context().close()
})
