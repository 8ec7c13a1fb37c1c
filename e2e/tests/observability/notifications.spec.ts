import {
  type MailServer,
  startMailServer,
} from '../../../packages/control-plane/test/support/mail-server.ts'
import { expectAccessible } from '../../support/accessibility.ts'
import { takePictures } from '../../support/pictures.ts'
import { expect, test } from '../../support/test.ts'
import { dialog } from '../../support/ui.ts'

let mail: MailServer
test.beforeAll(async () => {
  mail = await startMailServer()
})
test.afterAll(() => mail.close())

test('a failed backup rings the bell, and is mailed to a confirmed address', async ({
  page,
  project,
  seed,
  host: first,
  session,
  context,
  browser,
}) => {
  await seed.disk(project.name, 'sacks')
  // The host is started before the mail server has its port.
  const host = await first.restarted({
    smtpUrl: mail.url,
    mailFrom: 'Cloud <cloud@example.com>',
  })
  try {
    const { database, notify } = host.server.controlPlane
    await context.addCookies([{ name: 'session', value: session, url: host.url }])
    const fails = async (run: number) => {
      const time = new Date().toISOString()
      const values = { failed_run: run, failed_reason: 'no room', time_failed: time }
      await database.db.updateTable('schedule').set(values).execute()
      await notify()
    }
    await page.goto(`${host.url}/projects/mill/schedules-new`)
    const form = page.getByRole('main')
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('nightly')
    await form.getByRole('combobox', { name: 'Targets' }).click()
    await page.getByRole('option', { name: 'sacks' }).click()
    await form.getByRole('button', { name: 'Add target' }).click()
    await form.getByRole('button', { name: 'Create schedule' }).click()
    await expect(page.getByRole('button', { name: 'Schedule actions' })).toBeVisible()

    // The bell rings without a reload.
    await fails(1)
    const bell = page.getByRole('button', { name: 'Notifications, 1 unread' })
    await bell.click()
    const latest = dialog(page, 'Notifications')
    await expect(latest.getByRole('link', { name: /^Run 1 of schedule nightly/ })).toBeVisible()
    await expectAccessible(page)
    await latest.getByRole('button', { name: 'Mark all as read' }).click()
    await expect(latest.getByRole('button', { name: 'Mark all as read' })).toBeHidden()
    await latest.getByRole('link', { name: 'View all' }).click()
    await expect(page.getByRole('row', { name: /Run 1 of schedule nightly/ })).toContainText(
      'Warning',
    )
    await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
    await expectAccessible(page)

    await page.getByRole('tab', { name: 'Subscriptions' }).click()
    await page.getByRole('button', { name: 'New subscription' }).click()
    const create = dialog(page, 'Create subscription')
    await create.getByRole('textbox', { name: 'Address' }).fill('ann')
    await create.getByRole('button', { name: 'Create subscription' }).click()
    await expect(create.getByText('Must be an address like name@example.com')).toBeVisible()
    await create.getByRole('textbox', { name: 'Address' }).fill('ann@example.com')
    await expectAccessible(page)
    await create.getByRole('button', { name: 'Create subscription' }).click()
    const made = page.getByRole('row', { name: /ann@example.com/ })
    await expect(made).toContainText('Unconfirmed')
    await expectAccessible(page)

    await expect.poll(() => mail.mails.length).toBe(1)
    const [link = ''] = /\/login\/mail-link\/\S+/.exec(mail.mails[0]!.text ?? '') ?? []
    const stranger = await (await browser.newContext()).newPage()
    await stranger.goto(host.url + link)
    await stranger.getByRole('button', { name: 'Confirm the address' }).click()
    await expect(stranger.getByText(/The address is confirmed/)).toBeVisible()
    await expectAccessible(stranger)
    await stranger.context().close()
    await expect(made).toContainText('Active')

    await fails(2)
    await expect.poll(() => mail.mails.length).toBe(2)
    expect(mail.mails[1]!.subject).toContain('Run 2 of schedule nightly')
    await expect(made.getByText('Active')).toBeVisible()

    await made.getByRole('button', { name: /actions/ }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const edit = dialog(page, 'Edit subscription')
    await edit.getByRole('checkbox', { name: 'Change destination' }).check({ force: true })
    await edit.getByRole('textbox', { name: 'Address' }).fill('anne@example.com')
    await edit.getByRole('radio', { name: 'Every day' }).check({ force: true })
    await edit.getByRole('button', { name: /Hour/ }).click()
    await page.getByRole('option', { name: /^7:00.AM$/ }).click()
    await expectAccessible(page)
    await takePictures(page, 'another address of a subscription')
    await edit.getByRole('button', { name: 'Update subscription' }).click()
    const moved = page.getByRole('row', { name: /anne@example.com/ })
    await expect(moved).toContainText('Unconfirmed')
    await expect(moved).toContainText('Every day at 7:00')
    await expect.poll(() => mail.mails.length).toBe(3)
  } finally {
    // The page would connect again.
    await page.goto('about:blank')
    await host.close()
  }
})
