import type { Db } from '../../../kernel/db/database.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import type {
  Inventory,
  MeasuredDisk,
  MeasuredInstance,
  MeasuredInterface,
  ReadInventory,
} from '../../../kernel/ports/inventory.ts'
import { configuredBfd } from '../../system-networking/bfd/states.ts'
import { configuredPeers } from '../../system-networking/bgp/peers.ts'
import { linksOf } from '../../system-networking/switch-ports/links.ts'

/** Instances that have a machine. */
async function instancesOf(db: Db): Promise<MeasuredInstance[]> {
  const projects = await rowsOf(db, 'project').select(['its.id', 'its.silo_id']).execute()
  const siloOf = new Map(projects.map((project) => [project.id, project.silo_id]))
  const rows = await rowsOf(db, 'instance')
    .select(['its.id', 'its.project_id', 'its.vm_id', 'its.sled_id', 'its.ncpus'])
    .where('its.vm_id', 'is not', null)
    .where('its.sled_id', 'is not', null)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    projectId: row.project_id,
    siloId: siloOf.get(row.project_id)!,
    machineId: row.vm_id!,
    sledId: row.sled_id!,
    ncpus: row.ncpus,
  }))
}

/** The disks and interfaces of these instances. */
async function partsOf(db: Db, instances: readonly MeasuredInstance[]) {
  const owners = new Map(instances.map((instance) => [instance.id, instance]))
  const disks = await rowsOf(db, 'disk')
    .select(['its.id', 'its.instance_id', 'its.block_size'])
    .where('its.instance_id', 'is not', null)
    .where('its.state', '=', 'attached')
    .execute()
  const interfaces = await rowsOf(db, 'network_interface')
    .select(['its.id', 'its.instance_id'])
    .execute()
  const owned = (id: string, instanceId: string) => {
    const owner = owners.get(instanceId)
    return owner && { id, instanceId, projectId: owner.projectId, siloId: owner.siloId }
  }
  return {
    disks: disks.flatMap((row): MeasuredDisk[] => {
      const its = owned(row.id, row.instance_id!)
      return its ? [{ ...its, blockSize: row.block_size }] : []
    }),
    interfaces: interfaces.flatMap((row): MeasuredInterface[] => {
      const its = owned(row.id, row.instance_id)
      return its ? [its] : []
    }),
  }
}

async function rackOf(db: Db): Promise<Pick<Inventory, 'sleds' | 'switches' | 'pools'>> {
  const sleds = await db
    .selectFrom('sled')
    .selectAll()
    .where('policy', '=', 'in_service')
    .where('responding', '=', 1)
    .orderBy('slot')
    .execute()
  const switches = await db.selectFrom('rack_switch').selectAll().orderBy('slot').execute()
  const pools = await db
    .selectFrom('physical_disk')
    .selectAll()
    .where('policy', '=', 'in_service')
    .where('healthy', '=', 1)
    .execute()
  return {
    sleds: sleds.map((row) => ({
      id: row.id,
      rackId: row.rack_id,
      model: row.part,
      revision: row.revision,
      serial: row.name,
      slot: row.slot,
      threads: row.usable_hardware_threads,
      since: Date.parse(row.time_created),
    })),
    switches: switches.map((row) => ({
      id: row.id,
      rackId: row.rack_id,
      model: row.part,
      revision: row.revision,
      serial: row.name,
      slot: row.slot,
      since: Date.parse(row.time_created),
    })),
    pools: pools.map((row) => ({
      id: row.id,
      sledId: row.sled_id,
      serial: row.name,
      external: row.form_factor === 'u2',
      size: row.size,
      used: row.used,
    })),
  }
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
  async () => {
    const instances = await instancesOf(db)
    return {
      instances,
      ...(await partsOf(db, instances)),
      ...(await rackOf(db)),
      ...(await uplinksOf(db)),
    }
  }
