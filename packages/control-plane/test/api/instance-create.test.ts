/**
 * Control plane specification 6.3: if any part of a new instance is refused, nothing is left
 * behind.
 */
import { GiB } from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import {
  affinityBody,
  blankDisk,
  detachedDisk,
  smallInstance,
  stoppedInstance,
} from '../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }
const unknown = '00000000-0000-4000-8000-000000000000'

const networkOf = (ip: string) => ({
  type: 'create',
  params: [
    {
      name: 'net0',
      description: '',
      vpc_name: 'default',
      subnet_name: 'default',
      ip_config: { type: 'v4', value: { ip: { type: 'explicit', value: ip } } },
    },
  ],
})
const newDisk = (name: string, values: object = {}) => ({
  type: 'create',
  ...blankDisk(name, values),
})
const diskOf = (source: object) =>
  newDisk('copy', {
    disk_backend: { type: 'distributed', disk_source: { read_only: false, ...source } },
  })

/** Creates or takes something of every kind. */
const whole = {
  anti_affinity_groups: ['apart'],
  boot_disk: newDisk('boot'),
  disks: [newDisk('data'), { type: 'attach', name: 'spare' }],
  network_interfaces: networkOf('172.30.0.99'),
  external_ips: [{ type: 'ephemeral' }, { type: 'floating', floating_ip: 'door' }],
  ssh_public_keys: [],
  start: true,
}
const bodyWith = (part: object) => ({ ...smallInstance('half'), ...whole, ...part })

const tables = [
  'instance',
  'disk',
  'network_interface',
  'external_ip',
  'affinity_group_member',
  'instance_ssh_key',
  'volume',
  'event',
] as const

/** All existing things, and the used quota. */
const everything = async () => ({
  rows: await Promise.all(
    tables.map(async (table) => {
      const rows = await server.db.selectFrom(table).selectAll().execute()
      return rows.map((row) => JSON.stringify(row)).sort()
    }),
  ),
  used: await admin.call('utilization_view'),
})

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  await admin.call('anti_affinity_group_create', { query, body: affinityBody('apart') })
  await detachedDisk(admin, query, 'spare')
  await detachedDisk(admin, query, 'held')
  const holder = await stoppedInstance(admin, query, 'holder', {
    disks: [{ type: 'attach', name: 'held' }],
    network_interfaces: networkOf('172.30.0.98'),
  })
  for (const name of ['door', 'taken']) {
    const body = { name, description: '', address_allocator: { type: 'auto' } }
    await admin.call('floating_ip_create', { query, body })
  }
  await admin.call('floating_ip_attach', {
    params: { floating_ip: 'taken' },
    query,
    body: { kind: 'instance', parent: holder.id },
  })
  await server.db
    .updateTable('silo')
    .set({ quota_storage: 10 * GiB })
    .execute()
})
afterAll(() => server.close())

test.each<[string, object, string]>([
  ['its name', { name: 'holder' }, 'already exists: instance "holder"'],
  [
    'a group',
    { anti_affinity_groups: ['apart', 'gone'] },
    'not found: anti-affinity-group with name "gone"',
  ],
  ['the name of its boot disk', { boot_disk: newDisk('held') }, 'already exists: disk "held"'],
  [
    'its boot disk',
    { boot_disk: { type: 'attach', name: 'held' } },
    'cannot attach disk "held": disk is attached to another instance',
  ],
  [
    'the name of a disk',
    { disks: [...whole.disks, newDisk('data')] },
    'already exists: disk "data"',
  ],
  [
    'a disk',
    { disks: [...whole.disks, { type: 'attach', name: 'gone' }] },
    'not found: disk with name "gone"',
  ],
  [
    'an image',
    { disks: [...whole.disks, diskOf({ type: 'image', image_id: unknown })] },
    `not found: image with id "${unknown}"`,
  ],
  [
    'a snapshot',
    { disks: [...whole.disks, diskOf({ type: 'snapshot', snapshot_id: unknown })] },
    `not found: snapshot with id "${unknown}"`,
  ],
  [
    'storage',
    { disks: [...whole.disks, newDisk('large', { size: 10 * GiB })] },
    'Insufficient capacity: Storage Limit Exceeded',
  ],
  [
    'an address of the network',
    { network_interfaces: networkOf('172.30.0.98') },
    "The IP address '172.30.0.98' is not available",
  ],
  [
    'a pool',
    { external_ips: [{ type: 'ephemeral', pool_selector: { type: 'explicit', pool: 'gone' } }] },
    'not found: ip-pool with name "gone"',
  ],
  [
    'a floating address',
    { external_ips: [...whole.external_ips, { type: 'floating', floating_ip: 'taken' }] },
    'floating IP cannot be attached to one instance while still attached to another',
  ],
  ['an SSH key', { ssh_public_keys: ['gone'] }, 'not found: ssh-key with name "gone"'],
])('%s is refused, and nothing is left behind', async (_, part, message) => {
  const before = await everything()
  const refusal = await admin.refusal('instance_create', { query, body: bodyWith(part) })
  expect(refusal.message).toContain(message)
  expect(await everything()).toEqual(before)
})

test('creates everything if nothing is refused', async () => {
  const { id } = await admin.call('instance_create', { query, body: bodyWith({}) })
  const disks = await admin.call('instance_disk_list', { params: { instance: id } })
  expect(disks.items.map(({ name }) => name).sort()).toEqual(['boot', 'data', 'spare'])
  const ips = await admin.call('instance_external_ip_list', { params: { instance: id } })
  expect(ips.items.map(({ kind }) => kind).sort()).toEqual(['ephemeral', 'floating', 'snat'])
})
