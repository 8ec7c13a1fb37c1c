import { expectAccessible } from '../../../support/accessibility.ts'
import { measured } from '../../../support/measured.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { dialog } from '../../../support/ui.ts'

test('metrics of an instance: CPU states, disks, network, and the query', async ({
  page,
  host,
  project,
  api,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  const instance = await ok(
    api.instanceView({ path: { instance: 'wheel' }, query: { project: project.name } }),
  )
  await measured(host, instance)
  await page.goto(`/projects/${project.name}/instances/wheel/metrics`)
  const running = page.getByRole('figure', { name: 'CPU Utilization: Running' })
  await running.getByRole('slider').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(running.getByRole('tooltip')).toContainText(/\d%$/)

  await running.getByRole('button', { name: 'CPU Utilization: Running chart actions' }).click()
  await page.getByRole('menuitem', { name: 'View OxQL query' }).click()
  const query = dialog(page, 'OxQL query')
  await expect(query).toContainText('get virtual_machine:vcpu_usage')
  await expect(query.getByRole('button', { name: 'Copy query' })).toBeVisible()
  await expectAccessible(page)
  await query.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Choose state' }).click()
  await page.getByRole('option', { name: 'All states' }).click()
  await expect(page.getByRole('figure', { name: /^CPU Utilization/ })).toHaveCount(4)
  // Only the CPU has measurements.
  await expect(page.getByText('There is no data for this time period.')).toHaveCount(3)

  await page.getByRole('tab', { name: 'Network', exact: true }).click()
  await expect(page).toHaveURL(/\/metrics\/network$/)
  await expect(page.getByText('No network metrics available')).toBeVisible()
})
