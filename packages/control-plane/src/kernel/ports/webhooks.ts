/** The result of an attempt to send something: with an answer, or without one. */
export type Sent =
  | { status: number; durationMs: number }
  /** `unreachable` also covers addresses that may not be reached. */
  | { failed: 'unreachable' | 'timeout' }
  /** The host is stopping, and the result of the attempt is not known. */
  | 'cut_off'

/** Access to the addresses that operators have given for webhooks. */
export interface Webhooks {
  /**
   * The reason why nothing may be sent to a URL; undefined if it may, or if its host is not known
   * at present. The URL is one of HTTP.
   */
  refusal: (url: string) => Promise<string | undefined>
  /**
   * Sends JSON. Redirects are not followed, and the body of the answer is not kept. It ends within
   * `WEBHOOK_TIMEOUT_MS`.
   * @param method POST unless given
   */
  post: (
    url: string,
    headers: readonly [name: string, value: string][],
    body: string,
    method?: 'POST' | 'PUT',
  ) => Promise<Sent>
  /** Cuts off all attempts, so that the host need not wait for them. */
  close: () => void
}
