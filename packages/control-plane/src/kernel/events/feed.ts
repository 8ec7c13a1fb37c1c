import { EVENT_STREAMS_MAX } from '@steading/api/rules'
import { type Selectable, sql } from 'kysely'
import { afterAbout } from '../beat.ts'
import type { Db, Dialect } from '../db/database.ts'
import type { EventTable } from '../db/schema.ts'
import { fail } from '../errors.ts'
import { type Instrumentation, noInstrumentation } from '../instrumentation.ts'
import type { Settings } from '../settings.ts'

export type EventRow = Selectable<EventTable>

/** The position of one follower among the events of a feed. */
export interface Follower {
  /**
   * The events since the last call, at most a batch; empty if there are no new ones, and `reset` if
   * the feed no longer holds some of them.
   */
  take: () => readonly EventRow[] | 'reset'
  leave: () => void
}

export interface Following {
  /** Undefined for the server itself, which follows without a limit. */
  userId: string | undefined
  /** Id of the last event that the follower received; undefined starts with the next event. */
  after?: number
  /** Called when there may be events to take. */
  wake: () => void
  /** Called when the feed closes. */
  close: () => void
}

/**
 * Passes the events of the outbox to followers. One reader serves all of them: it holds the newest
 * events in memory, and followers take them from there. Commits of this process wake the reader at
 * once; a slow poll finds commits of other processes.
 */
export interface EventFeed {
  /** Wakes the reader after a commit. */
  notify: () => void
  /**
   * Adds a follower. It receives every event that is committed after the promise resolved.
   * @throws ApiError 429 if the user already has as many followers as allowed
   */
  follow: (following: Following) => Promise<Follower>
  /** The number of followers. */
  followers: () => number
  /** The age in seconds of the oldest event that followers have not received. */
  lag: (now: Date) => Promise<number>
  /** Ends all followers. */
  close: () => void
}

/** Events held in memory; a follower further behind has to start afresh. */
const EVENTS_HELD = 4096
const BATCH = 512
/**
 * Milliseconds between two reads without a notice. SQLite has one server, and the other programs that
 * write to its database, such as that for forgotten passwords, seldom do.
 */
const POLL_MS: Record<Dialect, number> = { postgres: 1_000, sqlite: 5_000 }
/** Milliseconds before a read that failed is tried again. */
const RETRY_MS = 1_000
/** Delay before the next read when an open transaction holds back later events. Milliseconds. */
const SETTLING_MS = 20
/**
 * Pause after a read, in milliseconds per follower. Waking a follower takes about a tenth of that,
 * so with many followers the events of a busy time are sent in larger batches.
 */
const PAUSE_PER_FOLLOWER_MS = 0.2

type FeedPosition = Pick<EventRow, 'tx' | 'id'>

/** Queries for the events in commit order. */
const commitOrder = {
  /**
   * In the order of transactions, and only events whose transaction is older than every open one.
   * Events of open or later transactions then come after all events read so far.
   */
  postgres: {
    columns: ['tx', 'id'] as const,
    settled: sql<boolean>`tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
    after: ({ tx, id }: FeedPosition) => sql<boolean>`(tx, id) > (${tx}, ${id})`,
  },
  /** There is one writer, so events are committed in the order of their ids. */
  sqlite: {
    columns: ['id'] as const,
    settled: sql<boolean>`true`,
    after: ({ id }: FeedPosition) => sql<boolean>`id > ${id}`,
  },
}

function createReader(db: Db, dialect: Dialect) {
  const order = commitOrder[dialect]
  const rows = db.selectFrom('event').selectAll().select(order.settled.as('settled'))
  return {
    async newest(count: number): Promise<EventRow[]> {
      let newest = rows.where(order.settled).limit(count)
      for (const column of order.columns) newest = newest.orderBy(column, 'desc')
      return (await newest.execute()).toReversed()
    },
    /** The events after a position, and whether later ones exist that must not be read yet. */
    async after(position: FeedPosition) {
      let later = rows.where(order.after(position)).limit(BATCH)
      for (const column of order.columns) later = later.orderBy(column)
      const found = await later.execute()
      const events = found.filter((row) => row.settled)
      return { events, unsettled: events.length < found.length, full: found.length === BATCH }
    },
  }
}

/** Not below zero, even if the clocks of servers differ. */
const secondsSince = ({ time }: Pick<EventRow, 'time'>, now: Date): number =>
  Math.max(0, (now.getTime() - Date.parse(time)) / 1000)

export function createEventFeed(
  db: Db,
  dialect: Dialect,
  log: Settings['log'],
  measures: Pick<Instrumentation, 'eventsRead'> = noInstrumentation,
): EventFeed {
  const reader = createReader(db, dialect)
  const followers = new Set<Following>()
  /** The newest events, oldest first. */
  let held: EventRow[] = []
  /** Number of events that were read and are no longer held. */
  let passed = 0
  /** The last event that was read. */
  let last: FeedPosition = { tx: 0, id: 0 }
  /** Whether events are held: from the arrival of the first follower until the last one leaves. */
  let loaded = false
  let reading: Promise<void> | undefined
  /** A read that is scheduled and has not begun. */
  let upcoming: Promise<void> | undefined
  /** Whether something was committed since the last read began. */
  let dirty = false
  let pausedUntil = 0
  let endSleep = (): void => {}
  let failing = false
  let closed = false

  const end = () => passed + held.length

  const hold = (events: EventRow[]) => {
    if (events.length === 0) return
    last = events.at(-1)!
    measures.eventsRead(events.length, secondsSince(events[0]!, new Date()))
    held.push(...events)
    const over = held.length - EVENTS_HELD
    if (over <= 0) return
    held = held.slice(over)
    passed += over
  }

  /** @returns milliseconds until the next read */
  const readAll = async (): Promise<number> => {
    if (!loaded) {
      const newest = await reader.newest(EVENTS_HELD)
      passed = end()
      held = newest
      last = newest.at(-1) ?? { tx: 0, id: 0 }
      loaded = true
    }
    for (;;) {
      dirty = false
      const { events, unsettled, full } = await reader.after(last)
      // The last follower left during the read.
      if (!loaded) return 0
      hold(events)
      if (events.length > 0) {
        for (const { wake } of followers) wake()
        pausedUntil = performance.now() + followers.size * PAUSE_PER_FOLLOWER_MS
      }
      if (unsettled) return SETTLING_MS
      if (!full) return dirty ? 0 : POLL_MS[dialect]
    }
  }

  const read = (): Promise<void> => {
    endSleep()
    reading = readAll()
      .then(
        (wait) => {
          failing = false
          return wait
        },
        (error: unknown) => {
          if (!failing) log('reading events failed; trying again', error)
          failing = true
          return RETRY_MS
        },
      )
      .then((wait) => {
        reading = undefined
        if (followers.size > 0 && !closed) sleep(wait)
      })
    return reading
  }

  const sleep = (ms: number) => {
    endSleep()
    endSleep = afterAbout(Math.max(ms, pausedUntil - performance.now()), read)
  }

  /** Reads everything that is committed by now. */
  const catchUp = (): Promise<void> =>
    (upcoming ??= (reading ?? Promise.resolve()).then(() => {
      upcoming = undefined
      return read()
    }))

  const stop = () => {
    endSleep()
    loaded = false
    passed = end()
    held = []
  }

  return {
    notify() {
      dirty = true
      if (!reading && followers.size > 0 && !closed) sleep(0)
    },

    async follow(following) {
      const { userId, after } = following
      let own = 0
      for (const other of followers) if (other.userId === userId) own++
      if (userId !== undefined && own >= EVENT_STREAMS_MAX) {
        throw fail.tooManyRequests(`a user can follow events ${EVENT_STREAMS_MAX} times at once`)
      }
      followers.add(following)
      const leave = () => {
        if (followers.delete(following) && followers.size === 0) stop()
      }
      try {
        await catchUp()
      } catch (error) {
        leave()
        throw error
      }
      const had = after === undefined ? -1 : held.findLastIndex(({ id }) => id === after)
      let lost = after !== undefined && had < 0
      let next = had < 0 ? end() : passed + had + 1
      return {
        take() {
          if (lost || next < passed) {
            lost = false
            next = end()
            return 'reset'
          }
          const events = held.slice(next - passed, next - passed + BATCH)
          next += events.length
          return events
        },
        leave,
      }
    },

    followers: () => [...followers].filter(({ userId }) => userId !== undefined).length,

    async lag(now) {
      if (!loaded) return 0
      const { events } = await reader.after(last)
      return events[0] ? secondsSince(events[0], now) : 0
    },

    close() {
      closed = true
      endSleep()
      for (const { close } of followers) close()
    },
  }
}
