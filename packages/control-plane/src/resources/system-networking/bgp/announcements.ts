/** Announce sets: answers about them, and the rules for their contents. */
import type { Wire } from '@steading/api'
import {
  ANNOUNCEMENTS_MAX,
  bgpMessages,
  blockFinder,
  FLEET_ID,
  formatNetwork,
  isUuid,
  networkAddress,
  parseNetwork,
} from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { fewPerTurn } from '../../../kernel/event-loop.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Writing } from '../../../kernel/work.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { changeRow, findRow } from '../../../kernel/db/rows.ts'
import type { AddressLotBlockRow } from '../address-lots/table.ts'
import { addressKey, byAddress } from '../../networking/addresses/keys.ts'
import type { BgpAnnouncementTable } from './table.ts'

type AnnounceSet = Row<'bgp_announce_set'>
type Announcement = Selectable<BgpAnnouncementTable>

export const toWireSet = (row: AnnounceSet): Wire.BgpAnnounceSet => ({
  ...identityOf(row),
})

const inOrder = <One extends { first_key: string; network: string }>(
  announcements: readonly One[],
): One[] =>
  announcements.toSorted(
    (a, b) => byAddress(a.first_key, b.first_key) || widthOf(a.network) - widthOf(b.network),
  )
const widthOf = (network: string) => parseNetwork(network)!.width

/** The announcements of the given sets, by address; id of the set → its announcements. */
export async function announcementsOf(
  db: Db,
  setIds: readonly string[],
): Promise<Map<string, Announcement[]>> {
  if (setIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('bgp_announcement')
    .selectAll()
    .where('announce_set_id', 'in', setIds)
    .execute()
  return Map.groupBy(inOrder(rows), ({ announce_set_id }) => announce_set_id)
}

export async function setSummaries(
  db: Db,
  sets: readonly AnnounceSet[],
): Promise<Wire.BgpAnnounceSetSummary[]> {
  const ids = sets.map(({ id }) => id)
  if (ids.length === 0) return []
  const announced = await announcementsOf(db, ids)
  const configs = await db
    .selectFrom('bgp_config')
    .select('bgp_announce_set_id')
    .where('bgp_announce_set_id', 'in', ids)
    .where('time_deleted', 'is', null)
    .execute()
  return sets.map((set) => {
    const its = announced.get(set.id) ?? []
    return {
      ...toWireSet(set),
      first_network: its[0]?.network ?? null,
      announcement_count: its.length,
      config_count: configs.filter(({ bgp_announce_set_id: id }) => id === set.id).length,
    }
  })
}

/** A set with its announcements, their lots, and the configurations that announce it. */
export async function setDetails(db: Db, set: AnnounceSet): Promise<Wire.BgpAnnounceSetDetails> {
  const announcements = await db
    .selectFrom('bgp_announcement as its')
    .innerJoin('address_lot_block as block', 'block.id', 'its.address_lot_block_id')
    .innerJoin('address_lot as lot', 'lot.id', 'block.address_lot_id')
    .select([
      'announce_set_id',
      'address_lot_block_id',
      'network',
      'its.first_key',
      'lot.id as address_lot_id',
      'lot.name as address_lot_name',
    ])
    .where('announce_set_id', '=', set.id)
    .execute()
  const bgp_configs = await rowsOf(db, 'bgp_config')
    .select(['its.id', 'its.name', 'its.asn'])
    .where('bgp_announce_set_id', '=', set.id)
    .orderBy('its.name')
    .execute()
  return {
    ...toWireSet(set),
    announcements: inOrder(announcements).map((one) => ({
      announce_set_id: one.announce_set_id,
      address_lot_block_id: one.address_lot_block_id,
      network: one.network,
      address_lot_id: one.address_lot_id,
      address_lot_name: one.address_lot_name,
    })),
    bgp_configs,
  }
}

/** The blocks that a network may be in: the one with the id, or all of a lot. */
async function blocksNamed(context: LookupContext<'address_lot'>, selector: string) {
  const { db } = context
  const block = isUuid(selector) ? await findRow(db, 'address_lot_block', selector) : undefined
  // The caller has the same rights to the block as to its lot.
  const lot = await lookup(context, 'address_lot', block?.address_lot_id ?? selector)
  if (block) return [block]
  return db
    .selectFrom('address_lot_block')
    .selectAll()
    .where('address_lot_id', '=', lot.id)
    .execute()
}

interface BlocksOfLot {
  first: AddressLotBlockRow | undefined
  find: (network: string) => AddressLotBlockRow | undefined
}

/**
 * The announcements that a set is to have.
 * @throws ApiError 400 for a network that it cannot announce, 404 for a block or lot
 */
export async function desiredAnnouncements(
  context: LookupContext<'address_lot'>,
  wanted: Wire.BgpAnnounceSetCreate['announcement'],
): Promise<Omit<Announcement, 'announce_set_id'>[]> {
  if (wanted.length > ANNOUNCEMENTS_MAX) throw fail.invalidRequest(bgpMessages.tooMany)
  const known = new Map<string, BlocksOfLot>()
  const announcements = new Map<string, Omit<Announcement, 'announce_set_id'>>()
  for await (const { address_lot_block: selector, network: text } of fewPerTurn(wanted)) {
    let blocks = known.get(selector)
    if (!blocks) {
      const rows = await blocksNamed(context, selector)
      blocks = { first: rows[0], find: blockFinder(rows) }
      known.set(selector, blocks)
    }
    const parsed = parseNetwork(text)!
    const network = formatNetwork(parsed)
    // A network outside of its lot is still announced; the console warns about it.
    const block = blocks.find(network) ?? blocks.first
    if (!block) throw fail.invalidRequest(bgpMessages.noBlock)
    if (announcements.has(network)) throw fail.invalidRequest(bgpMessages.twice(network))
    announcements.set(network, {
      address_lot_block_id: block.id,
      network,
      first_key: addressKey(networkAddress(parsed)),
    })
  }
  return [...announcements.values()]
}

/** Creates the set with a name, or replaces its description and announcements. */
export async function putSet(
  { db, now, emit }: Writing,
  { name, description }: Pick<Wire.BgpAnnounceSetCreate, 'name' | 'description'>,
  announcements: Omit<Announcement, 'announce_set_id'>[],
): Promise<AnnounceSet> {
  const found = await rowsOf(db, 'bgp_announce_set')
    .selectAll()
    .where('its.name', '=', name)
    .executeTakeFirst()
  const time = now.toISOString()
  const set: AnnounceSet = {
    id: crypto.randomUUID(),
    fleet_id: FLEET_ID,
    ...named(name),
    time_created: time,
    time_deleted: null,
    ...found,
    description,
    time_modified: time,
  }
  if (found) {
    await changeRow(db, 'bgp_announce_set', set.id, set)
    await db.deleteFrom('bgp_announcement').where('announce_set_id', '=', set.id).execute()
  } else {
    await db.insertInto('bgp_announce_set').values(set).execute()
  }
  if (announcements.length > 0) {
    await db
      .insertInto('bgp_announcement')
      .values(announcements.map((one) => ({ announce_set_id: set.id, ...one })))
      .execute()
  }
  await emit('bgp_announce_set', found ? 'update' : 'create', set)
  return set
}

/** @throws ApiError 409 while a configuration announces it */
export async function deleteSet(work: Writing, set: AnnounceSet): Promise<void> {
  const { db } = work
  const config = await rowsOf(db, 'bgp_config')
    .select('its.id')
    .where('bgp_announce_set_id', '=', set.id)
    .limit(1)
    .executeTakeFirst()
  if (config) throw fail.conflict(bgpMessages.setInUse)
  await db.deleteFrom('bgp_announcement').where('announce_set_id', '=', set.id).execute()
  await deleteRow(work, 'bgp_announce_set', set)
}
