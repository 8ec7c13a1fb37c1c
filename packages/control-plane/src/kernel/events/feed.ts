import type { Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { EventTable } from '../db/schema.ts'

export type EventRow = Selectable<EventTable>
export type Events = AsyncGenerator<EventRow[] | 'reset', void>

/**
 * Reads the outbox for everybody who follows it. Commits of this process wake the readers at once;
 * those of other processes are seen by a slow poll.
 */
export interface EventFeed {
  /** Something was committed. */
  notify: () => void
  /**
   * Events after an id, for ever, in batches; `reset` when that id is no longer in the outbox.
   * Whatever is committed after the promise resolved will be told.
   * @param after undefined starts with what happens from now on
   */
  follow: (after: number | undefined, signal: AbortSignal) => Promise<Events>
  /** Ends all readers. */
  close: () => void
}

/**
 * Ids are given out before commit, so with several writers a lower id can appear after a higher
 * one. Readers look back this far and skip what they have had.
 */
const LOOK_BACK = 64
const BATCH = 500
const POLL_MS = 1_000

export function createEventFeed(db: Db): EventFeed {
  const closing = new AbortController()
  let waiters = new Set<() => void>()
  const wakeAll = () => {
    const woken = waiters
    waiters = new Set()
    for (const wake of woken) wake()
  }

  const changed = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        waiters.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, POLL_MS)
      signal.addEventListener('abort', wake)
      waiters.add(wake)
    })

  const edge = async (which: 'max' | 'min'): Promise<number> => {
    const row = await db
      .selectFrom('event')
      .select((eb) => eb.fn<number | null>(which, ['id']).as('id'))
      .executeTakeFirst()
    return Number(row?.id ?? 0)
  }

  async function follow(after: number | undefined, signal: AbortSignal): Promise<Events> {
    const newest = await edge('max')
    const lost = after !== undefined && (after > newest || after + 1 < (await edge('min')))
    const start = after === undefined || lost ? newest : after
    const had = await db
      .selectFrom('event')
      .select('id')
      .where('id', '>', start - LOOK_BACK)
      .where('id', '<=', start)
      .execute()
    return read(start, new Set(had.map((row) => row.id)), lost, signal)
  }

  async function* read(
    start: number,
    had: Set<number>,
    lost: boolean,
    signal: AbortSignal,
  ): Events {
    const done = AbortSignal.any([signal, closing.signal])
    if (lost) yield 'reset'
    let last = start
    while (!done.aborted) {
      // Listening starts before reading, so that a commit in between is not slept through.
      const woken = changed(done)
      const rows = await db
        .selectFrom('event')
        .selectAll()
        .where('id', '>', last - LOOK_BACK)
        .orderBy('id')
        .limit(BATCH)
        .execute()
      const fresh = rows.filter((row) => !had.has(row.id))
      if (fresh.length > 0) {
        for (const { id } of fresh) had.add(id)
        last = Math.max(last, fresh.at(-1)!.id)
        for (const id of had) if (id < last - LOOK_BACK) had.delete(id)
        yield fresh
      } else {
        await woken
      }
    }
  }

  return {
    notify: wakeAll,
    follow,
    close: () => {
      closing.abort()
      wakeAll()
    },
  }
}
