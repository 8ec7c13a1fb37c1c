import { operationTable, parseBody } from '@steading/api'
import { describe, expect, test } from 'vitest'

const parse = (id: 'disk_create' | 'instance_create', body: object) =>
  parseBody(operationTable[id].body!, JSON.stringify(body), operationTable[id].upgrade)

const disk = { name: 'd', description: '', size: 1 }
const blank = { type: 'blank', block_size: 512 }
const instance = { name: 'i', description: '', hostname: 'i', ncpus: 1, memory: 1 }

describe('bodies of older clients', () => {
  test('disks without a backend are distributed', () => {
    const modern = { ...disk, disk_backend: { type: 'distributed', disk_source: blank } }
    expect(parse('disk_create', { ...disk, disk_source: blank })).toEqual(modern)
    expect(parse('disk_create', modern)).toEqual(modern)
  })

  test('so are the disks made along with an instance', () => {
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

  test('what is no object is refused like any other', () => {
    expect(() => parse('disk_create', [])).toThrow(
      'unable to parse JSON body: invalid type: sequence, expected a map at line 1 column 2',
    )
  })
})

test('what may be left out of a new instance is filled in', () => {
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
