import { authenticate } from '../resources/identity/auth/authenticate.ts'
import { type Actor, sameRoles } from '../kernel/authz/actor.ts'
import type { tables } from '@steading/api'
import { kinds } from '@steading/api/rules'
import type { Credential } from '../kernel/authz/caller.ts'
import type { Context, Handlers } from '../kernel/context.ts'
import { ApiError, fail } from '../kernel/errors.ts'
import type { EventRow, Follower } from '../kernel/events/feed.ts'
import { maySeeEvent, maySeeUserOf } from '../kernel/events/visibility.ts'

/** Delay before a client connects again. */
const RETRY_MS = 1_000
const KEEP_ALIVE_MS = 15_000
/** How long roles and the session are cached before they are read again. */
const TRUST_MS = 5_000

const encoder = new TextEncoder()
const hello = encoder.encode(`retry: ${RETRY_MS}\n\n`)
const keepAlive = encoder.encode(': keep-alive\n\n')
const reset = encoder.encode('event: reset\ndata: {}\n\n')

type Messages = WeakMap<EventRow, Uint8Array>

/** Encoded events, with and without the user who made the change; followers share their bytes. */
const signed: Messages = new WeakMap()
const unsigned: Messages = new WeakMap()

function messageOf(event: EventRow, encoded: Messages): Uint8Array {
  let message = encoded.get(event)
  if (!message) {
    const { id, time, resource, action, resource_id, name, project_id, silo_id } = event
    const { author_id, author_name } = event
    const author =
      encoded === unsigned || author_id === null
        ? null
        : { id: author_id, display_name: author_name }
    const data = { id, time, resource, action, resource_id, name, project_id, silo_id, author }
    message = encoder.encode(`id: ${id}\nevent: change\ndata: ${JSON.stringify(data)}\n\n`)
    encoded.set(event, message)
  }
  return message
}

function join(messages: Uint8Array[]): Uint8Array {
  if (messages.length === 1) return messages[0]!
  const whole = new Uint8Array(messages.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const message of messages) {
    whole.set(message, offset)
    offset += message.length
  }
  return whole
}

/** The events one caller may see. Decisions are cached, because events of the same place recur. */
function createView(actor: Actor): { messagesOf: (events: readonly EventRow[]) => Uint8Array[] } {
  const known = new Map<string, boolean>()
  const once = (key: string, decide: () => boolean): boolean => {
    let may = known.get(key)
    if (may === undefined) known.set(key, (may = decide()))
    return may
  }
  const shown = (event: EventRow) => {
    const { resource, silo_id, project_id, user_id } = event
    return once(`${resource} ${silo_id} ${project_id} ${user_id}`, () => maySeeEvent(actor, event))
  }
  const isSigned = (event: EventRow) =>
    once(`author ${event.author_silo_id}`, () => maySeeUserOf(actor, event.author_silo_id))
  return {
    messagesOf: (events) =>
      events.filter(shown).map((event) => messageOf(event, isSigned(event) ? signed : unsigned)),
  }
}

/** The event stream of one client; it ends when the session or the token of the caller ends. */
async function openStream(
  ctx: Context,
  after: number | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const { callers, clock, feed, settings } = ctx.services
  const { signal } = ctx.http.request
  let present = ctx.actor
  let view = createView(present)
  let checkedAt = performance.now()
  /** When a credential expires, in milliseconds of the monotonic clock. */
  const expiryOf = (credential: Credential | undefined): number =>
    performance.now() +
    (credential?.expires ? credential.expires.getTime() - clock().getTime() : Infinity)
  let expiresAt = expiryOf(ctx.http.credential)
  let checking = false
  let sentAt = performance.now()
  let timer: ReturnType<typeof setTimeout>
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined

  /** Ends the stream; the client may connect again. */
  const end = () => {
    const open = controller
    controller = undefined
    follower.leave()
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    if (!open) return
    open.close()
  }

  const send = (message: Uint8Array) => {
    sentAt = performance.now()
    controller?.enqueue(message)
  }

  /**
   * Whether the caller was authenticated recently. If not, authenticates again, and calls `then` on
   * success.
   */
  const trusted = (then: () => void): boolean => {
    // Durations use the monotonic clock, because the system clock may be set back.
    const now = performance.now()
    if (now - checkedAt < TRUST_MS && now < expiresAt) return true
    checking = true
    // An open stream alone does not keep a session from expiring.
    authenticate(ctx.services, ctx.http.request, clock(), false).then(
      ({ actor, credential }) => {
        checking = false
        // Resources the caller has read may be hidden now, and hidden ones visible.
        if (!sameRoles(actor, present)) send(reset)
        present = actor
        view = createView(actor)
        checkedAt = performance.now()
        expiresAt = expiryOf(credential)
        then()
      },
      (error: unknown) => {
        if (error instanceof ApiError) return end()
        settings.log('event stream failed', error)
        // The client connects again and continues where it stopped.
        end()
      },
    )
    return false
  }

  /** Events taken from the feed and not yet sent. */
  let taken: readonly EventRow[] = []

  /** Sends the pending events, as fast as the client receives them. */
  const deliver = (): void => {
    while (controller && !checking && controller.desiredSize! > 0) {
      if (!trusted(deliver)) return
      if (taken.length === 0) {
        const events = follower.take()
        if (events === 'reset') {
          send(reset)
          continue
        }
        if (events.length === 0) return
        taken = events
        if (events.some((event) => mayChange(event, ctx.actor))) {
          // Any server may have ended the session or token of this stream, or changed its grants.
          callers.clear()
          checkedAt = -Infinity
          continue
        }
      }
      const messages = view.messagesOf(taken)
      taken = []
      if (messages.length > 0) send(join(messages))
    }
  }

  const beKeptAlive = () => {
    const now = performance.now()
    const due = now - sentAt >= KEEP_ALIVE_MS
    if ((due || now >= expiresAt) && controller && !checking) {
      if (!trusted(beKeptAlive)) return
      if (due && controller.desiredSize! > 0) send(keepAlive)
      else if (due) sentAt = performance.now()
    }
    clearTimeout(timer)
    const wait = Math.min(sentAt + KEEP_ALIVE_MS, expiresAt) - performance.now()
    if (controller) timer = setTimeout(beKeptAlive, wait > 0 ? wait : KEEP_ALIVE_MS)
  }

  const follower: Follower = await feed.follow({
    userId: ctx.actor.userId,
    after,
    wake: deliver,
    close: end,
  })
  return new ReadableStream<Uint8Array>({
    start(own) {
      controller = own
      if (signal.aborted) return end()
      signal.addEventListener('abort', end)
      send(hello)
      beKeptAlive()
    },
    pull: deliver,
    cancel() {
      controller = undefined
      end()
    },
  })
}

const credentials: readonly string[] = [kinds.console_session.resource, kinds.access_token.resource]
const grants: readonly string[] = [kinds.policy.resource, kinds.silo_group.resource]

/** Whether an event may end a caller's session or change the caller's permissions. */
const mayChange = (event: EventRow, { userId, siloId }: Actor): boolean => {
  const { resource, action, user_id, silo_id } = event
  if (credentials.includes(resource)) return user_id === userId && action === 'delete'
  return grants.includes(resource) && (silo_id === null || silo_id === siloId)
}

function lastEventId(request: Request): number | undefined {
  const header = request.headers.get('last-event-id')
  if (header === null) return undefined
  if (/^\d{1,15}$/.test(header)) return Number(header)
  throw fail.badRequest(`bad value for header "last-event-id": expected an event's id: ${header}`)
}

export const eventHandlers: Handlers<typeof tables.eventOperations> = {
  async event_stream(ctx) {
    return new Response(await openStream(ctx, lastEventId(ctx.http.request)), {
      headers: { 'content-type': 'text/event-stream' },
    })
  },
}
