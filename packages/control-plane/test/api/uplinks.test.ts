/** Control plane specification 10.2: lots, loopbacks, BGP and BFD of operators. */
import type { Wire } from '@steading/api'
import { jumboFramesMessages } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { smallInstance } from '../support/things.ts'
import {
  addPeer,
  createAnnounceSet,
  createBgpConfig,
  createLot,
  freshAsn,
  freshNetwork,
  freshUplink as fresh,
} from '../support/uplinks.ts'

let server: TestServer
let admin: Caller
let rack_id: string

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  rack_id = (await admin.call('rack_list')).items[0]!.id
})
afterAll(() => server.close())

const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })
const conflict = (message: string) => ({ status: 409, error_code: 'Conflict', message })

describe('address lots', () => {
  const create = (blocks: Wire.AddressLotBlockCreate[], name = fresh()) => ({
    body: { name, description: 'Of the provider', kind: 'pool' as const, blocks },
  })
  const block = (first_address: string, last_address: string) => ({ first_address, last_address })
  const of = (address_lot: string) => ({ params: { address_lot } })

  test('are made with their blocks, found, and deleted', async () => {
    const made = await admin.call(
      'networking_address_lot_create',
      create([block('2001:DB8::1', '2001:db8::f'), block('192.0.2.8', '192.0.2.15')]),
    )
    const { lot, blocks } = made
    expect(blocks.map((one) => block(one.first_address, one.last_address))).toEqual([
      block('192.0.2.8', '192.0.2.15'),
      block('2001:db8::1', '2001:db8::f'),
    ])
    expect(await admin.call('networking_address_lot_view', of(lot.name))).toEqual(made)
    const listed = await admin.call('networking_address_lot_block_list', of(lot.id))
    expect(new Set(listed.items.map(({ id }) => id))).toEqual(new Set(blocks.map(({ id }) => id)))
    const found = await admin.call('networking_address_lot_search', {
      query: { search: lot.name, kind: 'pool' },
    })
    expect(found.items).toMatchObject([
      { id: lot.id, first_block: blocks[0], block_count: 2, use_count: 0 },
    ])
    expect(
      await admin.refusal('networking_address_lot_create', create([], lot.name)),
    ).toMatchObject({ message: `already exists: address-lot "${lot.name}"` })
    await admin.call('networking_address_lot_delete', of(lot.id))
    expect(await admin.refusal('networking_address_lot_view', of(lot.id))).toMatchObject({
      status: 404,
      message: `not found: address-lot with id "${lot.id}"`,
    })
  })

  test.each<[string, Wire.AddressLotBlockCreate[], string]>([
    [
      'bounds of two versions',
      [block('192.0.2.1', '2001:db8::1')],
      'Block bounds must be in same address family',
    ],
    [
      'bounds the wrong way round',
      [block('192.0.2.10', '192.0.2.9')],
      'Invalid range, first must be <= last',
    ],
    [
      'blocks that overlap',
      [block('192.0.2.20', '192.0.2.30'), block('192.0.2.1', '192.0.2.20')],
      'Blocks of an address lot may not overlap: 192.0.2.1-192.0.2.20 and 192.0.2.20-192.0.2.30',
    ],
    [
      'too many blocks',
      Array.from({ length: 1025 }, () => block('192.0.2.1', '192.0.2.1')),
      'An address lot may have at most 1024 blocks',
    ],
  ])('with %s are refused', async (_, blocks, message) => {
    expect(await admin.refusal('networking_address_lot_create', create(blocks))).toEqual(
      invalid(message),
    )
  })

  test('stay while an address of them is in use or a network is announced', async () => {
    const { lot, set, network, block: its } = await createAnnounceSet(admin)
    expect(await admin.refusal('networking_address_lot_delete', of(lot.id))).toEqual(
      invalid('lot is in use'),
    )
    const address = network.replace('0/24', '9')
    const body = { rack_id, switch_slot: 'switch0' as const, address, mask: 32 }
    const loopback = await admin.call('networking_loopback_address_create', {
      body: { ...body, address_lot: lot.id, anycast: false },
    })
    const uses = await admin.call('networking_address_lot_use_list', of(lot.name))
    expect(uses.items).toEqual([
      {
        kind: 'bgp_announce_set',
        id: set.id,
        name: set.name,
        address_lot_block_id: its.id,
        network,
      },
      {
        kind: 'loopback_address',
        id: loopback.id,
        name: null,
        address_lot_block_id: its.id,
        network: `${address}/32`,
      },
    ])
    await admin.call('networking_bgp_announce_set_delete', { params: { announce_set: set.id } })
    expect(await admin.refusal('networking_address_lot_delete', of(lot.id))).toEqual(
      invalid('lot is in use'),
    )
    const { mask: subnet_mask, ...place } = body
    await admin.call('networking_loopback_address_delete', { params: { ...place, subnet_mask } })
    await admin.call('networking_address_lot_delete', of(lot.id))
  })
})

describe('loopback addresses', () => {
  let lot: string
  let at: (host: number) => string
  beforeAll(async () => {
    const network = freshNetwork()
    at = network.at
    lot = (await createLot(admin, network)).lot.name
  })
  const add = (address: string, more: Partial<Wire.LoopbackAddressCreate> = {}) => ({
    body: {
      rack_id,
      switch_slot: 'switch0' as const,
      address,
      mask: 32,
      address_lot: lot,
      anycast: false,
      ...more,
    },
  })

  test('are given to a switch and taken from it by their address', async () => {
    const made = await admin.call('networking_loopback_address_create', add(at(1)))
    expect(made).toMatchObject({ rack_id, switch_slot: 'switch0', address: `${at(1)}/32` })
    const { items } = await admin.call('networking_loopback_address_list')
    expect(items).toContainEqual(made)
    const details = await admin.call('networking_loopback_address_detail_list')
    expect(details.items.find(({ id }) => id === made.id)).toMatchObject({
      address_lot_name: lot,
      anycast: false,
    })
    const params = { rack_id, switch_slot: 'switch0', address: at(1), subnet_mask: 32 } as const
    await admin.call('networking_loopback_address_delete', { params })
    expect(await admin.refusal('networking_loopback_address_delete', { params })).toMatchObject({
      status: 404,
      message: `not found: loopback-address with id "${at(1)}/32 on switch0"`,
    })
    await admin.call('networking_loopback_address_create', add(at(1)))
  })

  test('are of the lot, free, and addresses', async () => {
    await admin.call('networking_loopback_address_create', add(at(2)))
    const refusal = (address: string, more?: Partial<Wire.LoopbackAddressCreate>) =>
      admin.refusal('networking_loopback_address_create', add(address, more))
    expect(await refusal(at(2), { switch_slot: 'switch1' })).toEqual(invalid('address unavailable'))
    expect(await refusal('203.0.113.1')).toEqual(invalid('address not in lot'))
    expect(await refusal('2001:db8::1', { mask: 128 })).toEqual(invalid('address not in lot'))
    expect(await refusal(at(3), { mask: 33 })).toEqual(invalid('invalid address'))
    expect(await refusal(at(2))).toMatchObject({
      message: `already exists: loopback-address "${at(2)}/32 on switch0"`,
    })
    expect(await refusal(at(3), { address_lot: 'nowhere' })).toMatchObject({
      message: 'not found: address-lot with name "nowhere"',
    })
    const bad = await admin.send(
      'DELETE',
      `/v1/system/networking/loopback-address/${rack_id}/switch0/here/32`,
    )
    expect(bad).toMatchObject({ status: 400 })
    expect((bad.body as Wire.Error).message).toContain('invalid ip address')
    const params = { rack_id, switch_slot: 'switch0', address: at(2), subnet_mask: 33 } as const
    expect(await admin.refusal('networking_loopback_address_delete', { params })).toEqual(
      invalid('invalid ip address'),
    )
  })

  test('may be shared by switches if all of them say anycast', async () => {
    await admin.call('networking_loopback_address_create', add(at(7), { anycast: true }))
    const other = add(at(7), { anycast: true, switch_slot: 'switch1' })
    await admin.call('networking_loopback_address_create', other)
    const single = add(at(7), { mask: 31 })
    expect(await admin.refusal('networking_loopback_address_create', single)).toEqual(
      invalid('address unavailable'),
    )
  })

  test('of one lot are not free in another one', async () => {
    const network = { first: at(0), last: at(255) }
    const { lot: other } = await createLot(admin, network)
    await admin.call('networking_loopback_address_create', add(at(8)))
    const again = add(at(8), { switch_slot: 'switch1', address_lot: other.name })
    expect(await admin.refusal('networking_loopback_address_create', again)).toEqual(
      invalid('address unavailable'),
    )
  })

  test('are spelled with the location of the switch by older clients', async () => {
    const { switch_slot, ...rest } = add(at(9)).body
    // Not held against the newest contract.
    const answer = await admin.fetch('/v1/system/networking/loopback-address', {
      method: 'POST',
      body: JSON.stringify({ ...rest, switch_location: switch_slot }),
      headers: { 'api-version': '2026021301.0.0', 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ switch_location: 'switch0' })
  })
})

describe('announce sets', () => {
  const put = (name: string, announcement: Wire.BgpAnnouncementCreate[], description = '') => ({
    body: { name, description, announcement },
  })
  const of = (announce_set: string) => ({ params: { announce_set } })

  test('are made, and replaced by putting one of the same name', async () => {
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

  test('announce networks of their blocks, each once', async () => {
    const network = freshNetwork()
    const { lot, blocks } = await createLot(admin, { first: network.at(16), last: network.at(31) })
    const [block] = blocks
    const inBlock = `${block!.first_address}-${block!.last_address}`
    const announce = (...networks: string[]) =>
      admin.refusal(
        'networking_bgp_announce_set_update',
        put(
          fresh(),
          networks.map((one) => ({ address_lot_block: lot.name, network: one })),
        ),
      )
    const wide = `${network.at(0)}/27`
    expect(await announce(wide)).toEqual(
      invalid(`network ${wide} is not in the address lot block ${inBlock}`),
    )
    expect(await announce('2001:db8::/64')).toEqual(
      invalid(`network 2001:db8::/64 is not in the address lot block ${inBlock}`),
    )
    expect(await announce(`${network.at(17)}/28`)).toEqual(
      invalid(
        `${network.at(17)}/28 is not a network address: its host ID must be zero, as in ${network.at(16)}/28`,
      ),
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
  test('are made, changed and deleted, one for each ASN', async () => {
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

  test('stay while port settings have peers of them', async () => {
    const { config } = await createBgpConfig(admin)
    await addPeer(server.db, config.id)
    const query = { name_or_id: config.id }
    expect(await admin.refusal('networking_bgp_config_delete', { query })).toEqual(
      conflict('BGP Config is in use and cannot be deleted'),
    )
  })
})

describe('peers', () => {
  const uplinks = () => server.host.controlPlane.engines.uplinks
  const stateOf = async (asn: number) =>
    (await admin.call('networking_bgp_status')).filter(({ local_asn }) => local_asn === asn)

  test('come up, and exchange the announced networks for their routes', async () => {
    const { config, network, set } = await createBgpConfig(admin)
    const { asn } = config
    await addPeer(server.db, config.id, { remote_asn: 64_700 })
    await addPeer(
      server.db,
      config.id,
      { addr: { type: 'unnumbered', router_lifetime: 0 }, remote_asn: null },
      { slot: 'switch1' },
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
    expect(switch_histories).toMatchObject([
      {
        switch: 'switch0',
        history: {
          '198.51.100.1': {
            sent: [{ message: { open: { asn } } }, { message: { update: { nlri: [network] } } }],
            received: [
              { message: { open: { asn: 64_700 } } },
              { message: { update: { nlri: ['0.0.0.0/0'] } } },
            ],
          },
        },
      },
      { switch: 'switch1' },
    ])
    // What a set announces from now on is what the peers are told.
    await admin.call('networking_bgp_announce_set_update', {
      body: { name: set.name, description: '', announcement: [] },
    })
    expect(await exportedTo(second!.peer_id)).toEqual([])
  })

  test('exchange only what the policies of their settings allow', async () => {
    const { config } = await createBgpConfig(admin)
    const addr = { type: 'numbered' as const, target_addr: '198.51.100.9' }
    const nothing = { type: 'allow' as const, value: [] }
    await addPeer(server.db, config.id, {
      addr,
      allowed_export: nothing,
      allowed_import: nothing,
    })
    const exported = await admin.call('networking_bgp_exported')
    expect(exported.filter(({ peer_id }) => peer_id === addr.target_addr)).toEqual([])
    const query = { asn: config.asn }
    expect(await admin.call('networking_bgp_imported', { query })).toEqual([])
  })

  test('that go silent have no routes, until they answer again', async () => {
    const { config } = await createBgpConfig(admin)
    const address = '198.51.100.20'
    await addPeer(server.db, config.id, { addr: { type: 'numbered', target_addr: address } })
    await uplinks().takeDown('switch0', address)
    expect(await stateOf(config.asn)).toMatchObject([{ state: 'active' }])
    const query = { asn: config.asn }
    expect(await admin.call('networking_bgp_imported', { query })).toEqual([])
    await uplinks().bringUp('switch0', address)
    expect(await stateOf(config.asn)).toMatchObject([{ state: 'established' }])
  })
})

describe('BFD sessions', () => {
  const session = (remote: string, more: Partial<Wire.BfdSessionEnable> = {}) => ({
    body: {
      remote,
      detection_threshold: 3,
      required_rx: 300_000,
      switch_slot: 'switch0' as const,
      mode: 'single_hop' as const,
      ...more,
    },
  })
  const stateOf = async (peer: string) =>
    (await admin.call('networking_bfd_status')).find((one) => one.peer === peer)

  test('are enabled, watched and disabled', async () => {
    const remote = '2001:db8::1'
    const { body } = session('2001:DB8:0::1', { local: '2001:db8::2' })
    await admin.call('networking_bfd_enable', { body })
    const { remote: _, ...rest } = body
    expect(await stateOf(remote)).toEqual({ ...rest, peer: remote, state: 'up' })
    const { uplinks } = server.host.controlPlane.engines
    await uplinks.takeDown('switch0', remote)
    expect(await stateOf(remote)).toMatchObject({ state: 'down' })
    const disable = { body: { remote, switch_slot: 'switch0' as const } }
    await admin.call('networking_bfd_disable', disable)
    expect(await stateOf(remote)).toBeUndefined()
    expect(await admin.refusal('networking_bfd_disable', disable)).toMatchObject({
      status: 404,
      message: `not found: bfd-session with id "${remote} on switch0"`,
    })
  })

  test('are refused twice, and with values that no session can have', async () => {
    await admin.call('networking_bfd_enable', session('192.0.2.1'))
    const refusal = async (...args: Parameters<typeof session>) =>
      (await admin.refusal('networking_bfd_enable', session(...args))).message
    expect(await refusal('192.0.2.1')).toBe('already exists: bfd-session "192.0.2.1 on switch0"')
    await admin.call('networking_bfd_enable', session('192.0.2.1', { switch_slot: 'switch1' }))
    expect(await refusal('192.0.2.2', { local: '2001:db8::1' })).toBe(
      'local and remote must be of the same address family',
    )
    expect(await refusal('192.0.2.2', { detection_threshold: 0 })).toBe(
      'unsupported value for "detection_threshold": must be at least 1',
    )
    for (const required_rx of [0, 2 ** 32]) {
      expect(await refusal('192.0.2.2', { required_rx })).toBe(
        'unsupported value for "required_rx": must be from 1 to 4294967295 microseconds',
      )
    }
  })
})

describe('settings of networking', () => {
  test('say whether services answer ICMP', async () => {
    expect(await admin.call('networking_inbound_icmp_view')).toEqual({ enabled: true })
    await admin.call('networking_inbound_icmp_update', { body: { enabled: false } })
    expect(await admin.call('networking_inbound_icmp_view')).toEqual({ enabled: false })
  })

  test('let instances have jumbo frames, which stay when that is over', async () => {
    const query = { project: 'jumbo' }
    await admin.call('project_create', { body: { name: 'jumbo', description: '' } })
    const wanted = (name: string) => ({
      query,
      body: { ...smallInstance(name), enable_jumbo_frames: true },
    })
    expect(await admin.refusal('instance_create', wanted('before'))).toEqual(
      invalid(jumboFramesMessages.create),
    )
    expect(await admin.call('system_networking_settings_view')).toEqual({
      external_jumbo_frames_opt_in_enabled: false,
    })
    const settings = { external_jumbo_frames_opt_in_enabled: true }
    expect(await admin.call('system_networking_settings_update', { body: settings })).toEqual(
      settings,
    )
    const instance = await admin.call('instance_create', wanted('large'))
    expect(instance.enable_jumbo_frames).toBe(true)
    await admin.call('system_networking_settings_update', { body: {} })
    const update = (enable_jumbo_frames: boolean) => ({
      params: { instance: instance.id },
      body: {
        ncpus: instance.ncpus,
        memory: instance.memory,
        boot_disk: null,
        auto_restart_policy: null,
        cpu_platform: null,
        enable_jumbo_frames,
      },
    })
    expect(await admin.call('instance_update', update(true))).toMatchObject({
      enable_jumbo_frames: true,
    })
    expect(await admin.call('instance_update', update(false))).toMatchObject({
      enable_jumbo_frames: false,
    })
    expect(await admin.refusal('instance_update', update(true))).toEqual(
      invalid(jumboFramesMessages.update),
    )
  })
})
