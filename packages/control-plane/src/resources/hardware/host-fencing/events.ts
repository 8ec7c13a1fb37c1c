/** The story of a host that did not answer, as events in their order. */
import {
  type FencingMethod,
  type FencingState,
  type HostEventKind,
  hostEventSentences,
  HOST_EVENTS_SHOWN,
  HOST_STORY_SHOWN_MS,
  instanceEventSentences,
  instanceWaits,
} from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import type { HostEventTable } from './table.ts'

type EventRow = Selectable<HostEventTable>

/** Where events belong: a host, and its present silence. */
export interface Incident {
  host_id: string
  incident: string
}

interface Details {
  detail?: string | null
  instance?: Pick<Row<'instance'>, 'id' | 'name'>
  /** Serial number. */
  sled?: string | null
}

export async function recordHostEvent(
  db: Db,
  now: Date,
  { host_id, incident }: Incident,
  kind: HostEventKind,
  { detail = null, instance, sled = null }: Details = {},
): Promise<void> {
  await db
    .insertInto('host_event')
    .values({
      id: crypto.randomUUID(),
      host_id,
      incident,
      position: sql<number>`(select coalesce(max(position), 0) + 1 from host_event where host_id = ${host_id})`,
      kind,
      detail,
      instance_id: instance?.id ?? null,
      instance_name: instance?.name ?? null,
      sled,
      time: now.toISOString(),
    })
    .execute()
}

/** Events at the same position were written at the same moment by two transactions. */
const inOrder = (rows: EventRow[]): EventRow[] =>
  rows.toSorted(
    (one, other) =>
      one.position - other.position ||
      one.time.localeCompare(other.time) ||
      one.id.localeCompare(other.id),
  )

export const lastEventOf = (db: Db, instanceId: string): Promise<EventRow | undefined> =>
  db
    .selectFrom('host_event')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .orderBy('time', 'desc')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Records that an instance ended with its host, which is proven dead. */
export async function recordLoss(db: Db, now: Date, row: Row<'instance'>): Promise<void> {
  const lost = await incidentOf(db, row.sled_id)
  if (lost) await recordHostEvent(db, now, lost, 'instance_lost', { instance: row })
}

/** Continues the story of an instance that ended with its host; others have none. */
export async function recordReturn(
  db: Db,
  now: Date,
  row: Pick<Row<'instance'>, 'id' | 'name'>,
  kind: 'instance_restarted' | 'instance_running',
  sledId: string | null,
): Promise<void> {
  const last = await lastEventOf(db, row.id)
  const follows = kind === 'instance_restarted' ? 'instance_lost' : 'instance_restarted'
  if (last?.kind !== follows) return
  const sled = await findRow(db, 'sled', sledId, 'name')
  await recordHostEvent(db, now, last, kind, { instance: row, sled: sled?.name ?? null })
}

/** The present silence of the host of a sled. */
export async function incidentOf(
  db: Db,
  sledId: string | null,
): Promise<(Incident & { name: string; state: FencingState; method: FencingMethod }) | undefined> {
  if (sledId === null) return undefined
  const found = await db
    .selectFrom('host')
    .innerJoin('host_fencing', 'host_fencing.id', 'host.id')
    .select(['host.id as host_id', 'host.name'])
    .select(['host_fencing.incident', 'host_fencing.state', 'host_fencing.method'])
    .where('host.sled_id', '=', sledId)
    .where('host.time_deleted', 'is', null)
    .where('host_fencing.state', '!=', 'idle')
    .executeTakeFirst()
  return found && found.incident !== null ? { ...found, incident: found.incident } : undefined
}

/** The newest events of a host, the first ones first. */
export async function storyOf(db: Db, hostId: string): Promise<Wire.HostStory> {
  const rows = await db
    .selectFrom('host_event')
    .selectAll()
    .where('host_id', '=', hostId)
    .orderBy('position', 'desc')
    .limit(HOST_EVENTS_SHOWN)
    .execute()
  return {
    events: inOrder(rows).map(({ time, kind, detail, instance_name, sled }) => ({
      time_recorded: time,
      kind,
      sentence: hostEventSentences[kind]({ detail, instance: instance_name, sled }),
    })),
  }
}

/** Why an instance on a host waits; null if it does not. */
const waitOf = ({ state, method }: { state: FencingState; method: FencingMethod }) =>
  state === 'suspect'
    ? instanceWaits.suspect
    : state === 'fencing'
      ? instanceWaits[method === 'leases' ? 'leases' : 'fencing']
      : null

/** Why the instances on a sled wait for its host; null if they do not. */
export async function hostWaitOf(db: Db, sledId: string | null): Promise<string | null> {
  const present = await incidentOf(db, sledId)
  return present ? waitOf(present) : null
}

/**
 * The events of the last silence of a host that an instance was on, without those of others.
 * @returns null if the last one was long ago
 */
export async function storyOfInstance(
  db: Db,
  now: Date,
  { id, sled_id }: Pick<Row<'instance'>, 'id' | 'sled_id'>,
): Promise<Wire.InstanceHostStory | null> {
  const present = await incidentOf(db, sled_id)
  const incident = present?.incident ?? (await lastEventOf(db, id))?.incident
  if (incident === undefined) return null
  const rows = await db
    .selectFrom('host_event')
    .selectAll()
    .where('incident', '=', incident)
    .where((eb) => eb.or([eb('instance_id', 'is', null), eb('instance_id', '=', id)]))
    .orderBy('position', 'desc')
    .limit(HOST_EVENTS_SHOWN)
    .execute()
  const last = rows[0]
  if (!last) return null
  if (!present && now.getTime() - Date.parse(last.time) > HOST_STORY_SHOWN_MS) return null
  return {
    waiting: present ? waitOf(present) : null,
    events: inOrder(rows).map(({ time, kind }) => ({
      time_recorded: time,
      kind,
      sentence: instanceEventSentences[kind],
    })),
  }
}

const PIECE = 200

/** Removes old events in small transactions. */
export async function purgeHostEvents(
  db: Db,
  before: string,
  isActive: () => boolean,
): Promise<void> {
  for (let more = true; more && isActive();) {
    const { numAffectedRows } = await sql`
      delete from host_event where id in (
        select id from host_event where time < ${before} limit ${PIECE})`.execute(db)
    more = Number(numAffectedRows ?? 0) === PIECE
    await yieldToEventLoop()
  }
}
