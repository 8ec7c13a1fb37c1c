/** Control plane specification 10.2: address lots and loopback addresses. */
import type { Wire } from '@steading/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import {
  createAnnounceSet,
  createLot,
  freshNetwork,
  freshUplink as fresh,
} from '../../support/uplinks.ts'

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

describe('address lots', () => {
  const create = (blocks: Wire.AddressLotBlockCreate[], name = fresh()) => ({
    body: { name, description: 'Of the provider', kind: 'pool' as const, blocks },
  })
  const block = (first_address: string, last_address: string) => ({ first_address, last_address })
  const of = (address_lot: string) => ({ params: { address_lot } })

  test('can be created with their blocks, found, and deleted', async () => {
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
      'too many blocks',
      Array.from({ length: 1025 }, () => block('192.0.2.1', '192.0.2.1')),
      'An address lot may have at most 1024 blocks',
    ],
  ])('with %s are refused', async (_, blocks, message) => {
    expect(await admin.refusal('networking_address_lot_create', create(blocks))).toEqual(
      invalid(message),
    )
  })

  test('may have overlapping blocks; an address belongs to the one that begins first', async () => {
    const network = freshNetwork()
    const { lot, blocks } = await admin.call(
      'networking_address_lot_create',
      create([
        block(network.at(20), network.at(30)),
        block(network.at(1), network.at(20)),
        block(network.at(1), network.at(255)),
      ]),
    )
    expect(blocks).toHaveLength(3)
    const take = (address: string) => ({
      body: {
        rack_id,
        switch_slot: 'switch0' as const,
        address,
        mask: 32,
        address_lot: lot.id,
        anycast: false,
      },
    })
    const idOf = (last: string) => blocks.find((one) => one.last_address === last)!.id
    const shared = await admin.call('networking_loopback_address_create', take(network.at(25)))
    expect(shared.address_lot_block_id).toBe(idOf(network.at(255)))
    expect(
      await admin.refusal('networking_loopback_address_create', take(network.at(25))),
    ).toMatchObject({ status: 400 })
    expect(await admin.refusal('networking_address_lot_delete', of(lot.id))).toEqual(
      invalid('lot is in use'),
    )
  })

  test('stay while one of their addresses is in use or networks announced', async () => {
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

  test('are added to a switch and removed by their address', async () => {
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

  test('must be valid, free and in the lot', async () => {
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

  test('may be shared by switches if all of them declare anycast', async () => {
    await admin.call('networking_loopback_address_create', add(at(7), { anycast: true }))
    const other = add(at(7), { anycast: true, switch_slot: 'switch1' })
    await admin.call('networking_loopback_address_create', other)
    const single = add(at(7), { mask: 31 })
    expect(await admin.refusal('networking_loopback_address_create', single)).toEqual(
      invalid('address unavailable'),
    )
  })

  test('used from one lot are not free in another', async () => {
    const network = { first: at(0), last: at(255) }
    const { lot: other } = await createLot(admin, network)
    await admin.call('networking_loopback_address_create', add(at(8)))
    const again = add(at(8), { switch_slot: 'switch1', address_lot: other.name })
    expect(await admin.refusal('networking_loopback_address_create', again)).toEqual(
      invalid('address unavailable'),
    )
  })

  test('accept the location of the switch from older clients', async () => {
    const { switch_slot, ...rest } = add(at(9)).body
    // Not validated against the newest contract.
    const answer = await admin.fetch('/v1/system/networking/loopback-address', {
      method: 'POST',
      body: JSON.stringify({ ...rest, switch_location: switch_slot }),
      headers: { 'api-version': '2026021301.0.0', 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ switch_location: 'switch0' })
  })
})
