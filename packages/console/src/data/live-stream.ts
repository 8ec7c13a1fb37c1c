import { camel, type MethodName } from '@steading/api/client'
import { kindNames, kindTable, isUuid, staleReads } from '@steading/api/rules'
import type { Query } from '@tanstack/react-query'
import { createParser } from 'eventsource-parser'
import { operationsOf, queryClient } from './api.ts'
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
import { LONGEST_RETRY, retryDelay, wait } from './throttle.ts'
import { followRows } from '../ui/row-motion.ts'
import { followSession, isSessionEnded, signedInAgain } from './session-end.ts'

/**
 * Resource of an event → the reads that it makes stale, and the argument that names one item.
 * Reads of other items stay: when one of fifty instances starts, the addresses of the other 49
 * must not be read again.
 */
const liveResources: Record<string, { reads: MethodName[]; argument: string }> = {}
for (const kind of kindNames) {
  const { resource } = kindTable[kind]
  // Two kinds may be views of the same items.
  const { reads: known = [] } = liveResources[resource] ?? {}
  liveResources[resource] = {
    reads: [
      ...new Set([...known, ...(operationsOf([staleReads(kind).map(camel)]) as MethodName[])]),
    ],
    argument: camel(kind),
  }
}

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

type Change = {
  time?: string
  resource: string
  action?: string
  resource_id?: string | null
  name?: string | null
  author?: { display_name: string } | null
}
type NamedArgs = Record<'path' | 'query', Record<string, unknown> | undefined> | undefined

let changed: Change[] = []
let everything = false
let flushing: ReturnType<typeof setTimeout> | undefined
/** Number of refetches in close succession, and the time of the last. */
let streak = 0
let flushed = 0

/** Whether a change makes an answer stale, judged by operation and item. */
export function makesStale(
  { resource, action, resource_id, name }: Change,
  queryKey: readonly unknown[],
) {
  const live = liveResources[resource]
  if (!live) return false
  const operations = operationsOf(queryKey)
  if (!operations.some((name) => live.reads.includes(name as MethodName))) return false
  const [, args] = queryKey
  const { path, query } = (args as NamedArgs) ?? {}
  const about = path?.[live.argument] ?? path?.thing ?? query?.[live.argument]
  if (!about || (!resource_id && !name)) return true
  if (about !== resource_id && about !== name) return false
  // A deleted item refetches only its own page, which reports the deletion; rows go with their
  // list, and tags and notes with the item.
  return action !== 'delete' || (operations[0]!.endsWith('View') && !path?.thing)
}

/**
 * The argument that a deletion or renaming invalidates: the only one in its path, e.g.
 * `['silo', 'guild']`.
 */
function removedBy(
  { mutationKey: [operation] = [] }: { mutationKey?: readonly unknown[] },
  args: unknown,
) {
  const { path, body } = (args ?? {}) as { path?: object; body?: { name?: unknown } }
  const named = Object.entries(path ?? {})
  const [thing] = named
  if (!thing || named.length > 1) return undefined
  if (String(operation).endsWith('Delete')) return thing
  const renames =
    String(operation).endsWith('Update') &&
    typeof body?.name === 'string' &&
    body.name !== thing[1] &&
    !isUuid(String(thing[1]))
  return renames ? thing : undefined
}

/** Names are ambiguous without their argument; IDs identify an item in any argument. */
const isAbout = ([name, value]: [string, unknown], [, args]: readonly unknown[]): boolean => {
  const { path, query } = (args as NamedArgs) ?? {}
  const is = ([argument, other]: [string, unknown]) =>
    other === value && (argument === name || isUuid(String(value)))
  return Object.entries({ ...path }).some(is) || Object.entries({ ...query }).some(is)
}

/**
 * Whether this page deletes or renames the item of an answer, or has done so. The event may
 * come before the answer to the change, or before the item's page is left; a read would then
 * find nothing.
 */
export const isRemovedHere = ({ queryKey, state: { dataUpdatedAt } }: Query): boolean =>
  queryClient
    .getMutationCache()
    .getAll()
    .some(({ options, state: { status, variables, submittedAt } }) => {
      // A newer answer is about another item of the same name.
      if (status === 'error' || dataUpdatedAt > submittedAt) return false
      const thing = removedBy(options, variables)
      return thing !== undefined && isAbout(thing, queryKey)
    })

/**
 * Makes answers stale, and refetches the visible ones. A read in flight may have been answered before
 * the change, and its success would make the answer fresh again. Only the read of a visible answer
 * that has data begins anew by itself; each other read is followed by another.
 */
export function refetchStale(predicate: (query: Query) => boolean): void {
  for (const query of queryClient.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' })) {
    if (query.isActive() && query.state.data !== undefined) continue
    const again = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
    query.promise?.then(again, () => {})
  }
  void queryClient.invalidateQueries({ predicate })
}

/** After a failed deletion or renaming, refetches its item, whose events were ignored meanwhile. */
const readAfterFailedRemovals = () =>
  queryClient.getMutationCache().subscribe(({ type, mutation }) => {
    if (type !== 'updated' || mutation.state.status !== 'error') return
    const thing = removedBy(mutation.options, mutation.state.variables)
    if (!thing) return
    refetchStale(({ queryKey }) => isAbout(thing, queryKey))
  })

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

setLiveReads(Object.values(liveResources).flatMap(({ reads }) => reads))

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
