/** How an attempt to send something ended: with an answer, or without one. */
export type Sent =
  | { status: number; durationMs: number }
  /** `unreachable` is also what may not be reached. */
  | { failed: 'unreachable' | 'timeout' }
  /** The host is stopping, and nothing is known of the attempt. */
  | 'cut_off'

/** The way out to addresses that operators have given for webhooks. */
export interface Webhooks {
  /**
   * Why nothing may be sent to a URL; undefined if it may, or if its host is not known at present.
   * The URL is one of HTTP.
   */
  refusal: (url: string) => Promise<string | undefined>
  /**
   * Sends JSON by POST. Redirects are not followed, and the body of the answer is not kept. It ends
   * within `WEBHOOK_TIMEOUT_MS`.
   */
  post: (
    url: string,
    headers: readonly [name: string, value: string][],
    body: string,
  ) => Promise<Sent>
  /** Cuts off all attempts, so that the host need not wait for them. */
  close: () => void
}
