import type { SiloIpPool } from '@steading/api/client'
import { GiB, TiB } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { toDiskCreate, defaultDiskValues } from '../src/disks/disk-values.ts'
import { defaultPool, noEphemeral, poolsOf } from '../src/instances-create/pools.ts'
import { neededBy, quotaRows } from '../src/instances-create/quota.ts'
import {
  type InstanceValues,
  type NetworkValues,
  toBase64,
  toInstanceCreate,
} from '../src/instances-create/values.ts'

const values: InstanceValues = {
  name: 'web',
  description: '',
  start: true,
  hardware: 'General Purpose',
  preset: '4-16',
  ncpus: 200,
  memory: 300,
  boot: 'silo',
  siloImage: 'image-id',
  projectImage: 'other',
  bootSnapshot: '',
  bootDisk: 'hidden',
  bootSize: 20,
  bootName: '',
  bootReadOnly: false,
  disks: [
    { action: 'create', disk: toDiskCreate({ ...defaultDiskValues, name: 'data', size: 50 }) },
    { action: 'attach', name: 'old', size: 500 * GiB, local: false },
  ],
  sshKeys: [],
  network: 'default',
  ipVersions: 'ipv4',
  nics: [],
  ephemeral4: true,
  pool4: 'default',
  ephemeral6: false,
  pool6: 'left-over',
  floatingIps: [],
  antiAffinityGroups: [],
  autoRestart: 'default',
  hostname: '',
  userDataFrom: 'file',
  userData: null,
  userDataText: '',
}

test('only what is shown is sent', () => {
  const body = toInstanceCreate(values, undefined, '0123ef')
  expect(body).toMatchObject({
    hostname: 'web',
    ncpus: 4,
    memory: 16 * GiB,
    sshPublicKeys: [],
    networkInterfaces: { type: 'default_ipv4' },
    externalIps: [{ type: 'ephemeral', poolSelector: { type: 'explicit', pool: 'default' } }],
    disks: [
      { type: 'create', name: 'data', size: 50 * GiB },
      { type: 'attach', name: 'old' },
    ],
    bootDisk: {
      type: 'create',
      size: 20 * GiB,
      description: 'Created as a boot disk for web',
      diskBackend: { diskSource: { type: 'image', imageId: 'image-id', readOnly: false } },
    },
  })
  expect(body.bootDisk?.name).toBe('web-boot-0123ef')
  expect(body).not.toHaveProperty('userData')
})

test('an existing boot disk is attached by its name', () => {
  const body = toInstanceCreate({ ...values, boot: 'disk', bootDisk: 'root' }, undefined, '')
  expect(body.bootDisk).toEqual({ type: 'attach', name: 'root' })
})

test('user data of any bytes is base64', () => {
  const bytes = Uint8Array.from({ length: 32_768 }, (_, index) => index % 256)
  const decoded = Uint8Array.from(atob(toBase64(bytes)), (char) => char.charCodeAt(0))
  expect(decoded).toEqual(bytes)
})

test('a new disk is charged, an attached one is not', () => {
  expect(neededBy(values)).toEqual({ cpus: 4, memory: 16 * GiB, storage: 70 * GiB })
  expect(neededBy({ ...values, boot: 'disk' }).storage).toBe(50 * GiB)
  expect(neededBy({ ...values, hardware: 'Custom', ncpus: Number.NaN }).cpus).toBe(0)
})

test('what is over the quota says by how much and what then', () => {
  const utilization = {
    provisioned: { cpus: 10, memory: GiB, storage: TiB },
    capacity: { cpus: 12, memory: TiB, storage: TiB },
  }
  const [cpus, memory, storage] = quotaRows(utilization, neededBy(values), true)
  expect(cpus?.warning).toBe('CPU is 2 vCPUs over the quota. It will be created, but cannot start.')
  expect(memory?.warning).toBeUndefined()
  expect(storage?.warning).toContain('Storage is 70 GiB over the quota.')
})

const pool = (name: string, rest: Partial<SiloIpPool> = {}): SiloIpPool => ({
  id: name,
  name,
  description: '',
  timeCreated: new Date(),
  timeModified: new Date(),
  ipVersion: 'v4',
  poolType: 'unicast',
  isDefault: false,
  ...rest,
})

test('the default pool comes first, then the others by name; multicast is none', () => {
  const pools = [
    pool('b'),
    pool('a'),
    pool('z', { isDefault: true }),
    pool('m', { poolType: 'multicast' }),
    pool('six', { ipVersion: 'v6' }),
  ]
  expect(poolsOf(pools, 'v4').map(({ name }) => name)).toEqual(['z', 'a', 'b'])
  expect(defaultPool(pools, 'v4')).toBe('z')
  expect(defaultPool(pools, 'v6')).toBe('')
})

test('an ephemeral address needs an interface and a pool of its version', () => {
  const pools = [pool('a')]
  const both: NetworkValues = { network: 'default', ipVersions: 'dual_stack', nics: [] }
  expect(noEphemeral(pools, both, 'v4')).toBeUndefined()
  expect(noEphemeral(pools, both, 'v6')?.[0]).toBe('No IPv6 pools available')
  expect(noEphemeral(pools, { ...both, ipVersions: 'ipv6' }, 'v4')?.[0]).toBe(
    'Add an IPv4 network interface',
  )
  expect(noEphemeral(pools, { ...both, network: 'none' }, 'v4')?.[1]).toBe(
    'to attach an ephemeral IPv4 address',
  )
})
