import { sendingStopped } from '../ui/server-state.ts'
import { createStore } from '../ui/store.ts'
import { client } from './client.ts'
import { retryDelay, wait } from './throttle.ts'

/** Longest pause between two connection attempts, in milliseconds. */
const LONGEST_PAUSE = 5000
/** Number of failures beyond which {@link retryDelay} would exceed that. */
const LONGEST_FAILURES = 4
/** Timeout of a ping, in milliseconds. */
const PATIENCE = 5000

/** Statuses from a proxy that cannot reach the control plane. */
export const unreachableStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/** Time of the last contact while the control plane is unreachable. Otherwise undefined. */
const lost = createStore<number | undefined>(undefined)
export const useConnectionLost = lost.useValue
export const isConnectionLost = (): boolean => lost.get() !== undefined

let lastContact = Date.now()
/** Subscribers to the loss and return of the connection. */
const listeners = new Set<(isLost: boolean) => void>()

/**
 * Calls back each time the connection is lost or restored.
 * @returns unsubscribes
 */
export function onConnection(listener: (isLost: boolean) => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Resolves once the control plane is reachable, or once aborted. */
export function whenReachable(signal?: AbortSignal): Promise<void> {
  if (!isConnectionLost() || signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      stop()
      resolve()
    }
    const stop = onConnection((isLost) => isLost || done())
    signal?.addEventListener('abort', done)
  })
}

/** Records a sign of life of the control plane. */
export function noteContact(): void {
  lastContact = Date.now()
  if (!isConnectionLost()) return
  lost.set(undefined)
  sendingStopped.set(undefined)
  nudge()
  listeners.forEach((listener) => listener(false))
}

function setLost() {
  if (isConnectionLost()) return
  lost.set(lastContact)
  sendingStopped.set('There is no connection to the server')
  listeners.forEach((listener) => listener(true))
}

let nudge = () => {}

/** Retries the connection at once, without waiting for the current pause. */
export const retryNow = (): void => nudge()

/** Whether the control plane answers a ping. */
export async function answersPing(): Promise<boolean> {
  // The browser knows before any request fails.
  if (!navigator.onLine) return false
  try {
    const { type, status } = await client.ping({}, { signal: AbortSignal.timeout(PATIENCE) })
    return type !== 'client_error' || !unreachableStatuses.has(status)
  } catch {
    return false
  }
}

let watching = false

/**
 * Handles a call without an answer. The connection counts as lost only if a ping fails as well;
 * then pings repeat until one is answered.
 */
export async function checkConnection(): Promise<void> {
  if (watching) return
  watching = true
  for (let failures = 1; !(await answersPing()); failures++) {
    setLost()
    const nudged = new Promise<void>((resolve) => (nudge = resolve))
    const pause = Math.min(retryDelay(Math.min(failures, LONGEST_FAILURES)), LONGEST_PAUSE)
    await Promise.race([wait(pause), nudged])
  }
  watching = false
  noteContact()
}

globalThis.addEventListener?.('offline', () => void checkConnection())
globalThis.addEventListener?.('online', () => nudge())
