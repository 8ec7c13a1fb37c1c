import type { SiloIpPool } from '@steading/api/client'
import { errors, type ErrorTemplate, GiB, quotaMessages, TiB } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { uint8ArrayToBase64 } from 'uint8array-extras'
import { toDiskCreate, defaultDiskValues } from '../src/storage/disks/disk-values.ts'
import { failedField } from '../src/compute/instances/create/failed-field.ts'
import { defaultPool, noEphemeral, poolsOf } from '../src/compute/instances/create/pools.ts'
import {
  type InstanceValues,
  requiredQuota,
  type NetworkValues,
  toInstanceCreate,
  userDataFile,
} from '../src/compute/instances/create/values.ts'
import { quotaRows } from '../src/compute/instances/quota.ts'

const values: InstanceValues = {
  name: 'web',
  description: '',
  start: true,
  hardware: 'generalPurpose',
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
  bootPool: '',
  disks: [
    {
      action: 'create',
      disk: toDiskCreate({ ...defaultDiskValues, name: 'data', size: 50 }),
      pool: '',
    },
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

test('only visible fields are sent', () => {
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

test('a boot disk from a snapshot is named after both', () => {
  const chosen = { ...values, boot: 'snapshot', bootSnapshot: 'snapshot-id' } as const
  const source = { id: 'snapshot-id', name: 'nightly', size: GiB, kind: 'snapshot' } as const
  const { bootDisk } = toInstanceCreate(chosen, source, '0123ef')
  expect(bootDisk).toMatchObject({
    type: 'create',
    name: 'web-nightly-0123ef',
    diskBackend: {
      diskSource: { type: 'snapshot', snapshotId: 'snapshot-id', readOnly: false },
    },
  })
  expect(requiredQuota(chosen).storage).toBe(70 * GiB)
})

test('a refusal is shown at its field of the form', () => {
  const attached = { ...values, boot: 'disk', bootDisk: 'root' } as const
  const custom = { ...values, network: 'custom', hardware: 'custom' } as const
  const inBody = (reason: string) =>
    errors.badRequest(`unable to parse JSON body: ${reason} at line 1 column 9`)
  const rows: [error: ErrorTemplate, values: InstanceValues, field: string | undefined][] = [
    [errors.alreadyExists('instance', 'web'), values, 'name'],
    [errors.alreadyExists('disk', 'boot'), { ...values, bootName: 'boot' }, 'bootName'],
    // Name entered in a tab that is now hidden.
    [errors.alreadyExists('disk', 'boot'), { ...attached, bootName: 'boot' }, 'disks'],
    [errors.notFoundByName('disk', 'root'), attached, 'bootDisk'],
    [
      errors.invalidRequest('cannot attach disk "root": invalid state maintenance'),
      attached,
      'bootDisk',
    ],
    [
      errors.invalidRequest('cannot attach disk "old": disk is attached to another instance'),
      attached,
      'disks',
    ],
    [errors.notFoundById('image', 'image-id'), values, 'siloImage'],
    [errors.notFoundById('image', 'other'), values, 'disks'],
    [
      errors.notFoundById('snapshot', 's'),
      { ...values, boot: 'snapshot', bootSnapshot: 's' },
      'bootSnapshot',
    ],
    [
      errors.invalidRequest(`disk size ${20 * GiB} must be greater than or equal to image size 1`),
      values,
      'bootSize',
    ],
    [errors.insufficientCapacity(quotaMessages.storage), values, 'disks'],
    [errors.insufficientCapacity(quotaMessages.storage), { ...values, disks: [] }, 'bootSize'],
    [errors.invalidRequest('cannot have more than 254 vCPUs per instance'), values, 'preset'],
    [errors.invalidRequest('cannot have more than 254 vCPUs per instance'), custom, 'ncpus'],
    [errors.invalidValue('size', 'memory must be divisible by 1 GiB'), custom, 'memory'],
    [errors.invalidRequest('cannot attach more than 12 disks to instance'), values, 'disks'],
    [errors.notFoundByName('ip-pool', 'default'), values, 'pool4'],
    [errors.insufficientCapacity('No external IP addresses available'), values, 'pool4'],
    [
      errors.invalidRequest('An instance may not have more than 32 external IP addresses'),
      values,
      'floatingIps',
    ],
    [errors.notFoundByName('floating-ip', 'door'), values, 'floatingIps'],
    [errors.notFoundByName('anti-affinity-group', 'apart'), values, 'antiAffinityGroups'],
    [errors.notFoundByName('vpc-subnet', 'gone'), custom, 'nics'],
    [errors.notFoundByName('vpc', 'default'), values, 'network'],
    [errors.invalidRequest("The IP address '172.30.0.5' is not available"), custom, 'nics'],
    [errors.notFoundById('ssh-key', 'k'), values, 'sshKeys'],
    [inBody('hostname: invalid value'), values, 'hostname'],
    [inBody('disks[1].size: invalid value'), values, 'disks'],
    [inBody('missing field `start`'), values, undefined],
    // The code decides, not the message.
    [errors.conflict('disks are busy'), values, undefined],
    [inBody('user_data: invalid length 40000, expected less than 32 KiB'), values, 'userData'],
    [errors.notFoundByName('project', 'mill'), values, undefined],
  ]
  for (const [{ error_code: errorCode, message: said }, form, field] of rows)
    expect([said, failedField({ errorCode, said }, form)]).toEqual([said, field])
})

test('user data is the file or the text, depending on the choice', () => {
  const file = new File(['file'], 'f')
  const both = { ...values, userData: file, userDataText: 'Mühle 🌾' }
  expect(userDataFile({ ...both, userDataFrom: 'file' })).toBe(file)
  expect(userDataFile({ ...both, userDataFrom: 'text' })).toBeUndefined()
  const sent = (form: InstanceValues, base64?: string) =>
    toInstanceCreate(form, undefined, '', base64).userData
  expect(sent({ ...both, userDataFrom: 'file' }, btoa('file'))).toBe(btoa('file'))
  expect(sent({ ...both, userDataFrom: 'file', userData: null })).toBeUndefined()
  const text = atob(sent({ ...both, userDataFrom: 'text' })!)
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0))
  expect(new TextDecoder().decode(bytes)).toBe('Mühle 🌾')
})

test('user data of any bytes is base64', () => {
  const bytes = Uint8Array.from({ length: 32_768 }, (_, index) => index % 256)
  const decoded = Uint8Array.from(atob(uint8ArrayToBase64(bytes)), (char) => char.charCodeAt(0))
  expect(decoded).toEqual(bytes)
})

test('a new disk counts towards the quota, an attached one does not', () => {
  expect(requiredQuota(values)).toEqual({ cpus: 4, memory: 16 * GiB, storage: 70 * GiB })
  expect(requiredQuota({ ...values, boot: 'disk' }).storage).toBe(50 * GiB)
  expect(requiredQuota({ ...values, hardware: 'custom', ncpus: Number.NaN }).cpus).toBe(0)
})

test('an exceeded quota states the excess and its effect', () => {
  const utilization = {
    provisioned: { cpus: 10, memory: GiB, storage: TiB },
    capacity: { cpus: 12, memory: TiB, storage: TiB },
  }
  const [cpus, memory, storage] = quotaRows(utilization, requiredQuota(values), true)
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

test('the default pool comes first, then the others by name, without multicast pools', () => {
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
