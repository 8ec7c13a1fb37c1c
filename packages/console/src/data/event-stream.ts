import { checkConnection, unreachableStatuses } from './connection.ts'
import { sessionHasEnded } from './session-end.ts'

export type EventStream = {
  first: Uint8Array
  rest: ReadableStreamDefaultReader<Uint8Array>
  openedAt: number
}

/** Milliseconds; the control plane writes the first bytes of a stream at once. */
const FIRST_BYTES_MS = 5_000

/** Not even the beginning of the stream arrives: a proxy on the way buffers it. */
export class HeldBackError extends Error {}

/**
 * Opens the stream of events, and waits for its first bytes.
 * @throws HeldBackError if they do not come, another Error if the stream cannot be opened
 */
export async function openEventStream(
  signal?: AbortSignal,
  lastEventId?: string,
): Promise<EventStream> {
  const held = new AbortController()
  const timer = setTimeout(
    () => held.abort(new HeldBackError('event stream: held back')),
    FIRST_BYTES_MS,
  )
  const until = signal ? AbortSignal.any([signal, held.signal]) : held.signal
  try {
    const response = await fetch('/x/v1/events', {
      headers: {
        accept: 'text/event-stream',
        ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
      },
      signal: until,
    })
    if (unreachableStatuses.has(response.status)) void checkConnection()
    // Does not interrupt a user who only reads; the next call asks for the password.
    if (response.status === 401) sessionHasEnded()
    if (!response.ok || !response.body) throw new Error(`event stream: ${response.status}`)
    const rest = response.body.getReader()
    const { done, value } = await rest.read()
    if (done) throw new Error('event stream: empty')
    return { first: value, rest, openedAt: Date.now() }
  } catch (error) {
    if (!until.aborted && error instanceof TypeError) void checkConnection()
    throw held.signal.aborted ? held.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}
