import { addUser, clientOf } from '../../../support/host.ts'
import { measured } from '../../../support/measured.ts'
import { ok } from '../../../support/seed.ts'
import { expect, openAs, type Scene, test } from '../../../support/test.ts'
import { dialog } from '../../../support/ui.ts'

const scene: Scene = {
  async fill({ host, api, project, seed }) {
    await seed.instance(project.name, 'wheel')
    const query = { project: project.name }
    await measured(host, await ok(api.instanceView({ path: { instance: 'wheel' }, query })))
  },
}

test.describe(() => {
  test.use({ scene })

  test('a query is written with completion, gets an error message, and runs @long', async ({
    page,
  }) => {
    await page.goto('/projects/mill/metrics')
    await page.getByRole('tab', { name: 'Write' }).click()
    const editor = page.getByRole('textbox', { name: 'OxQL query' })
    const option = (name: string) => page.getByRole('option', { name })
    await editor.pressSequentially('get vcpu')
    await expect(option('virtual_machine:vcpu_usage')).toHaveAttribute('aria-selected', 'true')
    await editor.press('Enter')
    await expect(editor).toHaveValue('get virtual_machine:vcpu_usage')
    await editor.pressSequentially(' | filter state == ')
    // Looked up in the measurements.
    await expect(option('"run"')).toHaveAttribute('aria-selected', 'true')
    await editor.press('Tab')
    await expect(editor).toHaveValue('get virtual_machine:vcpu_usage | filter state == "run"')

    await editor.pressSequentially(' | aling mean_within(1m)')
    await editor.press('Control+Enter')
    await expect(editor).toHaveAccessibleDescription(/^Line 1, column 58: expected "filter"/)
    await expect(page).not.toHaveURL(/query=/)

    await editor.fill('get virtual_machine:vcpu_usage | align mean_within(1m)')
    await editor.press('Control+Enter')
    await expect(page.getByRole('slider', { name: /vcpu_usage over time/ })).toBeVisible()
    await expect(page).toHaveURL(/query=/)
  })

  test('a query is built, shared by address, and kept in the history', async ({ page }) => {
    await page.goto('/projects/mill/metrics')
    const metric = page.getByRole('combobox', { name: 'Metric' })
    await metric.fill('vcpu_usage')
    await page.getByRole('option', { name: /^virtual_machine:vcpu_usage/ }).click()
    await page.getByRole('button', { name: /Merge series/ }).click()
    await page.getByRole('option', { name: 'Sum' }).click()
    await page.getByRole('checkbox', { name: 'instance_id', exact: true }).check()
    const built =
      'get virtual_machine:vcpu_usage\n| align mean_within(1m)\n| group_by [instance_id], sum'
    await page.getByRole('tab', { name: 'Write' }).click()
    const editor = page.getByRole('textbox', { name: 'OxQL query' })
    await expect(editor).toHaveValue(built)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(page.getByRole('slider', { name: /vcpu_usage over time/ })).toBeVisible()

    // The builder points out parts that it cannot show.
    await editor.fill('{ get virtual_disk:reads }')
    await page.getByRole('tab', { name: 'Build' }).click()
    await expect(page.getByText('the builder cannot show groups of queries')).toBeVisible()

    const another = await page.context().newPage()
    await another.goto(page.url())
    await expect(another.getByRole('textbox', { name: 'OxQL query' })).toHaveValue(built)
    await another.getByRole('button', { name: 'Table', exact: true }).click()
    const table = another.getByRole('region', { name: 'Result as table' })
    await expect(table.getByRole('columnheader', { name: 'instance_id' })).toBeVisible()
    await expect(another).toHaveURL(/view=table/)
    await another.goBack()
    await expect(another.getByRole('slider', { name: /vcpu_usage over time/ })).toBeVisible()
    await another.close()

    await page.getByRole('button', { name: 'History' }).click()
    const history = dialog(page, 'History of queries')
    await history.getByRole('searchbox', { name: 'Search the history' }).fill('sum vcpu')
    await expect(history.getByRole('listitem')).toHaveCount(1)
    await history.getByRole('button', { name: /^Remove get/ }).click()
    await expect(history.getByText('Queries that you run are kept here')).toBeVisible()
  })

  test('a range that ends before it begins is reported, and not sent @long', async ({ page }) => {
    const range = new URLSearchParams({
      query: 'get virtual_machine:vcpu_usage',
      from: '2024-01-01T10:00:00.000Z',
      to: '2024-01-01T10:30:00.000Z',
    })
    await page.goto(`/projects/mill/metrics?${range}`)
    await expect(page.getByText('There is no data for this time period.')).toBeVisible()
    await page.getByRole('button', { name: 'Choose a date range' }).click()
    const days = dialog(page, 'Choose a date range')
    const hour = days.getByRole('group', { name: 'Start time' }).getByRole('spinbutton').first()
    await hour.press('ArrowUp')
    await expect(page.getByText('Date range is invalid')).toBeVisible()
    await hour.press('ArrowDown')
    await expect(page.getByText('Date range is invalid')).toBeHidden()
    await expect(page).toHaveURL(/from=2024-01-01T10/)
  })

  test('a chart of an instance is opened in the explorer @long', async ({
    page,
    consoleErrors,
  }) => {
    // The server's answer to an unknown state.
    consoleErrors.expect(/400/)
    await page.goto('/projects/mill/instances/wheel/metrics/cpu')
    const running = page.getByRole('figure', { name: 'CPU Utilization: Running' })
    await expect(running.getByRole('slider')).toBeVisible()
    await running.getByRole('button', { name: 'CPU Utilization: Running chart actions' }).click()
    await page.getByRole('menuitem', { name: 'Open in explorer' }).click()
    await expect(page.getByRole('textbox', { name: 'OxQL query' })).toHaveValue(
      /^get virtual_machine:vcpu_usage\n\| filter instance_id == "[\da-f-]{36}" && state == "run"\n\| align mean_within\(60s\)\n\| group_by \[vcpu_id\], sum$/,
    )
    await expect(page.getByRole('slider', { name: /vcpu_usage over time/ })).toBeVisible()
  })
})

test('a user without a role on a project finds neither its page nor its time series @long', async ({
  page,
  api,
  host,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/404/)
  await seed.instance(project.name, 'wheel')
  const query = { project: project.name }
  await measured(host, await ok(api.instanceView({ path: { instance: 'wheel' }, query })))
  const session = await addUser(host, 'stranger')
  const body = { query: 'get virtual_machine:vcpu_usage | last 1' }
  const answer = await clientOf(host.url, session).timeseriesQuery({ query, body })
  expect(answer).toMatchObject({ type: 'error', status: 404 })
  const theirs = await openAs(page, host.url, session)
  await theirs.goto(`/projects/${project.name}/metrics`)
  await expect(theirs.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(theirs.getByRole('textbox', { name: 'OxQL query' })).toBeHidden()
})
