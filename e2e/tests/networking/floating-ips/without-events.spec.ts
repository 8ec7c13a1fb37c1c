/** What an action changes is read again over a control plane without events as well. */
import { expect, test } from '../../../support/test.ts'
import { confirm, dialog, expectDisabled, row, rowAction, toasts } from '../../../support/ui.ts'

test.use({ hostConfig: { extensions: false } })

test('an address that is attached and detached changes its list and its instance @long', async ({
  page,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/404/)
  await seed.instance(project.name, 'wheel', { networkInterfaces: { type: 'default_ipv4' } })
  await seed.until(project.name, 'wheel', 'stopped')
  await seed.floatingIp(project.name, 'spout')
  // Only actions refresh a hidden page; it is not polled.
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { get: () => true })
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  })
  await page.goto(`/projects/${project.name}/instances/wheel/networking`)
  const attach = page.getByRole('button', { name: 'Attach floating IP' })
  await attach.click()
  const form = dialog(page, 'Attach floating IP')
  await form.getByRole('button', { name: 'Select a floating IP Floating' }).click()
  await page.getByRole('option', { name: 'spout' }).click()
  await form.getByRole('button', { name: 'Attach floating IP' }).click()
  await expect(toasts(page)).toContainText('IP spout attached')
  await expect(row(page, 'spout')).toBeVisible()
  await expectDisabled(attach, 'No available floating IPs')

  await page.getByRole('button', { name: 'Network', exact: true }).click()
  await page.getByRole('link', { name: 'Floating IPs' }).click()
  await expect(row(page, 'spout')).toContainText('wheel')
  await rowAction(page, 'spout', 'Detach')
  await confirm(page, 'Detach floating IP')
  await expect(row(page, 'spout')).not.toContainText('wheel')
  await page.goBack()
  await expect(attach).toBeEnabled()
  await expect(row(page, 'spout')).toHaveCount(0)
})
