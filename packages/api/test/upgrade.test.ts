import {
  type ApiVersion,
  NEWEST_API_VERSION,
  type OperationId,
  operationTable,
  parseBody,
  presentResponse,
} from '@steading/api'
import { describe, expect, test } from 'vitest'
import { payloadChange } from '../src/observability/alerts/upgrade.ts'
import { anything, object, string } from '../src/schema.ts'
import { changed } from '../src/versions.ts'

/** @param version of the client; none unless given */
const parse = (id: OperationId, body: object, version?: ApiVersion) =>
  parseBody(operationTable[id].body!, JSON.stringify(body), version)

const disk = { name: 'd', description: '', size: 1 }
const blank = { type: 'blank', block_size: 512 }
const instance = { name: 'i', description: '', hostname: 'i', ncpus: 1, memory: 1 }

describe('bodies of older clients', () => {
  test('disks without a backend are distributed', () => {
    const modern = { ...disk, disk_backend: { type: 'distributed', disk_source: blank } }
    expect(parse('disk_create', { ...disk, disk_source: blank })).toEqual(modern)
    expect(parse('disk_create', modern)).toEqual(modern)
  })

  test('disks created with an instance are distributed as well', () => {
    const old = { type: 'create', ...disk, disk_source: blank }
    const modern = {
      type: 'create',
      ...disk,
      disk_backend: { type: 'distributed', disk_source: blank },
    }
    expect(
      parse('instance_create', { ...instance, disks: [old, modern], boot_disk: old }),
    ).toMatchObject({ disks: [modern, modern], boot_disk: modern })
  })

  test('the default network interface had one address', () => {
    expect(
      parse('instance_create', { ...instance, network_interfaces: { type: 'default' } }),
    ).toMatchObject({ network_interfaces: { type: 'default_ipv4' } })
  })

  const address = { name: 'f', description: '' }
  const auto = (pool_selector: object) => ({ type: 'auto', pool_selector })
  const byDefault = { type: 'auto', ip_version: null }
  test.each([
    [{}, auto(byDefault)],
    [{ pool: null }, auto(byDefault)],
    [{ pool: 'p' }, auto({ type: 'explicit', pool: 'p' })],
    [{ ip_version: 'v6' }, auto({ type: 'auto', ip_version: 'v6' })],
    [
      { ip: '192.0.2.1', pool: 'p' },
      { type: 'explicit', ip: '192.0.2.1' },
    ],
    [{ pool_selector: byDefault }, auto(byDefault)],
    [{ address_allocator: { type: 'explicit', ip: '::1' } }, { type: 'explicit', ip: '::1' }],
  ])('a floating IP with %j', (values, address_allocator) => {
    expect(parse('floating_ip_create', { ...address, ...values })).toEqual({
      ...address,
      address_allocator,
    })
  })

  test('pools of ephemeral addresses were named without a selector', () => {
    const pool_selector = { type: 'explicit', pool: 'p' }
    expect(parse('instance_ephemeral_ip_attach', { pool: 'p' })).toEqual({ pool_selector })
    expect(
      parse('instance_create', { ...instance, external_ips: [{ type: 'ephemeral', pool: 'p' }] }),
    ).toMatchObject({ external_ips: [{ type: 'ephemeral', pool_selector }] })
  })

  test('contradictions have their own refusals', () => {
    const both = 'cannot specify both `pool` and `ip_version`; `ip_version` is only used when'
    const values = { pool: 'p', ip_version: 'v4' }
    expect(() => parse('instance_ephemeral_ip_attach', values)).toThrow(both)
    expect(() => parse('floating_ip_create', { ...address, ...values })).toThrow(both)
    expect(() =>
      parse('floating_ip_create', { ...address, ip: '192.0.2.1', ip_version: 'v4' }),
    ).toThrow('cannot specify both `ip` and `ip_version`; the IP version is determined by')
  })

  const nic = { name: 'n', description: '', vpc_name: 'v', subnet_name: 's' }
  const stack = (type: string, ip: object, transit_ips: string[] = []) => ({
    type,
    value: { ip, transit_ips },
  })
  test.each([
    [{ ip: null }, stack('v4', { type: 'auto' })],
    [{ ip: '10.0.0.9' }, stack('v4', { type: 'explicit', value: '10.0.0.9' })],
    [{ ip: 'fd00::9' }, stack('v6', { type: 'explicit', value: 'fd00::9' })],
    [{ transit_ips: ['10.0.0.0/8'] }, stack('v4', { type: 'auto' }, ['10.0.0.0/8'])],
  ])('an interface with %j', (values, ip_config) => {
    const modern = { ...nic, ip_config }
    expect(parse('instance_network_interface_create', { ...nic, ...values })).toEqual(modern)
    const params = [{ ...nic, ...values }]
    expect(
      parse('instance_create', { ...instance, network_interfaces: { type: 'create', params } }),
    ).toMatchObject({ network_interfaces: { type: 'create', params: [modern] } })
  })

  test('values other than objects are refused as usual', () => {
    expect(() => parse('disk_create', [])).toThrow(
      'unable to parse JSON body: invalid type: sequence, expected a map at line 1 column 2',
    )
  })
})

test('optional parts of a new instance are filled in', () => {
  expect(parse('instance_create', instance)).toEqual({
    ...instance,
    user_data: '',
    network_interfaces: { type: 'default_dual_stack' },
    external_ips: [],
    multicast_groups: [],
    disks: [],
    boot_disk: null,
    start: true,
    auto_restart_policy: null,
    anti_affinity_groups: [],
    cpu_platform: null,
    enable_jumbo_frames: false,
  })
})

describe('a client that names its version', () => {
  const source = { ...disk, disk_source: blank }

  test('that is older than the change may use both spellings', () => {
    const modern = { ...disk, disk_backend: { type: 'distributed', disk_source: blank } }
    expect(parse('disk_create', source, 2025112000)).toEqual(modern)
    expect(parse('disk_create', modern, 2025112000)).toEqual(modern)
  })

  test('that knows the change must use the new shape', () => {
    expect(() => parse('disk_create', source, 2026021301)).toThrow('missing field `disk_backend`')
    expect(() =>
      parse('instance_create', { ...instance, disks: [{ type: 'create', ...source }] }, 2026021301),
    ).toThrow('disks[0]: missing field `disk_backend`')
  })

  test.each([undefined, 2026021301, 2026032500, 2026060499])(
    'before 2026060500 may omit jumbo frames from an update (%s)',
    (version) => {
      const update = {
        ncpus: 1,
        memory: 1,
        boot_disk: null,
        auto_restart_policy: null,
        cpu_platform: null,
      }
      expect(parse('instance_update', update, version)).toMatchObject({
        enable_jumbo_frames: false,
      })
      expect(
        parse('instance_update', { ...update, enable_jumbo_frames: true }, version),
      ).toMatchObject({ enable_jumbo_frames: true })
      expect(() => parse('instance_update', update, 2026060500)).toThrow(
        'missing field `enable_jumbo_frames`',
      )
    },
  )
})

test('the contents of alerts will be called payload, and older clients read them as before', () => {
  const Alert = changed(object({ id: string, payload: anything }), payloadChange)
  const alert = { id: 'a', payload: { slot: 1 } }
  expect(presentResponse(Alert, alert, NEWEST_API_VERSION)).toEqual({ id: 'a', alert: { slot: 1 } })
  expect(presentResponse(Alert, alert, 2026091100)).toEqual(alert)
})
