import { createStore } from '../ui/store.ts'
import { operationsOf } from './api.ts'

/**
 * State of live updates for pages. The stream of events itself (`live-stream.ts`) is handled
 * after the first paint, so its code is not part of the start (`live-updates.ts`).
 */
export type LiveState = 'opening' | 'live' | 'reconnecting' | 'polling'

const { get, set, useValue: useLiveState } = createStore<LiveState>('opening')
export { set as setLiveState, useLiveState }

export const isLive = (): boolean => get() === 'live'

/** Milliseconds between reads of what a page shows, while there are no live updates. */
export const POLL_MS = 10_000

/** The polling interval without live events, else false. */
export function useLivePolling(interval: number): number | false {
  return useLiveState() === 'live' ? false : interval
}

let liveReads: ReadonlySet<string> = new Set()

/** @param reads operations whose answers a change can make stale */
export function setLiveReads(reads: Iterable<string>): void {
  liveReads = new Set(reads)
}

/** Whether a change can make a read stale; false until the stream's code is loaded. */
export const isLiveRead = (queryKey: readonly unknown[]): boolean =>
  operationsOf(queryKey).some((name) => liveReads.has(name))

export type Deletion = { time: Date; by: string | undefined }

const DELETIONS_KEPT = 1000
const deletions = new Map<string, Deletion>()

/** Time and author of an item's deletion, if that happened while this page was open. */
export const deletionOf = (id: string): Deletion | undefined => deletions.get(id)

const deletionListeners = new Set<(id: string) => void>()

/**
 * Calls back with the ID of each deleted item.
 * @returns unsubscribes
 */
export function onDeletion(listener: (id: string) => void): () => void {
  deletionListeners.add(listener)
  return () => {
    deletionListeners.delete(listener)
  }
}

/** Records a deletion, and notifies the pages. */
export function recordDeletion(id: string, deletion: Deletion): void {
  deletions.set(id, deletion)
  if (deletions.size > DELETIONS_KEPT) deletions.delete(deletions.keys().next().value!)
  deletionListeners.forEach((listener) => listener(id))
}
