import type { WebhookDeliveryAttempt } from '@steading/api/client'
import { type DeliveryState, type DeliveryTrigger, WEBHOOK_TIMEOUT_MS } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'

const tones: Record<DeliveryState, StateTone> = {
  pending: 'changing',
  delivered: 'works',
  failed: 'failed',
}

export const DeliveryStateBadge = ({ state }: { state: DeliveryState }) => (
  <StateBadge tone={tones[state]}>{state}</StateBadge>
)

export const triggerLabels: Record<DeliveryTrigger, string> = {
  alert: 'Alert',
  resend: 'Sent again',
  probe: 'Probe',
}

const withoutAnswer: Record<WebhookDeliveryAttempt['result'], string> = {
  succeeded: 'Answered',
  failed_http_error: 'Answered with an error',
  failed_unreachable: 'Could not be reached',
  failed_timeout: `No answer within ${WEBHOOK_TIMEOUT_MS / 1000} seconds`,
}

/** Outcome of an attempt: `Answered with 503 in 40 ms`. */
export const outcomeOf = ({ result, response }: WebhookDeliveryAttempt): string =>
  response ? `Answered with ${response.status} in ${response.durationMs} ms` : withoutAnswer[result]
