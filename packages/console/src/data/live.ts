import type { MethodName } from '@steading/api/client'
import { createParser } from 'eventsource-parser'
import { createStore } from '../ui/store.ts'
import { plainName, queryClient } from './api.ts'
import { answeredCapabilities } from './capabilities.ts'
import { liveResources } from './live-resources.ts'
import { LONGEST_RETRY, retryDelay, wait } from './retry.ts'

/**
 * Live updates: one event stream for the whole page, read by fetch (not EventSource, so that a host
 * in the browser can answer it). Control planes without it are polled instead.
 */
export type LiveState = 'live' | 'reconnecting' | 'polling'

const COALESCE = 100
/** The same while many changes arrive, as during a job. */
const COALESCE_BUSY = 1000
const BUSY_AFTER = 5
const HIDDEN_FOR = 30_000

const { set: setState, useValue: useLiveState } = createStore<LiveState>('polling')
export { useLiveState }

/** The interval to poll at where there are no events, else false. */
export function useLivePolling(interval: number): number | false {
  return useLiveState() === 'live' ? false : interval
}

type Change = {
  resource: string
  action?: string
  resource_id?: string | null
  name?: string | null
}
type NamedArgs = Record<'path' | 'query', Record<string, unknown> | undefined> | undefined

const gone = new Set<(id: string) => void>()

/** Calls back with the ID of each deleted thing. @returns ends it */
export function onGone(listener: (id: string) => void): () => void {
  gone.add(listener)
  return () => {
    gone.delete(listener)
  }
}

let changed: Change[] = []
let everything = false
let flushing: ReturnType<typeof setTimeout> | undefined
/** Refetches that have followed each other without a pause, and when the last was. */
let streak = 0
let flushed = 0

/** Whether a change makes an answer stale: by its operation, and by the thing it is about. */
export function affects(
  { resource, action, resource_id, name }: Change,
  [operation, args]: readonly unknown[],
) {
  const live = liveResources[resource]
  if (!live?.reads.includes(plainName(operation) as MethodName)) return false
  const { path, query } = (args as NamedArgs) ?? {}
  const about = path?.[live.argument] ?? query?.[live.argument]
  if (!about || (!resource_id && !name)) return true
  if (about !== resource_id && about !== name) return false
  // Of a deleted thing only its own page is read again, which says so; rows go with their list.
  return action !== 'delete' || String(operation).endsWith('View')
}

/** Changes that come together become one refetch of each list on the screen. */
function flush() {
  flushing = undefined
  streak++
  flushed = Date.now()
  const [changes, all] = [changed, everything]
  changed = []
  everything = false
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => all || changes.some((change) => affects(change, queryKey)),
  })
}

function onEvent(event: string | undefined, data: string) {
  if (event === 'reset') everything = true
  else if (event === 'change') {
    const change = JSON.parse(data) as Change
    changed.push(change)
    if (change.action === 'delete') gone.forEach((listener) => listener(change.resource_id ?? ''))
  } else return
  if (Date.now() - flushed > COALESCE_BUSY) streak = 0
  flushing ??= setTimeout(flush, streak < BUSY_AFTER ? COALESCE : COALESCE_BUSY)
}

/** Reads that a change can make stale. */
const liveReads = new Set<unknown>(Object.values(liveResources).flatMap(({ reads }) => reads))

/** Reads again what was read before the stream was open: it may have changed in between. */
function refetchOlderThan(time: number) {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey, state: { dataUpdatedAt } }) =>
      liveReads.has(plainName(queryKey[0])) && dataUpdatedAt < time,
  })
}

let lastEventId: string | undefined
let running: AbortController | undefined

async function readStream(signal: AbortSignal): Promise<void> {
  const response = await fetch('/x/v1/events', {
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
    },
    signal,
  })
  if (!response.ok || !response.body) throw new Error(`event stream: ${response.status}`)
  // With an ID to resume from, the stream begins with the events in between.
  if (!lastEventId) refetchOlderThan(Date.now())
  setState('live')
  const parser = createParser({
    onEvent: ({ event, data, id }) => {
      if (id) lastEventId = id
      onEvent(event, data)
    },
  })
  const reader = response.body.pipeThrough(new TextDecoderStream() as never).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    parser.feed(value as unknown as string)
  }
}

async function run(signal: AbortSignal) {
  let failures = 0
  while (!signal.aborted) {
    const since = Date.now()
    try {
      await readStream(signal)
    } catch {
      // Retried below; the state says so.
    }
    if (signal.aborted) return
    setState('reconnecting')
    failures = Date.now() - since > LONGEST_RETRY ? 1 : failures + 1
    await wait(retryDelay(failures), signal)
  }
}

function open() {
  if (running) return
  running = new AbortController()
  void run(running.signal)
}

function close() {
  running?.abort()
  running = undefined
}

let started = false

/** Called once the user is signed in. A tab that is hidden for long closes its stream. */
export async function startLiveUpdates(): Promise<void> {
  if (started) return
  started = true
  if (!(await answeredCapabilities()).events) return
  open()
  let hiding: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(close, HIDDEN_FOR)
    else open()
  })
}
