/** Reads server-sent events from a response. */
import { kindTable } from '@steading/api'
import { sql } from 'kysely'
import { expect, inject, vi } from 'vitest'
import type { Db } from '../../src/kernel/db/database.ts'

/** The events of changes, without the notifications of issues, which the server notices at any time. */
export const changeEvents = (db: Db) =>
  db.selectFrom('event').where('resource', '!=', kindTable.silo_notification.resource)

/**
 * Waits until the feed may read all existing events. PostgreSQL holds back events that are younger
 * than an open transaction of any database of the same server, and a stream opened meanwhile would
 * begin with them.
 */
export async function eventsSettled(db: Db): Promise<void> {
  if (inject('dialect') === 'sqlite') return
  const young = db
    .selectFrom('event')
    .select('id')
    .where(sql<boolean>`tx >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint`)
    .limit(1)
  await expect.poll(() => young.executeTakeFirst(), { interval: 5 }).toBeUndefined()
}

/**
 * Waits for the event of a new server's first look at the software of the rack, which viewers of
 * the fleet see.
 */
export async function rackLookedAt(db: Db): Promise<void> {
  const first = db.selectFrom('event').select('id').where('resource', '=', 'updates').limit(1)
  await vi.waitFor(async () => expect(await first.executeTakeFirst()).toBeDefined(), {
    interval: 5,
    timeout: 120_000,
  })
}

export interface ServerEvent {
  id?: string
  event?: string
  data: unknown
}

/** The part of a change that tests look at. */
export interface Change {
  id: number
  time: string
  resource: string
  action: string
  resource_id: string
  name: string
  project_id: string | null
  silo_id: string | null
  author: { id: string; display_name: string } | null
}

export class EventStream {
  readonly response: Response
  readonly #reader: ReadableStreamDefaultReader<string>
  #text = ''

  constructor(response: Response) {
    this.response = response
    this.#reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  }

  /** The next block of lines; undefined at the end of the stream. */
  async block(): Promise<string[] | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end >= 0) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        return block.split('\n')
      }
      const { value, done } = await this.#reader.read()
      if (done) return undefined
      this.#text += value
    }
  }

  /** The next event; comments and settings are skipped. */
  async next(): Promise<ServerEvent | undefined> {
    for (;;) {
      const lines = await this.block()
      if (!lines) return undefined
      const fields = Object.fromEntries(
        lines.map((line) => {
          const colon = line.indexOf(': ')
          return [line.slice(0, colon), line.slice(colon + 2)]
        }),
      )
      if (fields.data !== undefined) return { ...fields, data: JSON.parse(fields.data) as unknown }
    }
  }

  /** The next change. */
  async change(): Promise<Change> {
    const { event, data } = (await this.next()) ?? {}
    if (event !== 'change') throw new Error(`expected a change, but there was ${event}`)
    return data as Change
  }

  /** The next change of a resource; earlier changes are skipped. */
  async changeOf(resource: string): Promise<Change> {
    for (;;) {
      const { event, data } = (await this.next())!
      const change = data as Change
      if (event === 'change' && change.resource === resource) return change
    }
  }

  /** Reads the remaining events to the end of the stream. */
  async end(): Promise<void> {
    while (await this.block());
  }

  close(): Promise<void> {
    return this.#reader.cancel()
  }
}
