import { createParser } from 'eventsource-parser'
import { queryClient } from './query-client.ts'
import {
  noteContact,
  isConnectionLost,
  checkConnection,
  onConnection,
  whenReachable,
} from './connection.ts'
import { type EventStream, HeldBackError, openEventStream } from './event-stream.ts'
import { leaving } from './client.ts'
import { isLive, isLiveRead, POLL_MS, setLiveReads, setLiveState, recordDeletion } from './live.ts'
import {
  type Change,
  isRemovedHere,
  liveReads,
  makesStale,
  readAfterFailedRemovals,
  refetchStale,
} from './stale.ts'
import { LONGEST_RETRY, retryDelay, wait } from './throttle.ts'
import { followRows } from '../ui/row-motion.ts'
import { followSession, isSessionEnded, signedInAgain } from './session-end.ts'

/**
 * Live updates: one event stream for the whole page, read with fetch instead of EventSource, so
 * that a host in the browser can answer it. Control planes without events are polled instead.
 */

const COALESCE = 100
/** The same during bursts of changes, such as a job. */
const COALESCE_BUSY = 1000
const BUSY_AFTER = 5
const HIDDEN_FOR = 30_000
/** A stream silent for this long is dead; the control plane writes every 15 s. */
const SILENT_FOR = 40_000
/** Number of failures in a row after which the page polls, instead of showing that it reconnects. */
const POLLING_AFTER = 3
/** Milliseconds between checks for answers that are old enough to be reread. */
const POLL_CHECK_MS = 2_500

let changed: Change[] = []
let everything = false
let flushing: ReturnType<typeof setTimeout> | undefined
/** Number of refetches in close succession, and the time of the last. */
let streak = 0
let flushed = 0

/** Changes that arrive together cause one refetch of each list on the screen. */
function flush() {
  flushing = undefined
  streak++
  flushed = Date.now()
  const [changes, all] = [changed, everything]
  changed = []
  everything = false
  refetchStale(
    (query) =>
      (all || changes.some((change) => makesStale(change, query.queryKey))) &&
      !isRemovedHere(query),
  )
}

function onEvent(event: string | undefined, data: string) {
  if (event === 'reset') everything = true
  else if (event === 'change') {
    const change = JSON.parse(data) as Change
    changed.push(change)
    const { action, resource_id, time, author } = change
    if (action === 'delete' && resource_id) {
      recordDeletion(resource_id, {
        time: time ? new Date(time) : new Date(),
        by: author?.display_name,
      })
    }
  } else return
  if (Date.now() - flushed > COALESCE_BUSY) streak = 0
  flushing ??= setTimeout(flush, streak < BUSY_AFTER ? COALESCE : COALESCE_BUSY)
}

setLiveReads(liveReads)

/** Refetches answers older than the stream, which may have changed in between. */
function refetchOlderThan(time: number) {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey, state: { data, dataUpdatedAt } }) =>
      isLiveRead(queryKey) && data !== undefined && dataUpdatedAt < time,
  })
}

/**
 * Without live updates, reads what the page shows once it is old enough. Pages with an interval of
 * their own read some of it earlier.
 */
export function pollReads(): void {
  setInterval(() => {
    if (isLive() || document.hidden || isConnectionLost() || isSessionEnded()) return
    const time = Date.now() - POLL_MS
    void queryClient.refetchQueries(
      {
        type: 'active',
        predicate: (query) =>
          isLiveRead(query.queryKey) &&
          query.state.data !== undefined &&
          Math.max(query.state.dataUpdatedAt, query.state.errorUpdatedAt) <= time &&
          !isRemovedHere(query),
      },
      // A slow answer is waited for.
      { cancelRefetch: false },
    )
  }, POLL_CHECK_MS)
}

let lastEventId: string | undefined
let running: AbortController | undefined

/**
 * Calls back after a long silence.
 * @returns a function to call when something arrives
 */
function watchSilence(signal: AbortSignal, silent: () => void) {
  let timer: ReturnType<typeof setTimeout>
  const arrived = () => {
    clearTimeout(timer)
    if (!signal.aborted) timer = setTimeout(silent, SILENT_FOR)
  }
  signal.addEventListener('abort', () => clearTimeout(timer))
  return arrived
}

async function readStream(opening: Promise<EventStream>, signal: AbortSignal): Promise<void> {
  const { first, rest, openedAt } = await opening
  // With an ID to resume from, the stream begins with the missed events.
  if (!lastEventId) refetchOlderThan(openedAt)
  const decoder = new TextDecoder()
  const parser = createParser({
    onEvent: ({ event, data, id }) => {
      if (id) lastEventId = id
      onEvent(event, data)
    },
  })
  const stop = () => void rest.cancel().catch(() => {})
  signal.addEventListener('abort', stop)
  const end = new AbortController()
  const arrived = watchSilence(AbortSignal.any([signal, end.signal]), () => {
    void checkConnection()
    stop()
  })
  try {
    for (let bytes: Uint8Array | undefined = first; bytes && !signal.aborted;) {
      arrived()
      noteContact()
      setLiveState('live')
      if (isSessionEnded()) signedInAgain()
      parser.feed(decoder.decode(bytes, { stream: true }))
      bytes = (await rest.read()).value
    }
  } finally {
    end.abort()
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/**
 * Resolves once the user has signed in again, or after a delay, because that may happen in
 * another tab.
 */
async function whenSignedIn(signal: AbortSignal): Promise<void> {
  const end = new AbortController()
  const stop = followSession(() => end.abort())
  await wait(LONGEST_RETRY, AbortSignal.any([signal, end.signal]))
  stop()
}

async function run(signal: AbortSignal, first?: Promise<EventStream>) {
  let opened = first
  let failures = 0
  while (!signal.aborted) {
    const since = Date.now()
    let heldBack = false
    const lost = new AbortController()
    const stop = onConnection((isLost) => isLost && lost.abort())
    try {
      const until = AbortSignal.any([signal, lost.signal])
      await readStream(opened ?? openEventStream(until, lastEventId), until)
    } catch (error) {
      // Retried below; the state shows the failure.
      heldBack = error instanceof HeldBackError
    }
    opened = undefined
    stop()
    if (signal.aborted) return
    failures = Date.now() - since > LONGEST_RETRY ? 1 : failures + 1
    setLiveState(heldBack || failures > POLLING_AFTER ? 'polling' : 'reconnecting')
    // Distinguishes the end of the stream from an unreachable control plane.
    if (!lost.signal.aborted) void checkConnection()
    await wait(retryDelay(failures), signal)
    if (isSessionEnded()) await whenSignedIn(signal)
    if (!isConnectionLost()) continue
    await whenReachable(signal)
    failures = 0
  }
}

function open(first?: Promise<EventStream>) {
  if (running) return
  running = new AbortController()
  void run(AbortSignal.any([running.signal, leaving]), first)
}

function close() {
  running?.abort()
  running = undefined
}

/**
 * Reads the stream, and reopens it whenever it ends. A tab hidden for long closes it.
 * @param first the stream as opened
 */
export function followEvents(first: Promise<EventStream>): void {
  open(first)
  readAfterFailedRemovals()
  followRows()
  let hiding: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(close, HIDDEN_FOR)
    else open()
  })
}

export const isFollowing = (): boolean => running !== undefined
