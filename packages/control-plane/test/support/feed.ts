import type { Db } from '../../src/kernel/db/database.ts'
import type { EventFeed } from '../../src/kernel/events/feed.ts'

/** Writes arbitrary events. */
export async function commitEvents(db: Db, count: number): Promise<number[]> {
  const event = {
    time: '2030-01-01T00:00:00Z',
    resource: 'projects',
    action: 'create' as const,
    resource_id: '',
    name: '',
    silo_id: null,
    project_id: null,
    user_id: null,
  }
  const rows = await db
    .insertInto('event')
    .values(Array.from({ length: count }, () => event))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export interface FollowerOfTest {
  /** The ids of the next events, once there are any. */
  next: () => Promise<number[] | 'reset' | 'end'>
  leave: () => void
}

/** Follows a feed as an event stream does. */
export async function followFeed(
  feed: EventFeed,
  after?: number,
  userId = 'a user',
): Promise<FollowerOfTest> {
  let woken = Promise.withResolvers<void>()
  let ended = false
  const wake = () => woken.resolve()
  const close = () => {
    ended = true
    wake()
  }
  const { take, leave } = await feed.follow({ userId, after, wake, close })
  return {
    leave,
    async next() {
      for (;;) {
        woken = Promise.withResolvers()
        if (ended) return 'end'
        const events = take()
        if (events === 'reset') return events
        if (events.length > 0) return events.map(({ id }) => id)
        await woken.promise
      }
    },
  }
}
