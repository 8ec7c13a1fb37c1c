import type { BlockList } from 'node:net'
import { alertMessages, WEBHOOK_ANSWER_MAX, WEBHOOK_TIMEOUT_MS } from '@steading/api/rules'
import type { Sent, Webhooks } from '@steading/control-plane/ports'
import { targetOf } from './outgoing/addresses.ts'
import type { OutgoingProxy } from './outgoing/proxy.ts'
import { sendTo, untilAborted } from './outgoing/request.ts'

/**
 * Delivers webhooks over HTTP. Each delivery resolves the host name again, and only connects to an
 * address that is currently allowed.
 * @param networks allowed besides the public internet
 * @param limitMs response timeout
 */
export function createWebhooks(
  networks?: BlockList,
  limitMs: number = WEBHOOK_TIMEOUT_MS,
  proxy?: OutgoingProxy,
): Webhooks {
  const reach = { networks, proxy }
  const closing = new AbortController()
  return {
    async refusal(url) {
      try {
        const target = await targetOf(new URL(url), reach)
        return target ? undefined : alertMessages.forbidden(url)
      } catch {
        // The name may be registered later.
        return undefined
      }
    },

    async post(address, headers, body, method = 'POST'): Promise<Sent> {
      const started = performance.now()
      const limit = AbortSignal.timeout(limitMs)
      const signal = AbortSignal.any([limit, closing.signal])
      const send = async (): Promise<Sent> => {
        const url = new URL(address)
        const target = await targetOf(url, reach)
        if (!target) return { failed: 'unreachable' }
        const length = String(Buffer.byteLength(body))
        const response = await sendTo(url, target, {
          method,
          headers: [...headers, ['content-length', length]],
          body,
          signal,
        })
        const durationMs = Math.round(performance.now() - started)
        let size = 0
        response.on('error', () => {})
        // Receivers may finish a short response.
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > WEBHOOK_ANSWER_MAX) response.destroy()
        })
        return { status: response.statusCode ?? 0, durationMs }
      }
      try {
        return await untilAborted(signal, send())
      } catch {
        if (closing.signal.aborted) return 'cut_off'
        return { failed: limit.aborted ? 'timeout' : 'unreachable' }
      }
    },

    close: () => closing.abort(),
  }
}
