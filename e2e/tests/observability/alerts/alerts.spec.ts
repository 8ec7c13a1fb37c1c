import { BlockList } from 'node:net'
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../../../packages/control-plane/test/support/webhook-receiver.ts'
import { expect, test } from '../../../support/test.ts'
import { confirm, dialog, expectFieldError, row, toasts } from '../../../support/ui.ts'

const loopback = new BlockList()
loopback.addAddress('127.0.0.1')
test.use({ hostConfig: { webhookNetworks: loopback } })

let receiver: WebhookReceiver
test.beforeEach(async () => {
  receiver = await startWebhookReceiver()
})
test.afterEach(() => receiver.close())

type Verify = { isSigned: (body: string, signatures: string, secret: string) => boolean }

test('a receiver is created, gets signed alerts, is probed, and verifies them', async ({
  page,
  host,
}) => {
  const path = '/hook'
  receiver.answer(path, (response) => void response.writeHead(503).end())
  await page.goto('/system/alert-receivers-new')
  const form = dialog(page, 'Create receiver')
  await form.getByRole('textbox', { name: 'Name' }).fill('pager')
  await form.getByRole('textbox', { name: 'URL' }).fill(receiver.url + path)
  await form.getByLabel('Secret', { exact: true }).fill('sesame')
  const subscription = form.getByRole('textbox', { name: 'Subscriptions' })
  await subscription.fill('hardware.fire')
  await form.getByRole('button', { name: 'Create receiver' }).click()
  await expectFieldError(subscription, 'There is no such class of alerts')
  await subscription.fill('hardware.**')
  await expect(form.getByRole('status').getByText('hardware.power_shelf.psu.remove')).toBeVisible()
  await form.getByRole('button', { name: 'Create receiver' }).click()
  await expect(toasts(page)).toContainText('Receiver pager created')

  // New deliveries are shown live, with the receiver's response.
  await host.server.controlPlane.engines.power.change('remove', 3)
  const deliveries = page.getByRole('table', { name: 'Deliveries' })
  await expect(deliveries.getByText(/^Answered with 503/)).toBeVisible()
  await deliveries.getByRole('button', { name: '1 attempt' }).click()
  const details = dialog(page, 'Delivery')
  await expect(details.getByText('Next attempt')).toBeVisible()
  await expect(details.getByRole('table', { name: 'Attempts' })).toContainText('Answered with 503')
  await details.getByRole('button', { name: 'Close' }).first().click()

  receiver.answer(path, (response) => void response.writeHead(200).end())
  await page.getByRole('button', { name: 'Send probe' }).click()
  await dialog(page, 'Send probe').getByRole('button', { name: 'Send probe' }).click()
  const result = page.getByRole('status').filter({ hasText: 'The probe was delivered' })
  await expect(result).toContainText('Answered with 200')
  await expect(row(page, 'probe')).toContainText('delivered')

  await deliveries.getByRole('link', { name: 'hardware.power_shelf.psu.remove' }).click()
  await expect(page.getByRole('group', { name: 'Payload' })).toContainText(
    '"serial_number": "SIM-PSU-0003"',
  )
  await page.getByRole('button', { name: 'Send to receiver' }).click()
  const sending = dialog(page, 'Send alert')
  await sending.getByRole('button', { name: 'Receiver' }).click()
  await page.getByRole('option', { name: 'pager' }).click()
  await sending.getByRole('button', { name: 'Send alert' }).click()
  await expect(page.getByRole('row', { name: /pager delivered Sent again/ })).toBeVisible()

  // The example on the receiver's page accepts the delivery, and only with the secret.
  await page
    .getByRole('row', { name: /Sent again/ })
    .getByRole('link', { name: 'pager' })
    .click()
  await page.getByRole('tab', { name: 'Secrets' }).click()
  const code = await page.getByRole('group', { name: 'Code' }).getByRole('code').textContent()
  const { isSigned } = (await import(`data:text/javascript,${encodeURIComponent(code!)}`)) as Verify
  const { body, headers } = receiver.received.at(-1)!
  const signatures = headers['x-oxide-signature'] as string
  expect(isSigned(body, signatures, 'sesame')).toBe(true)
  expect(isSigned(`${body} `, signatures, 'sesame')).toBe(false)
  expect(isSigned(body, signatures, 'guessed')).toBe(false)

  await page.getByRole('link', { name: 'Add secret' }).click()
  await dialog(page, 'Add secret').getByLabel('Secret', { exact: true }).fill('open')
  await dialog(page, 'Add secret').getByRole('button', { name: 'Add secret' }).click()
  await expect(page.getByRole('table', { name: 'Secrets' }).getByRole('row')).toHaveCount(3)

  await page.getByRole('tab', { name: 'Subscriptions' }).click()
  const subscriptions = page.getByRole('table', { name: 'Subscriptions' })
  await expect(subscriptions).toContainText('hardware.power_shelf.psu.insert')
  await subscriptions.getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await confirm(page, 'Remove subscription')
  await expect(page.getByRole('heading', { name: 'No subscriptions' })).toBeVisible()
})
