import { checkConnection, unreachableStatuses } from './connection.ts'
import { sessionHasEnded } from './session-end.ts'

export type EventStream = { body: ReadableStream<Uint8Array>; openedAt: number }

/**
 * Opens the stream of events.
 * @throws Error if that fails
 */
export async function openEventStream(
  signal?: AbortSignal,
  lastEventId?: string,
): Promise<EventStream> {
  const response = await fetch('/x/v1/events', {
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
    },
    signal,
  }).catch((error: unknown) => {
    if (!signal?.aborted) void checkConnection()
    throw error
  })
  if (unreachableStatuses.has(response.status)) void checkConnection()
  // Does not interrupt a user who only reads; the next call asks for the password.
  if (response.status === 401) sessionHasEnded()
  if (!response.ok || !response.body) throw new Error(`event stream: ${response.status}`)
  return { body: response.body, openedAt: Date.now() }
}
