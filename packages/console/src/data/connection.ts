import { sendingStopped } from '../ui/server-state.ts'
import { createStore } from '../ui/store.ts'
import { client } from './client.ts'
import { retryDelay, wait } from './pace.ts'

/** The longest pause between two attempts to reach the control plane, in milliseconds. */
const LONGEST_PAUSE = 5000
/** The failures after which {@link retryDelay} would exceed that. */
const LONGEST_FAILURES = 4
/** How long the control plane may take to answer a ping. Milliseconds. */
const PATIENCE = 5000

/** The answers of a proxy that does not reach the control plane. */
export const unreached: ReadonlySet<number> = new Set([502, 503, 504])

/** When the control plane was last heard of, if it cannot be reached now. Else undefined. */
const lost = createStore<number | undefined>(undefined)
export const useConnectionLost = lost.useValue
export const isConnectionLost = (): boolean => lost.get() !== undefined

let heardAt = Date.now()
/** Those who are told when the connection is lost, and when it is back. */
const listeners = new Set<(isLost: boolean) => void>()

/** Calls back each time the connection is lost or is back. @returns ends it */
export function onConnection(listener: (isLost: boolean) => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Resolves once the control plane can be reached, or once aborted. */
export function whenReached(signal?: AbortSignal): Promise<void> {
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

/** Something has arrived from the control plane. */
export function heard(): void {
  heardAt = Date.now()
  if (!isConnectionLost()) return
  lost.set(undefined)
  sendingStopped.set(undefined)
  nudge()
  listeners.forEach((listener) => listener(false))
}

function setLost() {
  if (isConnectionLost()) return
  lost.set(heardAt)
  sendingStopped.set('There is no connection to the server')
  listeners.forEach((listener) => listener(true))
}

let nudge = () => {}

/** Tries to reach the control plane at once, instead of after the present pause. */
export const tryNow = (): void => nudge()

/** Whether the control plane answers a ping. */
export async function isReached(): Promise<boolean> {
  // The browser knows before any request fails.
  if (!navigator.onLine) return false
  try {
    const { type, status } = await client.ping({}, { signal: AbortSignal.timeout(PATIENCE) })
    return type !== 'client_error' || !unreached.has(status)
  } catch {
    return false
  }
}

let watching = false

/**
 * A call got no answer. The connection counts as lost only if a ping gets none either; then the
 * control plane is pinged until it answers.
 */
export async function missed(): Promise<void> {
  if (watching) return
  watching = true
  for (let failures = 1; !(await isReached()); failures++) {
    setLost()
    const nudged = new Promise<void>((resolve) => (nudge = resolve))
    const pause = Math.min(retryDelay(Math.min(failures, LONGEST_FAILURES)), LONGEST_PAUSE)
    await Promise.race([wait(pause), nudged])
  }
  watching = false
  heard()
}

globalThis.addEventListener?.('offline', () => void missed())
globalThis.addEventListener?.('online', () => nudge())
