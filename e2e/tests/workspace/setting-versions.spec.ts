import { expectAccessible } from '../../support/accessibility.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { dialog, row, rowAction, toasts } from '../../support/ui.ts'

const query = { project: 'mill', vpc: 'default' }
const web = {
  name: 'web',
  description: '',
  status: 'enabled',
  direction: 'inbound',
  action: 'allow',
  priority: 100,
  targets: [{ type: 'subnet', value: 'gone' }],
  filters: { ports: ['80'] },
} as const

test('firewall rules are compared with an earlier version, and restored in two clicks', async ({
  page,
  project,
  api,
}) => {
  expect(project.name).toBe('mill')
  const put = (rules: object[], reason?: string) =>
    ok(api.vpcFirewallRulesUpdate({ query, body: { rules: rules as never } }, { reason }))
  await put([web], 'Öffnet die Mühle')
  await put([{ ...web, priority: 5 }])
  await page.goto('/projects/mill/vpcs/default/firewall-rules')
  await expect(row(page, 'web')).toBeVisible()
  await page.getByRole('button', { name: 'Versions' }).click()
  const panel = dialog(page, 'Versions of the firewall rules')
  const versions = panel.getByRole('list', { name: 'Versions' }).getByRole('button')
  await expect(versions).toHaveCount(3)
  await expect(versions.nth(1)).toContainText('1 rule added, 3 removed')
  await expect(versions.nth(1)).toContainText('Öffnet die Mühle')
  await expect(panel.getByRole('button', { name: 'Restore' })).toBeDisabled()

  await versions.nth(1).click()
  const differences = panel.getByRole('list', { name: 'Differences' })
  await expect(panel.getByText('1 rule refers to resources that no longer exist')).toBeVisible()
  await expect(differences).toContainText('5 is now → 100')
  await panel.getByRole('checkbox', { name: 'Leave it out' }).press('Space')
  await expect(differences).toContainText('Removed')
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Compare with' }).click()
  await page.getByRole('option', { name: 'Version 1' }).click()
  await expect(panel.getByText('From version 1 to version 2')).toBeVisible()
  await expect(differences).toContainText('Allow TCP/UDP 80 from anywhere to subnet gone')

  await versions.nth(2).click()
  await expect(differences.getByRole('listitem')).toHaveCount(4)
  await expect(differences).toContainText('allow-ssh')
  await panel.getByRole('textbox', { name: 'Reason for restoring' }).fill('The trial is over')
  // Another change meanwhile is shown, and not undone silently.
  await put([])
  await expect(versions).toHaveCount(4)
  await expect(differences.getByRole('listitem')).toHaveCount(3)
  await panel.getByRole('button', { name: 'Restore version 1' }).click()
  await expect(toasts(page).getByText('Version 1 restored')).toBeVisible()
  await expect(row(page, 'allow-ssh')).toBeVisible()
  await expect(row(page, 'web')).toHaveCount(0)

  // The reason of a form is kept with the version, and corrected later.
  await rowAction(page, 'allow-ssh', 'Delete')
  const deleting = dialog(page, 'Delete firewall rule')
  await deleting.getByRole('textbox', { name: 'Reason' }).fill('Nobody uses SSH')
  await deleting.getByRole('button', { name: 'Confirm' }).click()
  await expect(row(page, 'allow-ssh')).toHaveCount(0)
  await page.getByRole('button', { name: 'Versions' }).click()
  await expect(versions.first()).toContainText('Nobody uses SSH')
  await expect(versions.nth(1)).toContainText('The trial is over')
  await expect(versions.nth(1)).toContainText('Version 1 restored')
  await versions.first().click()
  await panel.getByRole('button', { name: 'Edit reason' }).click()
  const reason = panel.getByRole('textbox', { name: 'Reason', exact: true })
  await expect(reason).toHaveValue('Nobody uses SSH')
  await reason.fill('SSH goes by the bastion')
  await panel.getByRole('button', { name: 'Save reason' }).click()
  await expect(versions.first()).toContainText('SSH goes by the bastion')
})

test('settings of the system have versions, with a reason in the confirmation @long', async ({
  page,
}) => {
  await page.goto('/system/networking/settings')
  await page.getByRole('button', { name: 'Disable inbound ICMP' }).click()
  const asking = dialog(page, 'Disable inbound ICMP')
  await asking.getByRole('textbox', { name: 'Reason' }).fill('Quiet')
  await asking.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Pings are not answered.')).toBeVisible()
  await page.getByRole('button', { name: 'Versions of inbound ICMP' }).click()
  const panel = dialog(page, 'Versions of inbound ICMP')
  const versions = panel.getByRole('list', { name: 'Versions' }).getByRole('button')
  await expect(versions.first()).toContainText('Quiet')
  await versions.nth(1).click()
  await expect(panel.getByRole('list', { name: 'Differences' })).toContainText('off is now → on')
  await panel.getByRole('button', { name: 'Restore version 1' }).click()
  await expect(page.getByText('Pings to services of the rack are answered.')).toBeVisible()
})
