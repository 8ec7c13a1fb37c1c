import type { Db } from '../../../kernel/db/database.ts'
import { allInPages, inPages } from '../../../kernel/db/pages.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import type {
  Inventory,
  MeasuredDisk,
  MeasuredInstance,
  MeasuredInterface,
  MeasuredPool,
  MeasuredSled,
  MeasuredSwitch,
  ReadInventory,
} from '../../../kernel/ports/inventory.ts'
import { configuredBfd } from '../../system-networking/bfd/states.ts'
import { configuredPeers } from '../../system-networking/bgp/peers.ts'
import { linksOf } from '../../system-networking/switch-ports/links.ts'

type Instances = Pick<Inventory, 'instances' | 'disks' | 'interfaces'>

/** The parts of some instances, in the order of their slots, which is also that of the machine. */
async function partsOf(db: Db, instances: readonly MeasuredInstance[]) {
  const owners = new Map(instances.map((instance) => [instance.id, instance]))
  const ids = [...owners.keys()]
  const disks = await rowsOf(db, 'disk')
    .select(['its.id', 'its.instance_id', 'its.block_size'])
    .where('its.instance_id', 'in', ids)
    .where('its.state', '=', 'attached')
    .orderBy('its.slot')
    .execute()
  const interfaces = await rowsOf(db, 'network_interface')
    .select(['its.id', 'its.instance_id'])
    .where('its.instance_id', 'in', ids)
    .orderBy('its.slot')
    .execute()
  const owned = (id: string, instanceId: string) => {
    const { projectId, siloId } = owners.get(instanceId)!
    return { id, instanceId, projectId, siloId }
  }
  return {
    disks: disks.map((row): MeasuredDisk => ({
      ...owned(row.id, row.instance_id!),
      blockSize: row.block_size,
    })),
    interfaces: interfaces.map((row): MeasuredInterface => owned(row.id, row.instance_id)),
  }
}

/** Instances that have a machine, and their parts. */
async function instancesOf(db: Db): Promise<Instances> {
  const found: Instances = { instances: [], disks: [], interfaces: [] }
  const pages = inPages(
    rowsOf(db, 'instance')
      .select(['its.id', 'its.project_id', 'its.vm_id', 'its.sled_id', 'its.ncpus'])
      .where('its.sled_id', 'is not', null),
    'vm_id',
  )
  for await (const rows of pages) {
    const projects = await rowsOf(db, 'project')
      .select(['its.id', 'its.silo_id'])
      .where('its.id', 'in', [...new Set(rows.map((row) => row.project_id))])
      .execute()
    const siloOf = new Map(projects.map((project) => [project.id, project.silo_id]))
    const instances = rows.map((row) => ({
      id: row.id,
      projectId: row.project_id,
      siloId: siloOf.get(row.project_id)!,
      machineId: row.vm_id!,
      sledId: row.sled_id!,
      ncpus: row.ncpus,
    }))
    const { disks, interfaces } = await partsOf(db, instances)
    found.instances.push(...instances)
    found.disks.push(...disks)
    found.interfaces.push(...interfaces)
  }
  return found
}

async function sledsOf(db: Db): Promise<MeasuredSled[]> {
  const sleds = await allInPages(
    db
      .selectFrom('sled')
      .select(['id', 'rack_id', 'part', 'revision', 'name', 'slot'])
      .select(['usable_hardware_threads', 'time_created'])
      .where('policy', '=', 'in_service')
      .where('responding', '=', 1),
    'id',
  )
  return sleds
    .map((row) => ({
      id: row.id,
      rackId: row.rack_id,
      model: row.part,
      revision: row.revision,
      serial: row.name,
      slot: row.slot,
      threads: row.usable_hardware_threads,
      since: Date.parse(row.time_created),
    }))
    .sort((a, b) => a.slot - b.slot)
}

async function poolsOf(db: Db): Promise<MeasuredPool[]> {
  const disks = await allInPages(
    db
      .selectFrom('physical_disk')
      .select(['id', 'sled_id', 'name', 'form_factor', 'size', 'used'])
      .where('policy', '=', 'in_service')
      .where('healthy', '=', 1),
    'id',
  )
  return disks.map((row) => ({
    id: row.id,
    sledId: row.sled_id,
    serial: row.name,
    external: row.form_factor === 'u2',
    size: row.size,
    used: row.used,
  }))
}

async function switchesOf(db: Db): Promise<MeasuredSwitch[]> {
  const switches = await db.selectFrom('rack_switch').selectAll().orderBy('slot').execute()
  return switches.map((row) => ({
    id: row.id,
    rackId: row.rack_id,
    model: row.part,
    revision: row.revision,
    serial: row.name,
    slot: row.slot,
    since: Date.parse(row.time_created),
  }))
}

async function uplinksOf(db: Db): Promise<Pick<Inventory, 'links' | 'peers' | 'bfd'>> {
  const ports = await rowsOf(db, 'switch_port')
    .selectAll()
    .where('port_settings_id', 'is not', null)
    .orderBy('name_key')
    .execute()
  const links = await linksOf(db, ports)
  return {
    links: [...links.values()].flatMap((its) => its.links.map(({ configured }) => configured)),
    peers: await configuredPeers(db),
    bfd: await configuredBfd(db),
  }
}

/** Reads the resources to measure, for engines. */
export const createInventory =
  (db: Db): ReadInventory =>
  async () => ({
    ...(await instancesOf(db)),
    sleds: await sledsOf(db),
    switches: await switchesOf(db),
    pools: await poolsOf(db),
    ...(await uplinksOf(db)),
  })
