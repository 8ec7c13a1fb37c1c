/** Control plane specification 10.2: announce sets, BGP configurations and peers. */
import type { Wire } from '@steading/api'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import {
  addPeer,
  clearPorts,
  createAnnounceSet,
  createBgpConfig,
  createLot,
  freshAsn,
  freshNetwork,
  freshUplink as fresh,
} from '../../support/uplinks.ts'

let server: TestServer
let admin: Caller
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
})
afterAll(() => server.close())
// A switch has peers of one ASN at a time.
afterEach(() => clearPorts(admin))

const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })
const conflict = (message: string) => ({ status: 409, error_code: 'Conflict', message })

describe('announce sets', () => {
  const put = (name: string, announcement: Wire.BgpAnnouncementCreate[], description = '') => ({
    body: { name, description, announcement },
  })
  const of = (announce_set: string) => ({ params: { announce_set } })

  test('can be created, and replaced by name', async () => {
    const network = freshNetwork()
    const { lot, blocks } = await createLot(admin, network)
    const [half, other] = [`${network.at(0)}/25`, `${network.at(128)}/25`]
    const name = fresh()
    // By the name of the lot, and by the id of the block.
    const set = await admin.call(
      'networking_bgp_announce_set_update',
      put(name, [
        { address_lot_block: blocks[0]!.id, network: other },
        { address_lot_block: lot.name, network: half },
      ]),
    )
    const announced = await admin.call('networking_bgp_announcement_list', of(name))
    const [block] = blocks
    const ids = { announce_set_id: set.id, address_lot_block_id: block!.id }
    expect(announced).toEqual([
      { ...ids, network: half },
      { ...ids, network: other },
    ])
    const replaced = await admin.call(
      'networking_bgp_announce_set_update',
      put(name, [{ address_lot_block: lot.id, network: half }], 'One half'),
    )
    expect(replaced).toMatchObject({ id: set.id, description: 'One half' })
    const details = await admin.call('networking_bgp_announce_set_view', of(set.id))
    expect(details).toMatchObject({
      announcements: [{ network: half, address_lot_name: lot.name }],
      bgp_configs: [],
    })
    expect(await admin.call('networking_bgp_announce_set_list')).toContainEqual(replaced)
    const found = await admin.call('networking_bgp_announce_set_search', {
      query: { search: name },
    })
    expect(found.items).toMatchObject([
      { id: set.id, first_network: half, announcement_count: 1, config_count: 0 },
    ])
  })

  test('announce networks, even outside of their blocks, each once', async () => {
    const network = freshNetwork()
    const { lot, blocks } = await createLot(admin, { first: network.at(16), last: network.at(31) })
    const announce = (...networks: string[]) =>
      admin.refusal(
        'networking_bgp_announce_set_update',
        put(
          fresh(),
          networks.map((one) => ({ address_lot_block: lot.name, network: one })),
        ),
      )
    const outside = [`${network.at(0)}/27`, '2001:db8::/64'].map((one) => ({
      address_lot_block: lot.name,
      network: one,
    }))
    const wide = await admin.call('networking_bgp_announce_set_update', put(fresh(), outside))
    const announced = await admin.call('networking_bgp_announcement_list', of(wide.name))
    expect(announced).toMatchObject(
      outside.map((one) => ({ network: one.network, address_lot_block_id: blocks[0]!.id })),
    )
    const own = `${network.at(16)}/28`
    expect(await announce(own, own)).toEqual(invalid(`network ${own} is announced twice`))
    const nowhere = put(fresh(), [{ address_lot_block: 'nowhere', network: own }])
    expect(await admin.refusal('networking_bgp_announce_set_update', nowhere)).toMatchObject({
      status: 404,
      message: 'not found: address-lot with name "nowhere"',
    })
  })

  test('stay while a configuration announces them', async () => {
    const { set, config } = await createBgpConfig(admin)
    expect(await admin.refusal('networking_bgp_announce_set_delete', of(set.name))).toEqual(
      conflict('announce set in use'),
    )
    await admin.call('networking_bgp_config_delete', { query: { name_or_id: config.id } })
    await admin.call('networking_bgp_announce_set_delete', of(set.name))
  })
})

describe('BGP configurations', () => {
  test('can be created, changed and deleted, one per ASN', async () => {
    const { config, set } = await createBgpConfig(admin)
    expect(config).toMatchObject({ max_paths: 1, vrf: null })
    const body = { name: fresh(), description: '', bgp_announce_set_id: set.id }
    const create = (asn: number, more = {}) =>
      admin.refusal('networking_bgp_config_create', { body: { ...body, asn, ...more } })
    expect(await create(config.asn)).toEqual(
      conflict('cannot have more than one configuration per ASN'),
    )
    expect(await create(0)).toMatchObject({
      error_code: 'InvalidValue',
      message: 'unsupported value for "asn": ASN 0 is reserved',
    })
    expect(await create(freshAsn(), { bgp_announce_set_id: 'nowhere' })).toMatchObject({
      message: 'not found: bgp-announce-set with name "nowhere"',
    })
    for (const max_paths of [0, 33]) {
      const refusal = await create(freshAsn(), { max_paths })
      expect(refusal.message).toContain('expected an integer from 1 to 32')
    }
    const { set: other } = await createAnnounceSet(admin)
    const name = fresh()
    const updated = await admin.call('networking_bgp_config_update', {
      query: { name_or_id: config.name },
      body: { name, max_paths: 4, bgp_announce_set_id: other.name },
    })
    expect(updated).toMatchObject({ id: config.id, name, max_paths: 4, asn: config.asn })
    const details = await admin.call('networking_bgp_config_view', {
      params: { bgp_config: name },
    })
    expect(details).toMatchObject({ bgp_announce_set_name: other.name, peer_count: 0 })
    const found = await admin.call('networking_bgp_config_search', {
      query: { search: name, sort_by: 'asn_descending' },
    })
    expect(found.items).toEqual([details])
    await admin.call('networking_bgp_config_delete', { query: { name_or_id: name } })
    // The ASN and the name are free again.
    await admin.call('networking_bgp_config_create', {
      body: { ...body, name, asn: config.asn, vrf: 'outside' },
    })
  })

  test('may have the largest ASN', async () => {
    const { set } = await createAnnounceSet(admin)
    const body = { name: fresh(), description: '', bgp_announce_set_id: set.id, asn: 4294967295 }
    expect(await admin.call('networking_bgp_config_create', { body })).toMatchObject({
      asn: 4294967295,
    })
  })

  test('stay while port settings have peers that use them', async () => {
    const { config } = await createBgpConfig(admin)
    await addPeer(admin, config)
    const query = { name_or_id: config.id }
    expect(await admin.refusal('networking_bgp_config_delete', { query })).toEqual(
      conflict('BGP Config is in use and cannot be deleted'),
    )
  })
})

type Messages = Record<'sent' | 'received', { message: object }[]>

/** Messages other than keepalives, whose number depends on the time. */
const withoutKeepalives = (history: { message: object }[]) =>
  history.map(({ message }) => message).filter((message) => !('keepalive' in message))

describe('peers', () => {
  const uplinks = () => server.host.controlPlane.engines.uplinks
  const stateOf = async (asn: number) =>
    (await admin.call('networking_bgp_status')).filter(({ local_asn }) => local_asn === asn)

  test('come up, and exchange the announced networks for their routes', async () => {
    const { config, network, set } = await createBgpConfig(admin)
    const { asn } = config
    await addPeer(admin, config, { remote_asn: 64_700 })
    await addPeer(
      admin,
      config,
      { addr: { type: 'unnumbered', router_lifetime: 0 }, remote_asn: null },
      'switch1',
    )
    const peers = await stateOf(asn)
    expect(peers).toMatchObject([
      {
        addr: '198.51.100.1',
        peer_id: '198.51.100.1',
        remote_asn: 64_700,
        state: 'established',
        switch: 'switch0',
      },
      { remote_asn: 64_512, state: 'established', switch: 'switch1' },
    ])
    const [first, second] = peers
    expect(second!.addr).toMatch(/^fe80::/)
    const exportedTo = async (peer: string) =>
      (await admin.call('networking_bgp_exported'))
        .filter(({ peer_id }) => peer_id === peer)
        .map(({ prefix }) => prefix)
    expect(await exportedTo(second!.peer_id)).toEqual([network])
    expect(await exportedTo(first!.peer_id)).toContain(network)
    const query = { asn }
    const imported = await admin.call('networking_bgp_imported', { query })
    expect(imported).toMatchObject([
      { nexthop: '198.51.100.1', prefix: '0.0.0.0/0', switch: 'switch0' },
      { nexthop: second!.addr, prefix: '::/0', switch: 'switch1' },
    ])
    expect(await admin.call('networking_bgp_imported_routes_ipv4', { query })).toEqual([
      imported[0],
    ])
    const { switch_histories } = await admin.call('networking_bgp_message_history', { query })
    expect(switch_histories.map(({ switch: name }) => name)).toEqual(['switch0', 'switch1'])
    const { sent, received } = switch_histories[0]!.history['198.51.100.1'] as Messages
    expect(withoutKeepalives(sent)).toMatchObject([
      { open: { asn } },
      { update: { nlri: [network] } },
    ])
    expect(withoutKeepalives(received)).toMatchObject([
      { open: { asn: 64_700 } },
      { update: { nlri: ['0.0.0.0/0'] } },
    ])
    // Peers receive later announcements of the set.
    await admin.call('networking_bgp_announce_set_update', {
      body: { name: set.name, description: '', announcement: [] },
    })
    expect(await exportedTo(second!.peer_id)).toEqual([])
  })

  test('exchange only networks permitted by the policies of their settings', async () => {
    const { config } = await createBgpConfig(admin)
    const addr = { type: 'numbered' as const, target_addr: '198.51.100.9', src_addr: null }
    const nothing = { type: 'allow' as const, value: [] }
    await addPeer(admin, config, {
      addr,
      allowed_export: nothing,
      allowed_import: nothing,
    })
    const exported = await admin.call('networking_bgp_exported')
    expect(exported.filter(({ peer_id }) => peer_id === addr.target_addr)).toEqual([])
    const query = { asn: config.asn }
    expect(await admin.call('networking_bgp_imported', { query })).toEqual([])
  })

  test('get a network without its host part, and once', async () => {
    const { config, lot, set } = await createBgpConfig(admin)
    const network = freshNetwork()
    const networks = [`${network.at(17)}/28`, `${network.at(16)}/28`, `${network.at(33)}/28`]
    const announcement = networks.map((one) => ({ address_lot_block: lot.name, network: one }))
    await admin.call('networking_bgp_announce_set_update', {
      body: { name: set.name, description: '', announcement },
    })
    const announced = await admin.call('networking_bgp_announcement_list', {
      params: { announce_set: set.name },
    })
    expect(announced.map((one) => one.network).toSorted()).toEqual(networks.toSorted())
    const prefixes = [`${network.at(16)}/28`, `${network.at(32)}/28`]
    const policies: [string, Wire.ImportExportPolicy, string[]][] = [
      ['198.51.100.30', { type: 'no_filtering' }, prefixes],
      ['198.51.100.31', { type: 'allow', value: [networks[2]!] }, [prefixes[1]!]],
    ]
    for (const [target_addr, allowed_export] of policies) {
      await addPeer(admin, config, {
        addr: { type: 'numbered', target_addr, src_addr: null },
        allowed_export,
      })
    }
    const exported = await admin.call('networking_bgp_exported')
    for (const [address, , told] of policies) {
      const its = exported.filter(({ peer_id }) => peer_id === address)
      expect(its.map(({ prefix }) => prefix)).toEqual(told)
    }
  })

  test('that go silent have no routes, until they answer again', async () => {
    const { config } = await createBgpConfig(admin)
    const address = '198.51.100.20'
    await addPeer(admin, config, {
      addr: { type: 'numbered', target_addr: address, src_addr: null },
    })
    await uplinks().takeDown('switch0', address)
    expect(await stateOf(config.asn)).toMatchObject([{ state: 'active' }])
    const query = { asn: config.asn }
    expect(await admin.call('networking_bgp_imported', { query })).toEqual([])
    await uplinks().bringUp('switch0', address)
    expect(await stateOf(config.asn)).toMatchObject([{ state: 'established' }])
  })
})
