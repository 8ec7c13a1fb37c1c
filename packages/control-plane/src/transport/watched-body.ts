import type { Actor } from '../kernel/authz/actor.ts'
import type { Outages } from '../kernel/outages.ts'

/** The call that an answer belongs to. */
export interface WatchedCall {
  /** The caller at the beginning of the answer. */
  actor: Actor
  /**
   * Authenticates the caller again.
   * @throws ApiError 401
   */
  authenticate: () => Promise<{ actor: Actor }>
  /**
   * Repeats the call.
   * @throws ApiError if the caller is no longer permitted to make it
   */
  repeat: () => Promise<Response>
  outages: Pick<Outages, 'recognize'>
}

/**
 * Checks before each piece of an answer's body that the caller is still permitted to read it. Cuts
 * the body off when the caller is not.
 */
export function watchedBody(response: Response, call: WatchedCall): Response {
  if (!response.body) return response
  const reader = response.body.getReader()
  const length = response.headers.get('content-length')
  /** Bytes that the client still waits for; at zero it takes the answer for complete. */
  let left = length === null ? Infinity : Number(length)
  let { actor } = call
  const check = async () => {
    const now = await call.authenticate()
    // Until the session is read again, the cache returns the same object.
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
          throw call.outages.recognize(error) ?? error
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read before the client asks for it.
    { highWaterMark: 0 },
  )
  return new Response(body, response)
}
