/** Alerts, and their webhook receivers (control plane 10.8). */
import { errors, type ErrorTemplate } from '../../rules/errors.ts'
import { alertClasses, alertClassNames, type AlertClassName } from './classes.ts'

/** Class of the alerts that probe a receiver. */
export const PROBE_CLASS = 'probe'
export const PROBE_DESCRIPTION =
  'A synthetic alert that finds out whether a webhook receiver answers. Nothing has happened.'
/** All probes refer to this alert, which is not stored. */
export const PROBE_ALERT_ID = '001de000-7768-4000-8000-000000000001'
/** Payload version of all classes. */
export const ALERT_VERSION = 0

export const ALERTS_KEPT_DAYS = 30
/** Milliseconds that alerts and their deliveries are kept. */
export const ALERTS_KEPT_MS = ALERTS_KEPT_DAYS * 24 * 60 * 60 * 1000

/** Milliseconds from the start of an attempt to the response status. */
export const WEBHOOK_TIMEOUT_MS = 30_000
/** Milliseconds to wait after the first failed attempt, the second, and so on. */
export const webhookBackoffsMs = [60_000, 5 * 60_000] as const
/** Number of delivery attempts. */
export const WEBHOOK_ATTEMPTS_MAX = webhookBackoffsMs.length + 1
/** Bytes of the response body to drain; the content is ignored. */
export const WEBHOOK_ANSWER_MAX = 64 * 1024
/** Characters. */
export const WEBHOOK_SECRET_MAX = 512
/** Secrets per receiver; each adds a header to every delivery. */
export const WEBHOOK_SECRETS_MAX = 16
/** Subscriptions per receiver. */
export const ALERT_SUBSCRIPTIONS_MAX = 64
/** Characters. */
export const ALERT_SUBSCRIPTION_MAX = 256

export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]
export const deliveryTriggers = ['alert', 'resend', 'probe'] as const
export type DeliveryTrigger = (typeof deliveryTriggers)[number]
export const attemptResults = [
  'succeeded',
  'failed_http_error',
  'failed_unreachable',
  'failed_timeout',
] as const

export const alertMessages = {
  empty: 'must not be empty',
  tooLong: `must be at most ${ALERT_SUBSCRIPTION_MAX} characters long`,
  whitespace: (text: string) =>
    `invalid alert class ${JSON.stringify(text)}: alert classes do not contain whitespace`,
  emptySegment: (text: string) =>
    `invalid alert class ${JSON.stringify(text)}: dot-delimited alert class segments must not be empty`,
  segment: (text: string) =>
    `invalid alert class ${JSON.stringify(text)}: all segments must be either '*', '**', or any sequence of non-'*' alphanumeric characters`,
  probe:
    "the 'probe' alert class is a synthetic alert used only for webhook liveness probes, and is not included in alert lists and cannot be subscribed to",
  noSecrets: 'receiver has no secrets, so delivery requests cannot be sent',
  notSubscribed: (name: string) =>
    `cannot resend alert: receiver is not subscribed to the '${name}' alert class`,
  tooManySecrets: `a receiver may have at most ${WEBHOOK_SECRETS_MAX} secrets`,
  tooManySubscriptions: `a receiver may have at most ${ALERT_SUBSCRIPTIONS_MAX} subscriptions`,
  emptySecret: 'must not be empty',
  longSecret: `must be at most ${WEBHOOK_SECRET_MAX} characters long`,
  forbidden: (url: string) =>
    `the URL '${url}' contains an address that may not be used for a webhook receiver endpoint. The address must be on the public internet; the server allows other networks if it is started with --webhook-networks.`,
} as const

/** Syntax problem of a subscription; undefined if there is none. */
export function subscriptionProblem(text: string): string | undefined {
  if (text === '') return alertMessages.empty
  if (text.length > ALERT_SUBSCRIPTION_MAX) return alertMessages.tooLong
  if (/\s/.test(text)) return alertMessages.whitespace(text)
  const segments = text.split('.')
  if (segments.includes('')) return alertMessages.emptySegment(text)
  if (!segments.every((segment) => /^(\*|\*\*|[a-zA-Z0-9_]+)$/.test(segment))) {
    return alertMessages.segment(text)
  }
  return text === PROBE_CLASS ? alertMessages.probe : undefined
}

export const isGlob = (subscription: string): boolean => subscription.includes('*')

/** Whether a subscription without wildcards names an existing class. */
export const isAlertClass = (name: string): name is AlertClassName => name in alertClasses

/** Refusal of a subscription, or of an alert filter; undefined if it is valid. */
export function subscriptionRefusal(text: string): ErrorTemplate | undefined {
  const problem = subscriptionProblem(text)
  if (problem) return errors.invalidValue('alert_class', problem)
  return isGlob(text) || isAlertClass(text) ? undefined : errors.notFoundByName('alert-class', text)
}

function matchesFrom(globs: readonly string[], segments: readonly string[]): boolean {
  const [glob, ...globsLeft] = globs
  if (glob === undefined) return segments.length === 0
  if (segments.length === 0) return false
  if (glob === '**') {
    return segments.some((_, index) => matchesFrom(globsLeft, segments.slice(index + 1)))
  }
  return (glob === '*' || glob === segments[0]) && matchesFrom(globsLeft, segments.slice(1))
}

/** Whether a subscription matches a class: `*` matches one segment, `**` one or more. */
export const subscribesTo = (subscription: string, className: string): boolean =>
  matchesFrom(subscription.split('.'), className.split('.'))

/** Classes that a subscription matches; later releases may add some. */
export const classesOf = (subscription: string): AlertClassName[] =>
  alertClassNames.filter((name) => subscribesTo(subscription, name))

/** Problem with a secret; undefined if there is none. */
export function secretProblem(text: string): string | undefined {
  if (text === '') return alertMessages.emptySecret
  return text.length > WEBHOOK_SECRET_MAX ? alertMessages.longSecret : undefined
}
