import type { Actor } from '../kernel/authz/actor.ts'
import type { Outages } from '../kernel/outages.ts'

/** The call that an answer belongs to. */
export interface WatchedCall {
  /** The caller when the answer was begun. */
  actor: Actor
  /** Finds out who the caller is by now. @throws ApiError 401 */
  authenticate: () => Promise<{ actor: Actor }>
  /** Makes the call again. @throws ApiError if the caller may not make it any more */
  repeat: () => Promise<Response>
  outages: Pick<Outages, 'notice'>
}

/**
 * Checks before each piece of an answer's body that the caller may still have it. The body is cut off
 * when the caller may not.
 */
export function watchedBody(response: Response, call: WatchedCall): Response {
  if (!response.body) return response
  const reader = response.body.getReader()
  const length = response.headers.get('content-length')
  /** Bytes that the client still waits for; it takes the answer for complete when there are none. */
  let left = length === null ? Infinity : Number(length)
  let { actor } = call
  const check = async () => {
    const now = await call.authenticate()
    // While the caller is trusted, the cache returns the same object.
    if (now.actor !== actor) await (await call.repeat()).body?.cancel()
    actor = now.actor
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          await check()
          const { value, done } = await reader.read()
          if (done) return controller.close()
          controller.enqueue(value)
          left -= value.length
          if (left > 0) return
          controller.close()
          await reader.cancel()
        } catch (error) {
          await reader.cancel(error).catch(() => {})
          throw call.outages.notice(error) ?? error
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read before the client takes it.
    { highWaterMark: 0 },
  )
  return new Response(body, response)
}
