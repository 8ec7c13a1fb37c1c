/**
 * Webhooks within the limits of a page: it reaches no other sites, so they are delivered to a
 * receiver inside the demo, whose paths determine the response.
 */
import type { Webhooks } from '@steading/control-plane/ports'

const RECEIVER = 'receiver.example'

const refusalText = `the demo runs in your browser, which cannot deliver webhooks to other sites. Use https://${RECEIVER}/, which answers with 200, or https://${RECEIVER}/status/500, which answers with that status.`

/** Response time of the receiver in milliseconds. */
const ANSWERS_AFTER_MS = 40

export const demoWebhooks: Webhooks = {
  refusal: async (url) => (new URL(url).hostname === RECEIVER ? undefined : refusalText),
  async post(url) {
    const { pathname } = new URL(url)
    const status = /^\/status\/([2-5]\d\d)$/.exec(pathname)?.[1]
    return { status: status ? Number(status) : 200, durationMs: ANSWERS_AFTER_MS }
  },
  close: () => {},
}
