/** Writes a whole document of port settings. */
import type { Wire } from '@steading/api'
import {
  FLEET_ID,
  isUuid,
  portSettingsMessages,
  type PortSettingsProblem,
  portSettingsProblem,
} from '@steading/api/rules'
import type { Insertable } from 'kysely'
import { ApiError, fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { releaseAddresses, reserveAddress } from '../address-lots/reserve.ts'
import { type BgpPeerTable, storedPeer } from '../bgp/table.ts'
import { requireOneAsn } from './asns.ts'
import { canonicalDocument } from './canonical.ts'
import { settingsDocument, type StoredDocument, type StoredLink } from './table.ts'

type Settings = Row<'switch_port_settings'>
type Body = Wire.SwitchPortSettingsCreate
type Putting = Writing & LookupContext<'address_lot' | 'bgp_config'>

/** Rewords the error for a part of a document that does not exist. */
async function orRefusal<T>(looked: Promise<T>, message: string): Promise<T> {
  try {
    return await looked
  } catch (error) {
    if (error instanceof ApiError && error.template.status === 404) {
      throw fail.invalidRequest(message)
    }
    throw error
  }
}

const refusal = ({ label, text }: PortSettingsProblem): ApiError =>
  label === undefined ? fail.invalidRequest(text) : fail.invalidValue(label, text)

/** The configuration of a link, except for its LLDP texts. */
const wiring = ({ link_name, mtu, speed, autoneg, fec, tx_eq }: Wire.LinkConfigCreate): string =>
  JSON.stringify([
    [link_name, mtu, speed, autoneg, fec],
    [tx_eq?.main, tx_eq?.pre1, tx_eq?.pre2, tx_eq?.post1, tx_eq?.post2],
  ])

/** The document to store. Unchanged parts keep their ids and the times of their last change. */
function storedDocument(
  { links, interfaces, addresses, routes }: Body,
  before: StoredDocument | undefined,
  time: string,
): StoredDocument {
  const named = <Part extends { link_name: string }>(parts: Part[] | undefined, name: string) =>
    parts?.find(({ link_name }) => link_name === name)
  return {
    links: links.map(({ lldp, ...link }): StoredLink => {
      const former = named(before?.links, link.link_name)
      const isSame = former && wiring(former) === wiring({ ...link, lldp })
      return {
        ...link,
        lldp: { ...lldp, id: former?.lldp.id ?? crypto.randomUUID() },
        since: isSame ? former.since : time,
      }
    }),
    interfaces: interfaces.map((one) => ({
      ...one,
      id: named(before?.interfaces, one.link_name)?.id ?? crypto.randomUUID(),
    })),
    addresses: addresses.flatMap(({ link_name, addresses: its }) =>
      its.map(({ address, vlan_id = null }) => ({ link_name, address, vlan_id })),
    ),
    routes: routes.flatMap(({ link_name, routes: its }) =>
      its.map((route) => ({ link_name, ...route })),
    ),
  }
}

/**
 * Reserves the addresses of a document in their lots, after releasing those that the settings had.
 */
async function takeAddresses(putting: Putting, id: string, { addresses }: Body): Promise<void> {
  const { db } = putting
  await releaseAddresses(db, 'switch_port_settings', id)
  for (const { address, address_lot } of addresses.flatMap((of) => of.addresses)) {
    const lot = await orRefusal(
      lookup(putting, 'address_lot', address_lot),
      portSettingsMessages.noLot,
    )
    const holder = { holder: 'switch_port_settings', holder_id: id } as const
    await reserveAddress(db, lot, { address, anycast: false, ...holder })
  }
}

/** Replaces the peers of settings; the sessions of unchanged ones continue. */
async function putPeers(putting: Putting, id: string, body: Body, time: string): Promise<void> {
  const { db } = putting
  const before = await db
    .deleteFrom('bgp_peer')
    .where('port_settings_id', '=', id)
    .returningAll()
    .execute()
  const peers: Insertable<BgpPeerTable>[] = []
  for (const { link_name, peers: its } of body.bgp_peers) {
    for (const { bgp_config, ...peer } of its) {
      const config = await orRefusal(
        lookup(putting, 'bgp_config', bgp_config),
        portSettingsMessages.noBgpConfig,
      )
      const row = { link_name, bgp_config_id: config.id, peer: storedPeer.write(peer) }
      const same = before.find(
        (one) =>
          one.link_name === link_name &&
          one.bgp_config_id === row.bgp_config_id &&
          one.peer === row.peer,
      )
      peers.push({
        id: same?.id ?? crypto.randomUUID(),
        port_settings_id: id,
        ...row,
        position: peers.length,
        time_configured: same?.time_configured ?? time,
      })
    }
  }
  if (peers.length > 0) await db.insertInto('bgp_peer').values(peers).execute()
}

/**
 * Creates the settings with a name, or replaces them, even where they are applied.
 * @throws ApiError 400 for a document that no port can have, 404 for a group, 409 for the ASN of
 *   another port of a switch
 */
export async function putSettings(putting: Putting, given: Body): Promise<Settings> {
  const { db, now, emit } = putting
  const body = canonicalDocument(given)
  const problem = portSettingsProblem(body)
  if (problem) throw refusal(problem)
  // No operation creates groups, so none exists.
  const [group] = body.groups
  if (group !== undefined) {
    const type = 'switch-port-settings-group'
    throw isUuid(group) ? fail.notFoundById(type, group) : fail.notFoundByName(type, group)
  }
  const before = await rowsOf(db, 'switch_port_settings')
    .selectAll()
    .where('its.name', '=', body.name)
    .executeTakeFirst()
  const time = now.toISOString()
  const document = before && settingsDocument.read(before.document)
  const settings: Settings = {
    id: crypto.randomUUID(),
    fleet_id: FLEET_ID,
    ...named(body.name),
    use: 'unused',
    time_created: time,
    time_deleted: null,
    ...before,
    description: body.description,
    geometry: body.port_config.geometry,
    document: settingsDocument.write(storedDocument(body, document, time)),
    time_modified: time,
  }
  const { id } = settings
  if (before) {
    await changeRow(db, 'switch_port_settings', id, settings)
  } else {
    await db.insertInto('switch_port_settings').values(settings).execute()
  }
  await takeAddresses(putting, id, body)
  await putPeers(putting, id, body, time)
  const switches = await db
    .selectFrom('switch_port')
    .select(['rack_id', 'switch_slot'])
    .distinct()
    .where('port_settings_id', '=', id)
    .execute()
  for (const one of switches) await requireOneAsn(db, one)
  await emit('switch_port_settings', before ? 'update' : 'create', settings)
  return settings
}
