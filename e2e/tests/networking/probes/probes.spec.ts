import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { confirm, dialog, row, rowAction, toasts } from '../../../support/ui.ts'

test('an operator creates a probe on a sled, reads its addresses and deletes it @long', async ({
  page,
  project,
  api,
}) => {
  const [sled] = (await ok(api.sledList({}))).items
  await page.goto(`/projects/${project.name}/probes`)
  await page.getByRole('link', { name: 'New probe' }).last().click()
  const form = dialog(page, 'Create probe')
  await form.getByRole('textbox', { name: 'Name' }).fill('echo')
  await expect(form.getByRole('button', { name: 'Pool' })).toContainText('default')
  await form.getByRole('button', { name: 'Sled' }).click()
  await page.getByRole('option', { name: sled!.baseboard.serial }).click()
  await form.getByRole('button', { name: 'Create probe' }).click()
  await expect(toasts(page)).toContainText('Probe echo created')

  const probe = await ok(
    api.probeView({ path: { probe: 'echo' }, query: { project: project.name } }),
  )
  await row(page, 'echo').getByRole('link', { name: 'echo' }).click()
  const details = dialog(page, 'Probe details')
  for (const text of [probe.externalIps[0]!.ip, probe.interface.mac, '172.30.0.5']) {
    await expect(details).toContainText(text)
  }
  await details.getByRole('button', { name: 'Close', exact: true }).last().click()

  await rowAction(page, 'echo', 'Delete')
  await confirm(page, 'Delete probe')
  await expect(page.getByRole('heading', { name: 'No probes' })).toBeVisible()
})
