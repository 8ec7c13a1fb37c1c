/**
 * The sleds that belong to a rack. A change is a new version: it is in progress until all sleds
 * that it adds have acknowledged it, and only then are they used.
 */
import type { Wire } from '@steading/api'
import { hardwareMessages, sledName } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { BaseboardId } from '../../../kernel/ports/hardware.ts'
import type { Writing } from '../../../kernel/work.ts'
import { setRackAlarms, emitRackUpdate } from '../hardware/rack-alarm.ts'
import { seenIn } from '../hardware/unused-hardware.ts'
import type { RackMemberTable, RackMembershipTable } from './kind.ts'

export type Membership = Selectable<RackMembershipTable>
export type Member = Selectable<RackMemberTable>

const MAX_VERSION = 2 ** 31 - 1

/** The newest version of a rack, or a given one. */
export async function findMembership(
  db: Db,
  rackId: string,
  version?: number,
): Promise<Membership | undefined> {
  // The column has 32 bits, and PostgreSQL refuses to compare it with a larger number.
  if (version !== undefined && version > MAX_VERSION) return undefined
  const versions = db.selectFrom('rack_membership').selectAll().where('rack_id', '=', rackId)
  return version === undefined
    ? versions.orderBy('version', 'desc').limit(1).executeTakeFirst()
    : versions.where('version', '=', version).executeTakeFirst()
}

export const membersOf = (
  db: Db,
  { rack_id, version }: Pick<Membership, 'rack_id' | 'version'>,
): Promise<Member[]> =>
  db
    .selectFrom('rack_member')
    .selectAll()
    .where('rack_id', '=', rack_id)
    .where('version', '=', version)
    .orderBy('serial')
    .execute()

const toWireMember = ({ part, serial }: BaseboardId): Wire.BaseboardId => ({
  part_number: part,
  serial_number: serial,
})

/** @throws ApiError 404 if the rack has no such version */
export async function toWireMembership(
  db: Db,
  rackId: string,
  version?: number,
): Promise<Wire.RackMembershipStatus> {
  const membership = await findMembership(db, rackId, version)
  if (!membership) throw fail.notFoundGeneric(hardwareMessages.noMembership)
  const members = await membersOf(db, membership)
  return {
    rack_id: rackId,
    version: membership.version,
    state: membership.state,
    members: members.map(toWireMember),
    unacknowledged_members: members.filter(({ acknowledged }) => !acknowledged).map(toWireMember),
    time_created: membership.time_created,
    time_committed: membership.time_committed,
    time_aborted: membership.time_aborted,
  }
}

/** The sleds in service, as members of the next version. */
const presentMembers = (db: Db, rackId: string) =>
  db
    .selectFrom('sled')
    .select(['id as sled_id', 'part', 'name as serial'])
    .where('rack_id', '=', rackId)
    .where('policy', '=', 'in_service')
    .execute()

/** Writes the first version of a rack. */
export async function beginMembership(db: Db, rackId: string, time: string): Promise<void> {
  const version = 1
  await db
    .insertInto('rack_membership')
    .values({
      rack_id: rackId,
      version,
      state: 'committed',
      time_created: time,
      time_committed: time,
      time_aborted: null,
    })
    .execute()
  const members = await presentMembers(db, rackId)
  if (members.length === 0) return
  await db
    .insertInto('rack_member')
    .values(members.map((member) => ({ ...member, rack_id: rackId, version, acknowledged: 1 })))
    .execute()
}

/**
 * Begins to add sleds to a rack.
 * @returns their new ids
 * @throws ApiError 404 without a present version, or for a sled that is not in the rack; 400 for
 *   one that is a member; 409 while another change is in progress
 */
export async function addMembers(
  { db, now, emit }: Writing,
  rack: Row<'rack'>,
  wanted: readonly BaseboardId[],
): Promise<string[]> {
  const rackId = rack.id
  const seen = seenIn(rack).sleds
  const newest = await findMembership(db, rackId)
  if (!newest) throw fail.notFoundGeneric(hardwareMessages.noMembership)
  const present = await presentMembers(db, rackId)
  const isSame = (one: BaseboardId) => (other: BaseboardId) =>
    one.part === other.part && one.serial === other.serial
  for (const sled of wanted) {
    const member = present.find(isSame(sled))
    if (member) throw fail.alreadyExists('sled', `${sledName(sled)}: ${member.sled_id}`)
    if (!seen.some(isSame(sled))) throw fail.notFoundByName('uninitialized-sled', sledName(sled))
  }
  if (newest.state === 'in_progress') throw fail.conflict(hardwareMessages.changing)
  const added = wanted.map(({ part, serial }) => ({ part, serial, sled_id: crypto.randomUUID() }))
  const version = newest.version + 1
  await db
    .insertInto('rack_membership')
    .values({
      rack_id: rackId,
      version,
      state: 'in_progress',
      time_created: now.toISOString(),
      time_committed: null,
      time_aborted: null,
    })
    .execute()
  await db
    .insertInto('rack_member')
    .values([
      ...present.map((one) => ({ ...one, rack_id: rackId, version, acknowledged: 1 as const })),
      ...added.map((one) => ({ ...one, rack_id: rackId, version, acknowledged: 0 as const })),
    ])
    .execute()
  await setRackAlarms(db, now)
  await emitRackUpdate({ emit }, rackId)
  return added.map(({ sled_id }) => sled_id)
}

/**
 * Aborts the change in progress.
 * @throws ApiError 404 without any version, 409 if none is in progress
 */
export async function abortMembership({ db, now, emit }: Writing, rackId: string): Promise<void> {
  const newest = await findMembership(db, rackId)
  if (!newest) throw fail.notFoundGeneric(hardwareMessages.noMembership)
  if (newest.state !== 'in_progress') throw fail.conflict(hardwareMessages.notChanging)
  await db
    .updateTable('rack_membership')
    .set({ state: 'aborted', time_aborted: now.toISOString() })
    .where('rack_id', '=', rackId)
    .where('version', '=', newest.version)
    .execute()
  await setRackAlarms(db, now)
  await emitRackUpdate({ emit }, rackId)
}
