/** A project as a configuration of Terraform, against the schema of the published provider. */
import { GiB } from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Parsed, parseHcl } from '../../../../console/test/as-code/hcl-parser.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { provider } from '../../support/terraform-provider.ts'
import {
  affinityBody,
  blankDisk,
  detachedDisk,
  sshKeyBody,
  stoppedInstance,
  until,
} from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'mill' }

const textOf = async (caller: Caller, project = 'mill'): Promise<string> => {
  const response = await caller.fetch(`/x/v1/projects/${project}/terraform`)
  expect(response.status).toBe(200)
  return response.text()
}
/** The resources and data sources; the parser knows no nested blocks. */
const blocksOf = (text: string): Parsed[] => parseHcl(text.replace(/^terraform \{[^]*?^\}\n/m, ''))
const find = (blocks: Parsed[], kind: string, label: string) =>
  blocks.find(({ labels }) => labels[0] === kind && labels[1] === label)!

function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  if ('ref' in value && typeof value.ref === 'string') yield value.ref
  else for (const inner of Object.values(value)) yield* referencesIn(inner)
}

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'mill', description: 'Grinds "${flour}"' } })
  for (const name of ['race', 'weir']) {
    const body = { name, description: '', dns_name: name }
    await admin.call('vpc_create', { query, body })
    const inVpc = { query: { ...query, vpc: name } }
    const block = { name: 'stones', description: '', ipv4_block: '10.1.0.0/24' }
    await admin.call('vpc_subnet_create', { ...inVpc, body: block })
    await admin.call('vpc_router_create', { ...inVpc, body: { name: 'sluice', description: '' } })
    await admin.call('vpc_router_route_create', {
      query: { ...query, vpc: name, router: 'sluice' },
      body: {
        name: 'out',
        description: '',
        destination: { type: 'ip_net', value: '10.9.0.0/16' },
        target: { type: 'drop' },
      },
    })
    await admin.call('internet_gateway_create', {
      ...inVpc,
      body: { name: 'river', description: '' },
    })
  }
  await admin.call('anti_affinity_group_create', { query, body: affinityBody('apart') })
  await admin.call('affinity_group_create', { query, body: affinityBody('together') })
  await admin.call('current_user_ssh_key_create', { body: sshKeyBody('mine') })
  await admin.call('floating_ip_create', { query, body: { name: 'gate', description: '' } })
  const flour = await detachedDisk(admin, query, 'flour')
  const { id: snapshot_id } = await admin.call('snapshot_create', {
    query,
    body: { name: 'before', description: '', disk: 'flour' },
  })
  await until(
    () => admin.call('snapshot_view', { params: { snapshot: snapshot_id } }),
    ({ state }) => {
      if (state !== 'ready') throw new Error(`the snapshot is ${state}`)
    },
  )
  const ofSnapshot = { type: 'snapshot', snapshot_id, read_only: false } as const
  const ofLost = await admin.call('snapshot_create', {
    query,
    body: { name: 'lost', description: '', disk: flour.id },
  })
  await detachedDisk(admin, query, 'bread', {
    disk_backend: { type: 'distributed', disk_source: ofSnapshot },
  })
  await detachedDisk(admin, query, 'crumbs', {
    disk_backend: {
      type: 'distributed',
      disk_source: { type: 'snapshot', snapshot_id: ofLost.id, read_only: false },
    },
  })
  await admin.call('snapshot_delete', { params: { snapshot: ofLost.id } })
  const image = await admin.call('image_create', {
    query,
    body: {
      name: 'debian',
      description: '',
      os: 'debian',
      version: '13',
      source: { type: 'snapshot', id: snapshot_id },
    },
  })
  await stoppedInstance(admin, query, 'wheel', {
    boot_disk: {
      type: 'create',
      ...blankDisk('wheel', {
        disk_backend: {
          type: 'distributed',
          disk_source: { type: 'image', image_id: image.id, read_only: false },
        },
      }),
    },
    disks: [{ type: 'attach', name: 'bread' }],
    user_data: 'c2VjcmV0',
    external_ips: [{ type: 'ephemeral' }, { type: 'floating', floating_ip: 'gate' }],
    anti_affinity_groups: ['apart'],
    network_interfaces: {
      type: 'create',
      params: [
        { name: 'a', description: '', vpc_name: 'race', subnet_name: 'stones' },
        { name: 'b', description: '', vpc_name: 'race', subnet_name: 'default' },
      ].map((nic) => ({
        ...nic,
        ip_config: {
          type: 'v4' as const,
          value: { ip: { type: 'auto' as const }, transit_ips: [] },
        },
      })),
    },
  })
})
afterAll(() => server.close())

test('has only what the provider knows, and refers only to what it has', async () => {
  const text = await textOf(admin)
  const blocks = blocksOf(text)
  const declared = new Set(
    blocks.map(({ type, labels }) => `${type === 'data' ? 'data.' : ''}${labels.join('.')}`),
  )
  expect(declared.size).toBe(blocks.length)
  for (const { type, labels, attributes } of blocks) {
    const schema = provider[type as 'data' | 'resource'][labels[0]!]
    expect(schema, labels.join('.')).toBeDefined()
    const names = Object.keys(attributes)
    expect(names, labels.join('.')).toEqual(expect.arrayContaining(schema!.required))
    expect([...schema!.required, ...schema!.optional]).toEqual(expect.arrayContaining(names))
    for (const reference of referencesIn(attributes)) {
      const known = [...declared].some((one) => reference.startsWith(`${one}.`))
      expect(known, reference).toBe(true)
    }
  }
  // No IDs, which another project would not have.
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/)
})

test('connects resources, also those of the same name in several VPCs', async () => {
  const blocks = blocksOf(await textOf(admin))
  expect(find(blocks, 'oxide_project', 'mill').attributes).toEqual({
    name: 'mill',
    description: 'Grinds "${flour}"',
  })
  expect(find(blocks, 'oxide_vpc_subnet', 'stones_2').attributes).toMatchObject({
    vpc_id: { ref: 'oxide_vpc.weir.id' },
    ipv4_block: '10.1.0.0/24',
  })
  expect(find(blocks, 'oxide_vpc_router_route', 'out').attributes).toMatchObject({
    vpc_router_id: { ref: 'oxide_vpc_router.sluice.id' },
    target: { type: 'drop' },
  })
  expect(find(blocks, 'oxide_vpc_firewall_rules', 'weir').attributes.vpc_id).toEqual({
    ref: 'oxide_vpc.weir.id',
  })
  expect(find(blocks, 'oxide_disk', 'bread').attributes.source_snapshot_id).toEqual({
    ref: 'oxide_snapshot.before.id',
  })
  expect(find(blocks, 'oxide_disk', 'crumbs').attributes).toMatchObject({
    block_size: 512,
    size: GiB,
  })
  const { attributes } = find(blocks, 'oxide_instance', 'wheel')
  expect(attributes).toMatchObject({
    project_id: { ref: 'oxide_project.mill.id' },
    boot_disk_id: { ref: 'oxide_disk.wheel.id' },
    disk_attachments: [{ ref: 'oxide_disk.wheel.id' }, { ref: 'oxide_disk.bread.id' }],
    external_ips: {
      ephemeral: [{ ip_version: 'v4', pool_id: { ref: 'data.oxide_ip_pool.default.id' } }],
      floating: [{ id: { ref: 'oxide_floating_ip.gate.id' } }],
    },
    network_interfaces: [
      { name: 'a', subnet_id: { ref: 'oxide_vpc_subnet.stones.id' } },
      { name: 'b', subnet_id: { ref: 'data.oxide_vpc_subnet.race_default.id' } },
    ],
    anti_affinity_groups: [{ ref: 'oxide_anti_affinity_group.apart.id' }],
    ssh_public_keys: [{ ref: 'data.oxide_ssh_key.mine.id' }],
    start_on_create: false,
  })
})

test('says what is left out', async () => {
  const { caller } = await server.createUser('reader', { silo: 'viewer' })
  const text = await textOf(caller)
  expect(text).not.toContain('c2VjcmV0')
  expect(text).toContain(
    '# Left out: user data, which may contain secrets; 1 SSH key of other users',
  )
  expect(text).toContain('# Empty: the image or snapshot that it was made of was deleted')
  expect(text).toMatch(/# .*1 image, 1 affinity group/)
  expect(text).toContain(
    '# The Terraform provider has no resource for attachments of an internet gateway.',
  )
  const { caller: stranger } = await server.createUser('stranger')
  expect((await stranger.fetch('/x/v1/projects/mill/terraform')).status).toBe(404)
})
