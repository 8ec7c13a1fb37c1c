/**
 * The resources of a project as a configuration for Terraform, written by the same functions that
 * show forms as code. Pages of rows are read, printed and sent one after the other; resources refer
 * to each other by the labels that are given before.
 */
import {
  type CachedResource,
  Configuration,
  Expression,
  fromWire,
  printBlock,
  type Kind,
  terraformProvider,
  writers,
} from '@steading/api/terraform'
import { counted } from '@steading/api/rules'
import type { Args, InstanceCreate, MethodName } from '@steading/api/client'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { idsIn, countRows } from '../../../kernel/db/rows.ts'
import { pick } from '../../../kernel/pick.ts'
import { ruleFilters, ruleTargets } from '../../networking/firewall-rules/table.ts'
import { transitNetworks } from '../../networking/network-interfaces/table.ts'
import { destinationOf, targetOf } from '../../networking/routers/wire.ts'

/** Rows that are read and printed per turn of the event loop. */
const PAGE = 50

interface Exporting {
  db: Db
  actor: Pick<Actor, 'userId'>
  project: Row<'project'>
  to: Configuration
  /** Reference to the name of the project, for data sources. */
  projectName: Expression
  /** Id of a VPC → its name, for data sources inside it. */
  vpcNames: Map<string, Expression | string>
  /** Resources that references need more of than the ID. */
  cache: Cache
}

type Listed =
  | 'vpc'
  | 'disk'
  | 'snapshot'
  | 'instance'
  | 'floating_ip'
  | 'external_subnet'
  | 'anti_affinity_group'

/** Rows of a kind in the project, a page at a time, in the order of their names. */
async function* pages<K extends Listed>(
  { db, project }: Pick<Exporting, 'db' | 'project'>,
  kind: K,
): AsyncGenerator<Row<K>[]> {
  for (let last = ''; ;) {
    const rows = (await rowsOf(db, kind as 'disk')
      .selectAll()
      .where('its.project_id', '=', project.id)
      .where('its.name', '>', last)
      .orderBy('its.name')
      .limit(PAGE)
      .execute()) as unknown as Row<K>[]
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
    last = (rows.at(-1) as unknown as { name: string }).name
    await yieldToEventLoop()
  }
}

function write<M extends MethodName>(to: Configuration, method: M, args: Args<M>): void {
  writers[method]!(args, to)
}

/** Resources by kind, and ID or name. */
class Cache {
  private readonly found = new Map<string, CachedResource>()

  add(kind: Kind, resource: CachedResource): void {
    this.found.set(`${kind} ${resource.id}`, resource)
    this.found.set(`${kind} ${resource.name}`, resource)
  }

  find(kind: Kind, nameOrId: string): CachedResource | undefined {
    return this.found.get(`${kind} ${nameOrId}`)
  }

  nameOf(kind: Kind, id: string): string {
    return this.find(kind, id)?.name ?? id
  }
}

async function readPools(db: Db, cache: Cache): Promise<void> {
  const ips = await db.selectFrom('ip_pool').select(['id', 'name', 'ip_version']).execute()
  for (const { ip_version: ipVersion, ...pool } of ips) cache.add('ipPool', { ...pool, ipVersion })
  const subnets = await db.selectFrom('subnet_pool').select(['id', 'name']).execute()
  for (const pool of subnets) cache.add('subnetPool', pool)
}

function writeProject({ to, project: { name, description } }: Exporting): void {
  write(to, 'projectCreate', { body: { name, description } })
}

/** VPCs with everything in them. The contents that a new VPC has anyway are data sources. */
async function* vpcs(ex: Exporting): AsyncGenerator<void> {
  const { to, project, projectName } = ex
  for await (const rows of pages(ex, 'vpc')) {
    for (const vpc of rows) {
      ex.cache.add('vpc', vpc)
      if (vpc.name === 'default') {
        const at = { project_name: projectName, name: vpc.name }
        to.refer(vpc.id, to.readAsMade('oxide_vpc', vpc.name, '', at))
        ex.vpcNames.set(vpc.id, vpc.name)
      } else {
        const label = to.reserve('oxide_vpc', vpc.name)
        to.refer(vpc.id, new Expression(`oxide_vpc.${label}.id`))
        ex.vpcNames.set(vpc.id, new Expression(`oxide_vpc.${label}.name`))
        const { name, description, dns_name: dnsName, ipv6_prefix: ipv6Prefix } = vpc
        write(to, 'vpcCreate', {
          query: { project: project.id },
          body: { name, description, dnsName, ipv6Prefix },
        })
      }
      await subnets(ex, vpc)
      await routers(ex, vpc)
      await gateways(ex, vpc)
      await firewallRules(ex, vpc)
      yield
    }
  }
}

const inVpc = ({ vpcNames, projectName }: Exporting, { id }: Row<'vpc'>, name: string) => ({
  project_name: projectName,
  vpc_name: vpcNames.get(id)!,
  name,
})

async function subnets(ex: Exporting, vpc: Row<'vpc'>): Promise<void> {
  const { db, to, project } = ex
  const rows = await rowsOf(db, 'vpc_subnet')
    .selectAll()
    .where('its.vpc_id', '=', vpc.id)
    .orderBy('its.name')
    .execute()
  for (const subnet of rows) {
    if (subnet.name === 'default') {
      const at = inVpc(ex, vpc, subnet.name)
      to.refer(subnet.id, to.readAsMade('oxide_vpc_subnet', subnet.name, vpc.name, at))
      continue
    }
    const label = to.reserve('oxide_vpc_subnet', subnet.name, vpc.name)
    to.refer(subnet.id, new Expression(`oxide_vpc_subnet.${label}.id`))
    const { name, description, ipv4_block: ipv4Block, custom_router_id } = subnet
    // The prefix of a default VPC is chosen with its project.
    const ipv6Block = vpc.name === 'default' ? undefined : subnet.ipv6_block
    to.within(vpc.name)
    write(to, 'vpcSubnetCreate', {
      query: { project: project.id, vpc: vpc.id },
      body: {
        name,
        description,
        ipv4Block,
        ipv6Block,
        customRouter: custom_router_id ?? undefined,
      },
    })
  }
}

async function routers(ex: Exporting, vpc: Row<'vpc'>): Promise<void> {
  const { db, to, project } = ex
  const rows = await rowsOf(db, 'vpc_router')
    .selectAll()
    .where('its.vpc_id', '=', vpc.id)
    .where('its.kind', '=', 'custom')
    .orderBy('its.name')
    .execute()
  for (const router of rows) {
    const { name, description } = router
    const query = { project: project.id, vpc: vpc.id }
    const label = to.reserve('oxide_vpc_router', name, vpc.name)
    to.refer(router.id, new Expression(`oxide_vpc_router.${label}.id`))
    to.within(vpc.name)
    write(to, 'vpcRouterCreate', { query, body: { name, description } })
    const routes = await rowsOf(db, 'router_route')
      .selectAll()
      .where('its.vpc_router_id', '=', router.id)
      .where('its.kind', '=', 'custom')
      .orderBy('its.name')
      .execute()
    for (const route of routes) {
      to.within(`${vpc.name} ${name}`)
      write(to, 'vpcRouterRouteCreate', {
        query: { router: router.id },
        body: {
          name: route.name,
          description: route.description,
          destination: destinationOf(route),
          target: targetOf(route),
        },
      })
    }
  }
}

async function gateways(ex: Exporting, vpc: Row<'vpc'>): Promise<void> {
  const { db, to, project } = ex
  const rows = await rowsOf(db, 'internet_gateway')
    .selectAll()
    .where('its.vpc_id', '=', vpc.id)
    .where('its.name', '<>', 'default')
    .orderBy('its.name')
    .execute()
  for (const { name, description } of rows) {
    to.within(vpc.name)
    write(to, 'internetGatewayCreate', {
      query: { project: project.id, vpc: vpc.id },
      body: { name, description },
    })
  }
  if (rows.length > 0) {
    to.note('The Terraform provider has no resource for attachments of an internet gateway.')
  }
}

async function firewallRules(ex: Exporting, vpc: Row<'vpc'>): Promise<void> {
  const { db, to } = ex
  const rows = await db
    .selectFrom('vpc_firewall_rule')
    .selectAll()
    .where('vpc_id', '=', vpc.id)
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()
  const rules = rows.map(({ targets, filters, ...rule }) => ({
    ...pick(rule, 'name', 'description', 'status', 'direction', 'action', 'priority'),
    targets: ruleTargets.read(targets),
    filters: ruleFilters.read(filters),
  }))
  write(to, 'vpcFirewallRulesUpdate', {
    query: { vpc: vpc.id },
    body: fromWire({ rules }) as Args<'vpcFirewallRulesUpdate'>['body'],
  })
}

async function* addresses(ex: Exporting): AsyncGenerator<void> {
  const { to, project, cache } = ex
  const query = { project: project.id }
  for await (const rows of pages(ex, 'floating_ip')) {
    for (const row of rows) {
      const label = to.reserve('oxide_floating_ip', row.name!)
      to.refer(row.id, new Expression(`oxide_floating_ip.${label}.id`))
      const pool = cache.nameOf('ipPool', row.ip_pool_id)
      write(to, 'floatingIpCreate', {
        query,
        body: {
          name: row.name!,
          description: row.description!,
          addressAllocator: { type: 'auto', poolSelector: { type: 'explicit', pool } },
        },
      })
    }
    yield
  }
  for await (const rows of pages(ex, 'external_subnet')) {
    for (const row of rows) {
      const { name, description, prefix_length: prefixLength } = row
      cache.add('externalSubnet', row)
      const label = to.reserve('oxide_external_subnet', name)
      to.refer(row.id, new Expression(`oxide_external_subnet.${label}.id`))
      const poolSelector = {
        type: 'explicit' as const,
        pool: cache.nameOf('subnetPool', row.subnet_pool_id),
      }
      write(to, 'externalSubnetCreate', {
        query,
        body: { name, description, allocator: { type: 'auto', prefixLength, poolSelector } },
      })
      if (row.instance_id !== null) {
        write(to, 'externalSubnetAttach', {
          path: { externalSubnet: row.id },
          body: { instance: row.instance_id },
        })
      }
    }
    yield
  }
}

async function* groups(ex: Exporting): AsyncGenerator<void> {
  const { to, project } = ex
  for await (const rows of pages(ex, 'anti_affinity_group')) {
    for (const row of rows) {
      const { name, description, policy, failure_domain: failureDomain } = row
      const label = to.reserve('oxide_anti_affinity_group', name)
      to.refer(row.id, new Expression(`oxide_anti_affinity_group.${label}.id`))
      const body = { name, description, policy, failureDomain }
      write(to, 'antiAffinityGroupCreate', { query: { project: project.id }, body })
    }
    yield
  }
}

/** Gives labels to all resources of a kind, so that those that come first can refer to them. */
async function reserve(ex: Exporting, kind: 'disk' | 'snapshot' | 'instance'): Promise<void> {
  const { to } = ex
  for await (const rows of pages(ex, kind)) {
    for (const { id, name } of rows) {
      const label = to.reserve(`oxide_${kind}`, name)
      to.refer(id, new Expression(`oxide_${kind}.${label}.id`))
    }
  }
}

/** Refers to the images of which disks are made by data sources. */
async function referToImages({ db, to, projectName }: Exporting, disks: Row<'disk'>[]) {
  const ids = [...new Set(disks.flatMap(({ image_id }) => image_id ?? []))].filter(
    (id) => to.referenceTo(id) === undefined,
  )
  if (ids.length === 0) return
  const images = await db
    .selectFrom('image')
    .select(['id', 'name', 'project_id'])
    .where('id', 'in', ids)
    .where('time_deleted', 'is', null)
    .execute()
  for (const { id, name, project_id } of images) {
    if (project_id !== null) {
      to.note(
        'Upload the images of the project before the disks are made of them: apply the project alone first, with -target.',
      )
    }
    const place = project_id === null ? {} : { project_name: projectName }
    to.refer(id, to.read('oxide_image', name, { ...place, name }))
  }
}

type Backend = Args<'diskCreate'>['body']['diskBackend']

/** The backend of a disk; a source that was deleted is left out. */
function backendOf(to: Configuration, disk: Row<'disk'>): Backend {
  if (disk.disk_type === 'local') return { type: 'local' }
  const { image_id: imageId, snapshot_id: snapshotId } = disk
  const readOnly = disk.read_only === 1
  if (imageId !== null && to.referenceTo(imageId) !== undefined) {
    return { type: 'distributed', diskSource: { type: 'image', imageId, readOnly } }
  }
  if (snapshotId !== null && to.referenceTo(snapshotId) !== undefined) {
    return { type: 'distributed', diskSource: { type: 'snapshot', snapshotId, readOnly } }
  }
  to.remark(
    imageId !== null || snapshotId !== null
      ? 'Empty: the image or snapshot that it was made of was deleted'
      : disk.importing === 1
        ? 'Empty: its contents were uploaded'
        : undefined,
  )
  return { type: 'distributed', diskSource: { type: 'blank', blockSize: disk.block_size } }
}

async function* disks(ex: Exporting): AsyncGenerator<void> {
  const { to, project } = ex
  for await (const rows of pages(ex, 'disk')) {
    await referToImages(ex, rows)
    for (const disk of rows) {
      const { name, description, size } = disk
      const diskBackend = backendOf(to, disk)
      write(to, 'diskCreate', {
        query: { project: project.id },
        body: { name, description, size, diskBackend },
      })
    }
    yield
  }
}

async function* snapshots(ex: Exporting): AsyncGenerator<void> {
  const { to, project } = ex
  for await (const rows of pages(ex, 'snapshot')) {
    for (const { name, description, disk_id } of rows) {
      if (to.referenceTo(disk_id) === undefined) {
        to.note(`Snapshot ${name} is left out: its disk was deleted.`)
        continue
      }
      write(to, 'snapshotCreate', {
        query: { project: project.id },
        body: { name, description, disk: disk_id },
      })
    }
    yield
  }
}

/** Rows about some instances, by instance. */
async function byInstance<R extends { instance_id: string | null }>(
  rows: Promise<R[]>,
): Promise<Map<string, R[]>> {
  return Map.groupBy(await rows, ({ instance_id }) => instance_id!)
}

async function partsOf({ db, actor }: Exporting, ids: readonly string[]) {
  return {
    disks: await byInstance(
      rowsOf(db, 'disk')
        .select(['its.id', 'its.name', 'its.instance_id'])
        .where('its.instance_id', 'in', ids)
        .orderBy('its.slot')
        .execute(),
    ),
    nics: await byInstance(
      db
        .selectFrom('network_interface as its')
        .innerJoin('vpc_subnet as subnet', 'subnet.id', 'its.subnet_id')
        .innerJoin('vpc', 'vpc.id', 'its.vpc_id')
        .selectAll('its')
        .select(['subnet.name as subnet_name', 'vpc.name as vpc_name'])
        .where('its.instance_id', 'in', ids)
        .orderBy('its.is_primary', 'desc')
        .orderBy('its.slot')
        .execute(),
    ),
    ips: await byInstance(
      db
        .selectFrom('external_ip')
        .select(['instance_id', 'kind', 'ip', 'ip_pool_id', 'id', 'name'])
        .where('instance_id', 'in', ids)
        .where('kind', '<>', 'snat')
        .orderBy('ip_key')
        .execute(),
    ),
    keys: await byInstance(
      db
        .selectFrom('instance_ssh_key as link')
        .innerJoin('ssh_key', 'ssh_key.id', 'link.ssh_key_id')
        .select(['link.instance_id', 'ssh_key.name', 'ssh_key.silo_user_id'])
        .where('link.instance_id', 'in', ids)
        .orderBy('ssh_key.name')
        .execute(),
    ),
    groups: await byInstance(
      rowsOf(db, 'anti_affinity_group')
        .innerJoin('affinity_group_member as member', 'member.group_id', 'its.id')
        .select(['its.id', 'member.instance_id'])
        .where('member.instance_id', 'in', ids)
        .orderBy('its.name')
        .execute(),
    ),
    own: actor.userId,
  }
}
type Parts = Awaited<ReturnType<typeof partsOf>>
type Nic = NonNullable<ReturnType<Parts['nics']['get']>>[number]
type NicCreate = Extract<
  NonNullable<InstanceCreate['networkInterfaces']>,
  { type: 'create' }
>['params'][number]

/** The IPv4 address is explicit. The IPv6 prefix of a new VPC differs, and so does its address. */
function nicOf(nic: Nic): NicCreate {
  const v4 = nic.ipv4 !== null && {
    ip: { type: 'explicit' as const, value: nic.ipv4 },
    transitIps: transitNetworks.read(nic.transit_ips_v4),
  }
  const v6 = nic.ipv6 !== null && {
    ip: { type: 'auto' as const },
    transitIps: transitNetworks.read(nic.transit_ips_v6),
  }
  const { name, description, vpc_name: vpcName, subnet_name: subnetName } = nic
  return {
    name,
    description,
    vpcName,
    subnetName,
    ipConfig:
      v4 && v6
        ? { type: 'dual_stack', value: { v4, v6 } }
        : v4
          ? { type: 'v4', value: v4 }
          : { type: 'v6', value: v6 as Exclude<typeof v6, false> },
  }
}

function bodyOf({ cache }: Exporting, row: Row<'instance'>, parts: Parts): InstanceCreate {
  const attached = parts.disks.get(row.id) ?? []
  const boot = attached.find(({ id }) => id === row.boot_disk_id)
  const nics = parts.nics.get(row.id) ?? []
  const attach = ({ name }: { name: string }) => ({ type: 'attach' as const, name })
  return {
    ...pick(row, 'name', 'description', 'hostname', 'ncpus', 'memory'),
    bootDisk: boot ? attach(boot) : null,
    disks: attached.filter((disk) => disk !== boot).map(attach),
    networkInterfaces:
      nics.length === 0 ? { type: 'none' } : { type: 'create', params: nics.map(nicOf) },
    externalIps: (parts.ips.get(row.id) ?? []).map((ip) =>
      ip.kind === 'floating'
        ? { type: 'floating', floatingIp: ip.id }
        : {
            type: 'ephemeral',
            poolSelector: { type: 'explicit', pool: cache.nameOf('ipPool', ip.ip_pool_id) },
          },
    ),
    sshPublicKeys: (parts.keys.get(row.id) ?? [])
      .filter(({ silo_user_id }) => silo_user_id === parts.own)
      .map(({ name }) => name),
    antiAffinityGroups: (parts.groups.get(row.id) ?? []).map(({ id }) => id),
    autoRestartPolicy: row.auto_restart_policy,
    start: !['stopped', 'stopping'].includes(row.run_state),
  }
}

/** Properties of an instance that its configuration lacks, for a comment. */
function lacksOf(row: Row<'instance'>, parts: Parts): string | undefined {
  const others = (parts.keys.get(row.id) ?? []).filter(
    ({ silo_user_id }) => silo_user_id !== parts.own,
  ).length
  const left = [
    row.user_data !== '' && 'user data, which may contain secrets',
    others > 0 && `${counted(others, 'SSH key')} of other users`,
    row.cpu_platform !== null && 'the CPU platform',
    row.enable_jumbo_frames === 1 && 'jumbo frames',
  ].filter(Boolean)
  return left.length > 0 ? `Left out: ${left.join('; ')}` : undefined
}

async function* instances(ex: Exporting): AsyncGenerator<void> {
  const { to, project } = ex
  for await (const rows of pages(ex, 'instance')) {
    const parts = await partsOf(ex, idsIn(rows))
    for (const row of rows) {
      to.remark(lacksOf(row, parts))
      write(to, 'instanceCreate', { query: { project: project.id }, body: bodyOf(ex, row, parts) })
    }
    yield
  }
}

/** Kinds in a project for which the provider has no resource, with the noun of one. */
const missing = {
  image: 'image',
  affinity_group: 'affinity group',
  schedule: 'schedule',
  instance_template: 'template',
  probe: 'probe',
  service_account: 'service account',
} as const

async function missingThings({ db, project }: Exporting): Promise<string[]> {
  const counts: string[] = []
  for (const [kind, noun] of Object.entries(missing)) {
    const count = await countRows(
      rowsOf(db, kind as 'schedule').where('its.project_id', '=', project.id),
    )
    if (count > 0) counts.push(counted(count, noun))
  }
  return counts
}

const comment = (text: string) => `# ${text}\n`

/** The configuration, in pieces of text. */
export async function* exportProject(
  db: Db,
  actor: Pick<Actor, 'userId'>,
  project: Row<'project'>,
): AsyncGenerator<string> {
  const cache = new Cache()
  await readPools(db, cache)
  const to = new Configuration((kind, nameOrId) => cache.find(kind, nameOrId))
  const label = to.reserve('oxide_project', project.name)
  to.refer(project.id, new Expression(`oxide_project.${label}.id`))
  const projectName = new Expression(`oxide_project.${label}.name`)
  const ex: Exporting = { db, actor, project, to, projectName, vpcNames: new Map(), cache }
  const printed = () => {
    const blocks = to.takeBlocks()
    return blocks.length > 0 ? `\n${blocks.map(printBlock).join('\n\n')}\n` : ''
  }

  yield comment(`The resources of project ${project.name}, for Terraform.`)
  yield comment(terraformProvider)
  yield comment('Another name of the project makes a copy of it; its disks begin as their sources.')
  yield `\nterraform {\n  required_providers {\n    oxide = {\n      source  = "oxidecomputer/oxide"\n      version = ">= 0.20"\n    }\n  }\n}\n`
  writeProject(ex)
  yield printed()
  for (const kind of ['disk', 'snapshot', 'instance'] as const) await reserve(ex, kind)
  for (const section of [vpcs, addresses, groups, disks, snapshots, instances]) {
    for await (const _ of section(ex)) {
      yield printed()
      await yieldToEventLoop()
    }
  }
  const things = await missingThings(ex)
  const notes = [
    ...to.notes,
    ...(things.length > 0
      ? [
          `The Terraform provider has no resource for these, or cannot make them: ${things.join(', ')}.`,
        ]
      : []),
    'The Terraform provider has no resource for the access policy, tags and notes.',
  ]
  yield `\n${notes.map(comment).join('')}`
}
