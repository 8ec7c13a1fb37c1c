/** Control plane specification 10.1 and 10.2: switch ports, their settings, links and LLDP. */
import type { Wire } from '@steading/api'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { outcomes, runJob, targets } from '../../support/jobs.ts'
import { stopClocks } from '../../support/clock.ts'
import {
  applyTo,
  clearPorts,
  createBgpConfig,
  createLot,
  freePort,
  freshNetwork,
  freshUplink as fresh,
  peerOf,
  placeOf,
  portSettings,
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
const invalidValue = (label: string, text: string) => ({
  status: 400,
  error_code: 'InvalidValue',
  message: `unsupported value for "${label}": ${text}`,
})
const conflict = (message: string) => ({ status: 409, error_code: 'Conflict', message })

type Document = Wire.SwitchPortSettingsCreate
const create = (more?: Partial<Document>) =>
  admin.call('networking_switch_port_settings_create', { body: portSettings(more) })
const refusal = (more: Partial<Document>) =>
  admin.refusal('networking_switch_port_settings_create', { body: portSettings(more) })
const of = (port: string) => ({ params: { port } })
const link = (link_name: string, more: Partial<Wire.LinkConfigCreate> = {}) => ({
  ...portSettings().links[0]!,
  link_name,
  ...more,
})

describe('port settings', () => {
  test('hold a whole document, and return it as written', async () => {
    const network = freshNetwork()
    const { lot, blocks } = await createLot(admin, network)
    const { config } = await createBgpConfig(admin)
    const tx_eq = { main: 5, pre1: -1, pre2: null, post1: null, post2: 0 }
    const peer = peerOf(config, {
      allowed_import: { type: 'allow', value: ['2001:DB8::/32'] },
      communities: [1, 4_294_967_295],
      md5_auth_key: 'between us',
      local_pref: 100,
      min_ttl: 255,
      multi_exit_discriminator: 7,
      vlan_id: 300,
    })
    const body = portSettings({
      description: 'To the provider',
      port_config: { geometry: 'qsfp28x2' },
      links: [
        link('phy0', { fec: 'rs', autoneg: true, tx_eq }),
        link('phy1', { speed: 'speed40_g' }),
      ],
      interfaces: [{ link_name: 'vlan300', kind: { type: 'vlan', vid: 300 }, v6_enabled: true }],
      addresses: [
        {
          link_name: 'phy0',
          addresses: [{ address: `${network.at(2)}/30`, address_lot: lot.id, vlan_id: 300 }],
        },
      ],
      routes: [
        {
          link_name: 'phy0',
          routes: [{ dst: '0.0.0.0/0', gw: network.at(1), vid: null, rib_priority: 1 }],
        },
      ],
      bgp_peers: [{ link_name: 'phy1', peers: [peer] }],
    })
    const made = await admin.call('networking_switch_port_settings_create', { body })
    const its = { port_settings_id: made.id }
    expect(made).toMatchObject({
      name: body.name,
      groups: [],
      port: { ...its, geometry: 'qsfp28x2' },
      links: [
        { ...its, link_name: 'phy0', fec: 'rs', tx_eq_config: tx_eq },
        { link_name: 'phy1', lldp_link_config: { enabled: true } },
      ],
      interfaces: [{ ...its, interface_name: 'vlan300', kind: { type: 'vlan', vid: 300 } }],
      addresses: [
        {
          ...its,
          address: `${network.at(2)}/30`,
          address_lot_id: lot.id,
          address_lot_block_id: blocks[0]!.id,
          address_lot_name: lot.name,
          interface_name: 'phy0',
          vlan_id: 300,
        },
      ],
      routes: [{ ...its, dst: '0.0.0.0/0', gw: network.at(1), interface_name: 'phy0' }],
      bgp_peers: [
        {
          ...peer,
          bgp_config: config.id,
          allowed_import: { type: 'allow', value: ['2001:db8::/32'] },
        },
      ],
    })
    expect(await admin.call('networking_switch_port_settings_view', of(made.name))).toEqual(made)
    const uses = await admin.call('networking_address_lot_use_list', {
      params: { address_lot: lot.name },
    })
    expect(uses.items).toMatchObject([
      { kind: 'switch_port_settings', id: made.id, name: made.name },
    ])
    // The detailed view can be written again, and changes nothing.
    const read = () => admin.call('networking_switch_port_settings_details', of(made.id))
    const { id, time_created, time_modified: _, ports, ...document } = await read()
    const { groups: __, ...written } = body
    expect(document).toMatchObject({ ...written, addresses: [{}], bgp_peers: [{}] })
    const again = await admin.call('networking_switch_port_settings_create', {
      body: { ...document, groups: [] },
    })
    expect({ ...again, time_modified: made.time_modified }).toEqual(made)
    expect({ id, time_created, ports }).toEqual({
      id: made.id,
      time_created: made.time_created,
      ports: [],
    })
    const { items } = await admin.call('networking_switch_port_settings_search', {
      query: { search: made.name, geometry: 'qsfp28x2', use: 'unused' },
    })
    expect(items).toMatchObject([
      { id, link_count: 2, address_count: 1, route_count: 1, peer_count: 1, port_count: 0 },
    ])
  })

  const peers = (...its: Partial<Wire.BgpPeer>[]) => ({
    bgp_peers: [{ link_name: 'phy0', peers: its.map((one) => peerOf({ id: 'nobody' }, one)) }],
  })
  const route = { dst: '0.0.0.0/0', gw: '198.51.100.1' }
  test.each<[string, Partial<Document>, object]>([
    ['peers of unknown configurations', peers({}), invalid('BGP config not found')],
    [
      'addresses of unknown lots',
      {
        addresses: [
          {
            link_name: 'phy0',
            addresses: [{ address: '198.51.100.1/30', address_lot: 'nowhere' }],
          },
        ],
      },
      invalid('AddressLot not found'),
    ],
    [
      'two peers of one address',
      peers({}, {}),
      invalid('duplicate numbered peer using 198.51.100.1'),
    ],
    [
      'two peers that are found on one link',
      peers(
        { addr: { type: 'unnumbered', router_lifetime: 0 } },
        { addr: { type: 'unnumbered', router_lifetime: 1 } },
      ),
      invalid('duplicate unnumbered peer using phy0'),
    ],
    [
      'long keys',
      peers({ md5_auth_key: 'k'.repeat(81) }),
      invalidValue('md5_auth_key', 'md5 auth key for 198.51.100.1 is longer than 80 characters'),
    ],
    [
      'keys beyond ASCII',
      peers({ md5_auth_key: 'ключ' }),
      invalidValue('md5_auth_key', 'md5 auth key for 198.51.100.1 must be printable ascii'),
    ],
    [
      'a source of another version',
      peers({ addr: { type: 'numbered', target_addr: '192.0.2.1', src_addr: '2001:db8::1' } }),
      invalid('target_addr and src_addr must be of the same address family'),
    ],
    [
      'two links of one name',
      { links: [link('phy0'), link('phy0')] },
      invalid('link phy0 is declared twice'),
    ],
    [
      'VLANs that are none',
      { routes: [{ link_name: 'phy0', routes: [{ ...route, vid: 4095 }] }] },
      invalidValue('vid', 'must be from 1 to 4094'),
    ],
    [
      'too many routes',
      { routes: [{ link_name: 'phy0', routes: Array.from({ length: 257 }, () => route) }] },
      invalid('Port settings may have at most 256 routes'),
    ],
    [
      'groups, of which there are none',
      { groups: ['usual'] },
      {
        status: 404,
        error_code: 'ObjectNotFound',
        message: 'not found: switch-port-settings-group with name "usual"',
      },
    ],
  ])('with %s are refused', async (_, more, expected) => {
    expect(await refusal(more)).toEqual(expected)
  })

  test('with links that the port lacks, and entries without a link, are stored', async () => {
    const network = freshNetwork()
    const { lot } = await createLot(admin, network)
    const more = await create({ links: [link('phy0'), link('phy1')] })
    expect(more.links).toHaveLength(2)
    const orphans = {
      links: [],
      routes: [{ link_name: 'phy7', routes: [route] }],
      addresses: [
        {
          link_name: 'phy0',
          addresses: [{ address: `${network.at(1)}/30`, address_lot: lot.name }],
        },
      ],
    }
    const settings = await create(orphans)
    expect(settings).toMatchObject({
      links: [],
      routes: [{ interface_name: 'phy7' }],
      addresses: [{ interface_name: 'phy0' }],
    })
    // A port accepts them, and shows the links it has.
    const port = await applyTo(admin, settings)
    await admin.call('networking_switch_port_status', placeOf(port))
    await admin.call('networking_bgp_status')
    await admin.call('networking_switch_port_clear_settings', placeOf(port))
  })

  test('reserve their addresses in lots, and release them', async () => {
    const network = freshNetwork()
    const { lot } = await createLot(admin, network)
    const having = (host: number, name = fresh()) => ({
      name,
      addresses: [
        {
          link_name: 'phy0',
          addresses: [{ address: `${network.at(host)}/30`, address_lot: lot.name }],
        },
      ],
    })
    const { name } = await create(having(1))
    expect(await refusal(having(1))).toEqual(invalid('address unavailable'))
    expect(
      await refusal({
        addresses: [
          {
            link_name: 'phy0',
            addresses: [{ address: '203.0.113.1/32', address_lot: lot.name }],
          },
        ],
      }),
    ).toEqual(invalid('address not in lot'))
    const lotPath = { params: { address_lot: lot.name } }
    expect(await admin.refusal('networking_address_lot_delete', lotPath)).toEqual(
      invalid('lot is in use'),
    )
    // A replacement with another address releases the first one.
    await create(having(5, name))
    const { name: other } = await create(having(1))
    for (const port_settings of [name, other]) {
      await admin.call('networking_switch_port_settings_delete', { query: { port_settings } })
    }
    await admin.call('networking_address_lot_delete', lotPath)
  })

  test('are deleted by a name or an id, once no port has them', async () => {
    const settings = await create()
    const port = await applyTo(admin, settings)
    const remove = (query: { port_settings?: string }) =>
      admin.refusal('networking_switch_port_settings_delete', { query })
    expect(await remove({})).toEqual(invalid('name or id required'))
    expect(await remove({ port_settings: 'nobody' })).toEqual(invalid('port settings not found'))
    expect(await remove({ port_settings: settings.id })).toEqual(
      invalid('must clear port settings first'),
    )
    await admin.call('networking_switch_port_clear_settings', placeOf(port))
    await admin.call('networking_switch_port_settings_delete', {
      query: { port_settings: settings.id },
    })
    expect(
      await admin.refusal('networking_switch_port_settings_view', of(settings.name)),
    ).toMatchObject({
      status: 404,
      message: `not found: switch-port-settings with name "${settings.name}"`,
    })
  })

  test('are deleted in bulk, except those applied to a port', async () => {
    const [applied, unused] = [await create(), await create()]
    await applyTo(admin, applied)
    const ids = targets(applied.id, unused.id)
    const job = await runJob(admin, 'delete', 'switch_port_settings', ids, null)
    expect((await outcomes(admin, job)).toSorted()).toEqual(
      [
        `delete ${applied.name}: refused, must clear port settings first`,
        `delete ${unused.name}: succeeded`,
      ].toSorted(),
    )
  })

  test('are spelled as older clients expect', async () => {
    const { config } = await createBgpConfig(admin)
    const { addr: _, ...rest } = peerOf(config)
    const headers = { 'api-version': '2026021301.0.0', 'content-type': 'application/json' }
    const path = '/v1/system/networking/switch-port-settings'
    const put = async (peers: object[], version?: string) => {
      const answer = await admin.fetch(path, {
        method: 'POST',
        body: JSON.stringify({
          ...portSettings(),
          bgp_peers: [{ link_name: 'phy0', peers: peers.map((addr) => ({ ...rest, ...addr })) }],
        }),
        headers: { ...headers, 'api-version': version ?? '2026081901.0.0' },
      })
      return { status: answer.status, body: (await answer.json()) as any }
    }
    const read = async (name: string, version?: string) => {
      const { 'content-type': _type, ...named } = headers
      const { 'api-version': _version, ...unnamed } = named
      const answer = await admin.fetch(`${path}/${name}`, {
        headers: version ? { ...named, 'api-version': version } : unnamed,
      })
      return ((await answer.json()) as any).bgp_peers
    }
    const words = [
      { interface_name: 'phy0', router_lifetime: 0, addr: '198.51.100.77' },
      { interface_name: 'phy0', router_lifetime: 9, addr: null },
    ]
    const tagged = [
      { addr: { type: 'numbered', ip: '198.51.100.77' } },
      { addr: { type: 'unnumbered', router_lifetime: 9 } },
    ]
    const newest = [
      { addr: { type: 'numbered', target_addr: '198.51.100.77', src_addr: null } },
      { addr: { type: 'unnumbered', router_lifetime: 9 } },
    ]
    const spellings = {
      '2026021301.0.0': words,
      '2026032500.0.0': words,
      '2026060800.0.0': tagged,
      '2026081700.0.0': tagged,
      '2026081901.0.0': newest,
    }
    for (const [version, peers] of Object.entries(spellings)) {
      const { status, body } = await put(peers, version)
      expect({ version, status, peers: body.bgp_peers }).toMatchObject({
        version,
        status: 201,
        peers,
      })
      for (const [other, theirs] of Object.entries(spellings)) {
        const shown = await read(body.name, other)
        expect(shown).toMatchObject(theirs)
        // The newest clients get none of the fields for older ones.
        expect('interface_name' in shown[0]).toBe(theirs === words)
      }
      expect(await read(body.name)).toMatchObject(newest)
    }
    // A client without a version may spell peers in any way.
    for (const peers of [words, tagged, newest]) {
      const body = {
        ...portSettings(),
        bgp_peers: [{ link_name: 'phy0', peers: peers.map((addr) => ({ ...rest, ...addr })) }],
      }
      expect(await admin.send('POST', path, { body })).toMatchObject({
        status: 201,
        body: { bgp_peers: newest },
      })
    }
    expect((await put(tagged)).body.message).toContain('missing field `target_addr`')
    const settings = (await put(words, '2026021301.0.0')).body as { name: string }
    const { rack_id, port_name } = await freePort(admin)
    const apply = await admin.fetch(
      `/v1/system/hardware/switch-port/${port_name}/settings?rack_id=${rack_id}&switch_location=switch0`,
      { method: 'POST', body: JSON.stringify({ port_settings: settings.name }), headers },
    )
    expect(apply.status).toBe(204)
    const listed = await admin.fetch('/v1/system/hardware/switch-port?limit=1', { headers })
    const { items } = (await listed.json()) as { items: object[] }
    expect(items[0]).toHaveProperty('switch_location')
  })
})

describe('switch ports', () => {
  const uplinks = () => server.host.controlPlane.engines.uplinks
  const view = (port: { id: string }) =>
    admin.call('networking_switch_port_view', { params: { switch_port: port.id } })

  test('are those of both switches', async () => {
    const { items } = await admin.call('networking_switch_port_list', { query: { limit: 100 } })
    expect(items).toHaveLength(64)
    const [one] = items
    const found = await admin.call('networking_switch_port_list', {
      query: { switch_port_id: one!.id },
    })
    expect(found.items).toEqual([one])
    const sorted = await admin.call('networking_switch_port_search', {
      query: { switch_slot: 'switch1', sort_by: 'natural_name_descending', limit: 1 },
    })
    expect(sorted).toMatchObject({ total: 32, items: [{ name: 'switch1/qsfp31', links: [] }] })
    const nowhere = { params: { port: 'qsfp32' }, query: placeOf(one!).query }
    expect(await admin.refusal('networking_switch_port_status', nowhere)).toMatchObject({
      status: 404,
      message: 'not found: switch-port with name "qsfp32"',
    })
  })

  test('get settings, with which their links and peers come up, and lose them', async () => {
    const { config } = await createBgpConfig(admin)
    const settings = await create({
      bgp_peers: [{ link_name: 'phy0', peers: [peerOf(config)] }],
    })
    const port = await applyTo(admin, settings)
    const place = placeOf(port)
    expect(await view(port)).toMatchObject({
      port_settings_id: settings.id,
      port_settings_name: settings.name,
      links: [{ link_name: 'phy0', state: 'up', speed: 'speed100_g' }],
    })
    expect(await admin.call('networking_switch_port_status', place)).toMatchObject({
      links: [{ link_name: 'phy0', link_state: 'up', mtu: 1500 }],
      monitors: { receiver_power_mw: expect.any(Number) },
    })
    const sessions = async () =>
      (await admin.call('networking_bgp_status')).filter((peer) => peer.local_asn === config.asn)
    expect(await sessions()).toMatchObject([{ state: 'established', switch: 'switch0' }])
    const details = await admin.call('networking_switch_port_settings_details', of(settings.id))
    expect(details.ports).toMatchObject([{ id: port.id, name: port.name }])
    const found = await admin.call('networking_switch_port_search', {
      query: { port_settings: settings.name, configured: 'yes' },
    })
    expect(found.items.map(({ id }) => id)).toEqual([port.id])

    await uplinks().takeDown('switch0', port.port_name)
    expect(await view(port)).toMatchObject({ links: [{ state: 'down' }] })
    expect(await sessions()).toMatchObject([{ state: 'active' }])
    await uplinks().bringUp('switch0', port.port_name)
    expect(await sessions()).toMatchObject([{ state: 'established' }])

    await admin.call('networking_switch_port_clear_settings', place)
    expect(await sessions()).toEqual([])
    expect(await view(port)).toMatchObject({
      port_settings_id: null,
      time_applied: null,
      links: [],
    })
    // Removing the settings of a port without any does nothing.
    await admin.call('networking_switch_port_clear_settings', place)
  })

  test('follow later changes of their settings', async () => {
    const { config, set } = await createBgpConfig(admin)
    const body = portSettings({ bgp_peers: [{ link_name: 'phy0', peers: [peerOf(config)] }] })
    const put = (more: Partial<Document>) =>
      admin.call('networking_switch_port_settings_create', { body: { ...body, ...more } })
    const port = await applyTo(admin, await put({}))
    const second = peerOf(config, {
      addr: { type: 'numbered', target_addr: '198.51.100.5', src_addr: null },
    })
    await put({ bgp_peers: [{ link_name: 'phy0', peers: [peerOf(config), second] }] })
    const status = await admin.call('networking_bgp_status')
    expect(status.map(({ addr }) => addr)).toEqual(['198.51.100.1', '198.51.100.5'])
    // The first session has continued.
    expect(status[0]!.state_duration_millis).toBeGreaterThan(status[1]!.state_duration_millis)
    const links = async () => (await view(port)).links
    const [before] = await links()
    await put({ description: 'Once more' })
    expect(await links()).toEqual([before])
    await put({ links: [link('phy0', { speed: 'speed40_g' })] })
    expect((await links())[0]!.time_changed > before!.time_changed).toBe(true)

    // Nor can they get an ASN that conflicts with another port of the switch.
    const other = await admin.call('networking_bgp_config_create', {
      body: { name: fresh(), description: '', asn: 4_200_000_000, bgp_announce_set_id: set.id },
    })
    const contrary = await create({
      bgp_peers: [{ link_name: 'phy0', peers: [peerOf(other, { addr: second.addr })] }],
    })
    const elsewhere = await freePort(admin)
    const apply = { ...placeOf(elsewhere), body: { port_settings: contrary.id } }
    const refused = conflict('a different asn is already configured on this switch')
    expect(await admin.refusal('networking_switch_port_apply_settings', apply)).toEqual(refused)
    expect(await view(elsewhere)).toMatchObject({ port_settings_id: null })
    await applyTo(admin, contrary, 'switch1')
    const both = await create()
    await applyTo(admin, both)
    const wanted = {
      ...portSettings({ bgp_peers: [{ link_name: 'phy0', peers: [peerOf(other)] }] }),
      name: both.name,
    }
    expect(await admin.refusal('networking_switch_port_settings_create', { body: wanted })).toEqual(
      refused,
    )
  })

  test('show links that come up by themselves, even to clients with the last answer', async () => {
    const slow = await startTestServer({ bootMs: 600_000 })
    onTestFinished(() => slow.close())
    stopClocks()
    onTestFinished(() => void vi.useRealTimers())
    const { name } = await slow.admin.call('networking_switch_port_settings_create', {
      body: portSettings(),
    })
    const { id } = await applyTo(slow.admin, { name })
    const path = `/x/v1/system/hardware/switch-port/${id}`
    const first = await slow.admin.fetch(path)
    const { links } = (await first.json()) as Wire.SwitchPortDetails
    expect(links[0]!.state).not.toBe('up')
    vi.advanceTimersByTime(600_000)
    const port = slow.admin.call('networking_switch_port_view', { params: { switch_port: id } })
    expect((await port).links).toMatchObject([{ state: 'up' }])
    const headers = { 'if-none-match': first.headers.get('etag')! }
    expect((await slow.admin.fetch(path, { headers })).status).toBe(200)
  })

  test('send LLDP, and show their neighbors', async () => {
    const port = await freePort(admin)
    const place = placeOf(port)
    const config = () => admin.call('networking_switch_port_lldp_config_view', place)
    expect(await admin.refusal('networking_switch_port_lldp_config_view', place)).toEqual(
      invalidValue('settings', 'switch port not yet configured'),
    )
    const bare = await create({ links: [] })
    const apply = (port_settings: string) =>
      admin.call('networking_switch_port_apply_settings', { ...place, body: { port_settings } })
    await apply(bare.name)
    expect(await admin.refusal('networking_switch_port_lldp_config_view', place)).toEqual(
      invalidValue('settings', 'lldp not configured for this port'),
    )
    const settings = await create()
    await apply(settings.name)
    const before = await config()
    const neighbors = async (query: { limit?: number; page_token?: string } = {}) =>
      admin.call('networking_switch_port_lldp_neighbors', {
        params: { ...place.params, ...place.query },
        query,
      })
    const { items, next_page } = await neighbors({ limit: 1 })
    expect(items).toMatchObject([{ local_port: port.port_name }])
    expect(items[0]!.system_name).toMatch(/^router-/)
    expect((await neighbors({ page_token: next_page! })).items).toEqual([])
    const wanted = {
      ...before,
      enabled: false,
      system_name: 'rack',
      management_ip: '2001:DB8::1',
    }
    const update = (body: Wire.LldpLinkConfig) => ({ ...place, body })
    await admin.call('networking_switch_port_lldp_config_update', update(wanted))
    expect(await config()).toEqual({ ...wanted, management_ip: '2001:db8::1' })
    expect((await neighbors()).items).toEqual([])
    const id = crypto.randomUUID()
    expect(
      await admin.refusal('networking_switch_port_lldp_config_update', update({ ...wanted, id })),
    ).toEqual(invalid(`id (${before.id}) doesn't match provided config (${id})`))
  })
})
