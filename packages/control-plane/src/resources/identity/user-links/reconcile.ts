/**
 * Sends links by mail, and answers requests for forgotten passwords. Nothing is sent inside of a
 * transaction. A server that is killed between the mail and its record sends another mail, whose link
 * replaces that of the first.
 */
import { messageBackoffsMs, notificationMessages, userLinkPath } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import { consoleOf } from '../../../kernel/console-url.ts'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { Mail, MailSent } from '../../../kernel/ports/mail.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import type { Settings } from '../../../kernel/settings.ts'
import { writingIn } from '../../../kernel/work.ts'
import { afterFailure, nextAttempt } from '../../observability/notifications/attempts.ts'
import { userChanged } from '../users/create.ts'
import { createLink, linkedUser, newSecret, type UserLinkRow, type UserWithSilo } from './links.ts'
import { addressForForgotten } from './mail-addresses.ts'
import { linkMailOf } from './message.ts'
import type { PasswordRequestTable } from './table.ts'

export interface LinkParts {
  database: OpenDatabase
  clock: () => Date
  settings: Pick<Settings, 'consoleUrl' | 'externalZones'>
  mail: Mail | undefined
}

/** The longest pause between two attempts. */
const LONGEST_WAIT_MS = Math.max(...messageBackoffsMs)

/** The values of a link after an attempt. */
function after(row: UserLinkRow, sent: Exclude<MailSent, 'cut_off'>, now: Date) {
  if (sent === 'sent') {
    const time_sent = now.toISOString()
    return { time_sent, attempts: 0, problem: null, time_failed: null, time_next_attempt: null }
  }
  return afterFailure(row, sent, now)
}

/**
 * Makes the secret of a link, and sends it.
 * @returns undefined if the link was replaced meanwhile
 */
async function send(
  { database: { db }, mail, settings }: LinkParts,
  row: UserLinkRow,
  { user, siloName }: UserWithSilo,
  fence: number,
): Promise<MailSent | undefined> {
  if (!mail) return { failed: 'recipient', problem: notificationMessages.noMail }
  const { token, token_hash } = await newSecret()
  const { numUpdatedRows } = await db
    .updateTable('user_link')
    .set({ token_hash })
    .where('id', '=', row.id)
    .where('fence', '=', fence)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return undefined
  return mail.send({
    to: row.address!,
    ...linkMailOf(row.purpose, {
      userName: user.external_id,
      siloName,
      url: consoleOf(settings, siloName) + userLinkPath(token),
      expires: new Date(row.time_expires),
    }),
    id: `${row.id}.${fence}`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
}

async function reconcileLink(
  parts: LinkParts,
  step: Step<'user_link'>,
  row: UserLinkRow,
): Promise<void> {
  const { database, clock } = parts
  const { db } = database
  const now = clock()
  const isOver = row.time_expires <= now.toISOString()
  const isDone = row.address === null || row.time_sent !== null || isOver
  const whose = isDone ? undefined : await linkedUser(db, { id: row.user_id })
  if (!whose) {
    // Nothing waits for the mail server any more.
    const values = { attempts: 0, time_failed: null }
    await step.end(db, null, { values, unchanged: { time_created: row.time_created } })
    return
  }
  const rest = nextAttempt(row, now, LONGEST_WAIT_MS)
  if (rest) return step.end(db, rest)
  const sent = await send(parts, row, whose, step.fence)
  if (sent === undefined) return
  if (sent === 'cut_off') return step.end(db, now)
  const values = after(row, sent, clock())
  const at = values.time_next_attempt && new Date(values.time_next_attempt)
  await database.concurrently(async (tx) => {
    await step.end(tx, at || null, { values, unchanged: { time_created: row.time_created } })
    await userChanged(writingIn(tx, clock()), whose.user, 'update')
  })
}

export const linkReconciliation = (parts: LinkParts): Reconciliation<'user_link'> => ({
  table: 'user_link',
  reconcile: (step, row) => reconcileLink(parts, step, row),
})

/** Makes the link for a user who has forgotten the password, if there is such a user. */
async function answerRequest(
  { database, clock, mail }: LinkParts,
  step: Step<'password_request'>,
  row: Selectable<PasswordRequestTable>,
): Promise<void> {
  await database.transaction(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('password_request')
      .where('id', '=', row.id)
      .where('fence', '=', step.fence)
      .executeTakeFirstOrThrow()
    const whose = await linkedUser(tx, { siloId: row.silo_id, name: row.user_name })
    // Users without a password wait for an administrator, who may not want them to sign in.
    if (numDeletedRows === 0n || !mail || !whose || whose.user.password_hash === null) return
    const now = clock()
    const address = await addressForForgotten(tx, whose.user.id, now)
    if (address === undefined) return
    await createLink(writingIn(tx, now), whose.user, { purpose: 'password', address })
  })
  step.wake('user_link')
}

export const requestReconciliation = (parts: LinkParts): Reconciliation<'password_request'> => ({
  table: 'password_request',
  reconcile: (step, row) => answerRequest(parts, step, row),
})
