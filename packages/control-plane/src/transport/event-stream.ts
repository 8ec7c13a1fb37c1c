import { authenticate } from '../resources/auth/sessions.ts'
import { type Actor, may } from '../kernel/authz/actor.ts'
import type { eventOperations } from '@steading/api'
import type { Context, Handlers } from '../kernel/context.ts'
import { ApiError, fail } from '../kernel/errors.ts'
import type { EventRow, Events } from '../kernel/events/feed.ts'

/** How long a client waits before it connects again. */
const RETRY_MS = 1_000
const KEEP_ALIVE_MS = 15_000
/** How long roles and the session are trusted before they are read again. */
const TRUST_MS = 5_000

/** Whether somebody may know of a change: whom it concerns, or whoever may read where it happened. */
function visible(actor: Actor, { project_id, silo_id, user_id }: EventRow): boolean {
  if (user_id) return user_id === actor.userId
  if (project_id && silo_id) {
    return may(actor, 'read', 'project', { siloId: silo_id, projectId: project_id })
  }
  return silo_id ? silo_id === actor.siloId : may(actor, 'read', 'fleet', {})
}

const asMessage = (event: EventRow): string => {
  const { id, time, resource, action, resource_id, name, project_id, silo_id } = event
  const data = { id, time, resource, action, resource_id, name, project_id, silo_id }
  return `id: ${id}\nevent: change\ndata: ${JSON.stringify(data)}\n\n`
}

/** What one client is sent, message by message; ends when its session does. */
async function* messages(ctx: Context, events: Events, signal: AbortSignal) {
  const { clock } = ctx.services
  let { actor } = ctx
  let trustedUntil = ctx.now.getTime() + TRUST_MS
  let next: ReturnType<Events['next']> | undefined
  yield `retry: ${RETRY_MS}\n\n`
  while (!signal.aborted) {
    next ??= events.next()
    const batch = await within(KEEP_ALIVE_MS, next, signal)
    if (batch?.done || signal.aborted) return
    const now = clock()
    if (now.getTime() >= trustedUntil) {
      try {
        // A stream that is merely open does not keep a session alive.
        actor = await authenticate(ctx.services, ctx.http.request, now, false)
      } catch (error) {
        if (error instanceof ApiError) return
        throw error
      }
      trustedUntil = now.getTime() + TRUST_MS
    }
    if (!batch) {
      yield ': keep-alive\n\n'
      continue
    }
    next = undefined
    if (batch.value === 'reset') yield 'event: reset\ndata: {}\n\n'
    else {
      const seen = batch.value.filter((event) => visible(actor, event))
      if (seen.length > 0) yield seen.map(asMessage).join('')
    }
  }
}

/** What a promise resolves to; undefined if that takes too long or is no longer wanted. */
async function within<T>(
  milliseconds: number,
  promise: Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  let giveUp: () => void
  const tooLate = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined)
  })
  const timer = setTimeout(giveUp!, milliseconds)
  signal.addEventListener('abort', giveUp!)
  try {
    return await Promise.race([promise, tooLate])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp!)
  }
}

function lastEventId(request: Request): number | undefined {
  const header = request.headers.get('last-event-id')
  if (header === null) return undefined
  if (/^\d{1,15}$/.test(header)) return Number(header)
  throw fail.badRequest(`bad value for header "last-event-id": expected an event's id: ${header}`)
}

export const eventHandlers: Handlers<typeof eventOperations> = {
  async event_stream(ctx) {
    const { feed, settings } = ctx.services
    const ending = new AbortController()
    const signal = AbortSignal.any([ctx.http.request.signal, ending.signal])
    const events = await feed.follow(lastEventId(ctx.http.request), signal)
    const source = messages(ctx, events, signal)
    const encoder = new TextEncoder()
    /** The client is gone, and the stream with it: there is nothing to write to or to close. */
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      // Asked for the next message only when the client has taken the one before.
      async pull(controller) {
        try {
          const { value, done } = await source.next()
          if (cancelled) return
          if (value) controller.enqueue(encoder.encode(value))
          if (done) {
            ending.abort()
            controller.close()
          }
        } catch (error) {
          settings.log('event stream failed', error)
          ending.abort()
          controller.error(error)
        }
      },
      cancel() {
        cancelled = true
        ending.abort()
      },
    })
    return new Response(body, {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    })
  },
}
