/** BGP configurations: answers about them, and writing them. */
import type { Wire } from '@steading/api'
import { bgpMessages, FLEET_ID } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { requireFreeName } from '../../../kernel/lookup.ts'
import { changeNamed, deleteRow, insertNamed } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import './table.ts'

type Config = Row<'bgp_config'>
type AnnounceSet = Pick<Row<'bgp_announce_set'>, 'id'>

export const toWireConfig = (row: Config): Wire.BgpConfig => ({
  ...identityOf(row),
  asn: row.asn,
  vrf: row.vrf,
  max_paths: row.max_paths,
})

/** Configurations with the names of their announcements and the numbers of their peers. */
export async function configDetails(
  db: Db,
  configs: readonly Config[],
): Promise<Wire.BgpConfigDetails[]> {
  if (configs.length === 0) return []
  const rows = await db
    .selectFrom('bgp_config as its')
    .innerJoin('bgp_announce_set as announced', 'announced.id', 'its.bgp_announce_set_id')
    .select([
      'its.id',
      'announced.name as bgp_announce_set_name',
      sql<number>`(select count(*) from bgp_peer
        join switch_port on switch_port.port_settings_id = bgp_peer.port_settings_id
        where bgp_config_id = its.id)`.as('peer_count'),
    ])
    .where('its.id', 'in', idsIn(configs))
    .execute()
  const more = new Map(rows.map((row) => [row.id, row]))
  return configs.map((config) => ({
    ...toWireConfig(config),
    bgp_announce_set_id: config.bgp_announce_set_id,
    bgp_announce_set_name: more.get(config.id)!.bgp_announce_set_name,
    peer_count: Number(more.get(config.id)!.peer_count),
  }))
}

/** @throws ApiError 400 for a taken name, 409 for an ASN that another configuration has */
export async function createConfig(
  work: Writing,
  announced: AnnounceSet,
  body: Wire.BgpConfigCreate,
): Promise<Config> {
  const { db } = work
  const { name, asn } = body
  if (asn === 0) throw fail.invalidValue('asn', bgpMessages.asnZero)
  await requireFreeName(db, 'bgp_config', FLEET_ID, name)
  const taken = await db
    .selectFrom('bgp_config')
    .select('id')
    .where('asn', '=', asn)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (taken) throw fail.conflict(bgpMessages.asnTaken)
  return insertNamed(work, 'bgp_config', body, {
    fleet_id: FLEET_ID,
    asn,
    bgp_announce_set_id: announced.id,
    vrf: body.vrf ?? null,
    max_paths: body.max_paths,
  })
}

/** @throws ApiError 400 for a taken name */
export const updateConfig = (
  work: Writing,
  config: Config,
  announced: AnnounceSet | undefined,
  body: Wire.BgpConfigUpdate,
): Promise<Config> =>
  changeNamed(work, 'bgp_config', config, body, {
    bgp_announce_set_id: announced?.id ?? config.bgp_announce_set_id,
    max_paths: body.max_paths ?? config.max_paths,
  })

/** @throws ApiError 409 while peers of port settings use it */
export async function deleteConfig(work: Writing, config: Config): Promise<void> {
  const peer = await work.db
    .selectFrom('bgp_peer')
    .select('id')
    .where('bgp_config_id', '=', config.id)
    .limit(1)
    .executeTakeFirst()
  if (peer) throw fail.conflict(bgpMessages.configInUse)
  await deleteRow(work, 'bgp_config', config)
}
