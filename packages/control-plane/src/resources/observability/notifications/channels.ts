/** Sends a message over the channel of a subscription. */
import type { Mail, MailSent } from '../../../kernel/ports/mail.ts'
import type { Webhooks } from '../../../kernel/ports/webhooks.ts'
import { hmac } from '../../../kernel/secrets.ts'
import { notificationMessages } from '@steading/api/rules'
import { type MailFooter, type Message, mailOf, matrixOf, slackOf, teamsOf } from './message.ts'
import type { SubscriptionRow } from './wire.ts'

export interface Channels {
  mail: Mail | undefined
  webhooks: Webhooks | undefined
}

/** A message on its way. */
export interface Sending {
  row: SubscriptionRow
  message: Message
  /** The same for each attempt to send the same notifications. */
  id: string
  now: Date
  footer: MailFooter
  /** Address of the API, for the unsubscription with one click. */
  oneClickUrl: string
}

type Header = [name: string, value: string]

interface Request {
  url: string
  headers: Header[]
  content: object
  method?: 'PUT'
}

/** The headers of a webhook with a secret: RFC 2104 over the exact bytes of the body. */
async function signed(secret: string | null, body: string): Promise<Header[]> {
  return secret ? [['x-steading-signature', `sha256=${await hmac(secret, body)}`]] : []
}

function webhookOf({ row, message, id, now }: Sending): object {
  return {
    id,
    subscription_id: row.id,
    time_sent: now.toISOString(),
    test: message.isTest,
    notifications: message.items,
    more: message.more,
  }
}

/** The request of a message to a chat or a webhook. */
function requestOf(sending: Sending): Request {
  const { row, message, id } = sending
  const plain = { url: row.address, headers: [] }
  switch (row.channel) {
    case 'slack':
      return { ...plain, content: slackOf(message) }
    case 'teams':
      return { ...plain, content: teamsOf(message) }
    case 'matrix': {
      // The server drops a repeated transaction.
      const path = `/_matrix/client/v3/rooms/${encodeURIComponent(row.room!)}/send/m.room.message/${encodeURIComponent(id)}`
      return {
        url: new URL(path, row.address).href,
        headers: [['authorization', `Bearer ${row.secret}`]],
        content: matrixOf(message),
        method: 'PUT',
      }
    }
    default:
      return {
        ...plain,
        headers: [['x-steading-delivery-id', id]],
        content: webhookOf(sending),
      }
  }
}

const failures = {
  unreachable: 'the address cannot be reached',
  timeout: 'there was no answer in time',
} as const

async function post(webhooks: Webhooks, sending: Sending): Promise<MailSent> {
  const { url, headers, content, method } = requestOf(sending)
  const body = JSON.stringify(content)
  const { channel, secret } = sending.row
  const all: Header[] = [
    ['content-type', 'application/json'],
    ...headers,
    ...(channel === 'webhook' ? await signed(secret, body) : []),
  ]
  const sent = await webhooks.post(url, all, body, method)
  if (sent === 'cut_off') return sent
  if ('failed' in sent) return { failed: 'recipient', problem: failures[sent.failed] }
  const isTaken = sent.status >= 200 && sent.status < 300
  return isTaken ? 'sent' : { failed: 'recipient', problem: `the answer was ${sent.status}` }
}

/** Sends once. */
export async function sendMessage(
  { mail, webhooks }: Channels,
  sending: Sending,
): Promise<MailSent> {
  const { row, message, footer, oneClickUrl, id } = sending
  if (row.channel !== 'email') {
    return webhooks
      ? post(webhooks, sending)
      : { failed: 'recipient', problem: notificationMessages.noWebhooks }
  }
  if (!mail) return { failed: 'server', problem: notificationMessages.noMail }
  return mail.send({
    to: row.address,
    ...mailOf(message, footer),
    id,
    headers: {
      'List-Unsubscribe': `<${oneClickUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  })
}
