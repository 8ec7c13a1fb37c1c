/** A server that is killed while it sends a mail: the mail arrives, each time as the same one. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { notificationTopics } from '@steading/api/rules'
import { expect, onTestFinished, test } from 'vitest'
import { startMailServer } from '../../../control-plane/test/support/mail-server.ts'
import { migratedDirectory, signIn } from '../support/process.ts'
import { startHost } from './host-process.ts'
import { client } from './workload.ts'

const KILLS = 2
/** Milliseconds between two looks at the mails. */
const interval = 25

test('a notification is mailed, however often the server is killed meanwhile', async () => {
  const mail = await startMailServer()
  onTestFinished(() => mail.close())
  const data = migratedDirectory()
  const start = () =>
    startHost(data, undefined, {
      STEADING_SMTP_URL: mail.url,
      STEADING_MAIL_FROM: 'Cloud <cloud@example.com>',
    })
  let host = await start()
  const cookie = await signIn(host.url)
  const { status } = await client(host.url, cookie)('POST', '/x/v1/notification-subscriptions', {
    scope: 'mine',
    topics: notificationTopics,
    severity: 'warning',
    digest: 'immediately',
    channel: { type: 'email', address: 'ann@example.com' },
  })
  expect(status).toBe(201)
  await expect.poll(() => mail.mails.length, { interval }).toBe(1)
  const [token] = /[^/\s]+\.confirm\.[0-9a-f]+/.exec(mail.mails[0]!.text!)!
  const confirmed = await fetch(`${host.url}/x/v1/notification-links/${token}`, { method: 'POST' })
  expect(confirmed.status).toBe(200)
  await host.kill()

  // The silo has used up a quota while no server ran.
  const database = new DatabaseSync(join(data, 'steading.db'))
  database.exec('update silo set used_storage = quota_storage')
  database.close()
  mail.hang(true)
  for (let kill = 1; kill <= KILLS; kill++) {
    host = await start()
    // The mail server has the mail, and has not said so.
    await expect.poll(() => mail.mails.length, { interval }).toBe(1 + kill)
    await host.kill()
  }
  mail.hang(false)
  host = await start()
  const subscription = async () => {
    const { body } = await client(host.url, cookie)('GET', '/x/v1/notification-subscriptions')
    const [only] = (body as { items: { time_last_sent: string | null }[] }).items
    return only?.time_last_sent
  }
  await expect.poll(subscription, { interval }).toBeTruthy()
  const told = mail.mails.slice(1)
  expect(told).toHaveLength(KILLS + 1)
  expect(new Set(told.map(({ messageId }) => messageId)).size).toBe(1)
  expect(told[0]!.subject).toMatch(/^Warning: Silo main uses all of its storage$/)
})
