/** One attempt to deliver an alert: its request, signatures and outcome. */
import type { Wire } from '@steading/api'
import { ALERT_VERSION } from '@steading/api/rules'
import type { Row } from '../../../kernel/kinds.ts'
import type { Sent, Webhooks } from '../../../kernel/ports/webhooks.ts'
import { hmac } from '../../../kernel/secrets.ts'
import { alertPayload } from '../alerts/kind.ts'

const resultOf = (
  sent: Exclude<Sent, 'cut_off'>,
): Pick<Wire.WebhookDeliveryAttempt, 'result' | 'response'> => {
  if ('failed' in sent) return { result: `failed_${sent.failed}`, response: null }
  const { status, durationMs } = sent
  return {
    result: status >= 200 && status < 300 ? 'succeeded' : 'failed_http_error',
    response: { status, duration_ms: durationMs },
  }
}

/** A delivery to a receiver. */
export interface Delivering {
  endpoint: string
  secrets: readonly Pick<Row<'webhook_secret'>, 'id' | 'value'>[]
  delivery: Pick<Row<'alert_delivery'>, 'id' | 'receiver_id' | 'alert_id' | 'name' | 'trigger'>
  /** The alert's payload, as JSON. */
  payload: string
}

/**
 * @param attempt its number, from 1
 * @returns undefined if the host is stopping, so that the result of the attempt is unknown
 */
export async function sendDelivery(
  webhooks: Webhooks,
  { endpoint, secrets, delivery, payload }: Delivering,
  attempt: number,
  now: Date,
): Promise<Wire.WebhookDeliveryAttempt | undefined> {
  const sentAt = now.toISOString()
  const { id, receiver_id, alert_id, name, trigger } = delivery
  const body = JSON.stringify({
    alert_class: name,
    alert_version: ALERT_VERSION,
    alert_id,
    data: alertPayload.read(payload),
    delivery: { id, receiver_id, sent_at: sentAt, trigger },
  })
  const headers: [string, string][] = [
    ['content-type', 'application/json'],
    ['x-oxide-delivery-id', id],
    ['x-oxide-receiver-id', receiver_id],
    ['x-oxide-alert-id', alert_id],
    ['x-oxide-alert-class', name],
    ['x-oxide-alert-version', String(ALERT_VERSION)],
    ['x-oxide-timestamp', sentAt],
  ]
  for (const secret of secrets) {
    const signature = await hmac(secret.value, body)
    headers.push(['x-oxide-signature', `a=sha256&id=${secret.id}&s=${signature}`])
  }
  const sent = await webhooks.post(endpoint, headers, body)
  return sent === 'cut_off' ? undefined : { attempt, time_sent: sentAt, ...resultOf(sent) }
}
