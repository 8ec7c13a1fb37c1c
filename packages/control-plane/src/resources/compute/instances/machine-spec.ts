import { formatAddress, isCd, parseNetwork } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { MachineAddress, MachineSpec } from '../../../kernel/ports/machines.ts'
import type { VpcNetworks } from '../../../kernel/ports/vpc-networks.ts'
import { machineSettings } from './settings.ts'
import type { InstanceRow } from './wire.ts'

/** A specification whose volumes have not been attached. */
export interface DetachedSpec extends Omit<MachineSpec, 'volumes'> {
  volumes: Omit<MachineSpec['volumes'][number], 'source'>[]
}

/** An address in a subnet; the gateway is the first address after the network address. */
function inSubnet(address: string | null, block: string): MachineAddress[] {
  const subnet = parseNetwork(block)
  if (address === null || !subnet) return []
  const gateway = formatAddress({ version: subnet.version, value: subnet.value + 1n })
  return [{ address, prefixLength: subnet.width, gateway }]
}

/** The disks of an instance, in the order of their slots. */
export async function volumesOf(db: Db, row: InstanceRow): Promise<DetachedSpec['volumes']> {
  const disks = await db
    .selectFrom('disk')
    .select(['id', 'name', 'size', 'slot', 'read_only', 'block_size'])
    .where('instance_id', '=', row.id)
    .where('time_deleted', 'is', null)
    .orderBy('slot')
    .execute()
  return disks.map(({ id, name, size, slot, read_only, block_size }, index) => ({
    id,
    name,
    size,
    slot: slot ?? index,
    boot: id === row.boot_disk_id,
    readOnly: read_only === 1,
    ...(isCd(read_only === 1, block_size) && { cd: true as const }),
  }))
}

async function interfacesOf(
  db: Db,
  row: InstanceRow,
  { mtu }: Pick<MachineSpec, 'mtu'>,
  networks: VpcNetworks | undefined,
): Promise<MachineSpec['interfaces']> {
  const interfaces = await db
    .selectFrom('network_interface as nic')
    .innerJoin('vpc_subnet as subnet', 'subnet.id', 'nic.subnet_id')
    .select(['nic.id', 'nic.name', 'mac', 'ipv4', 'ipv6', 'is_primary', 'ipv4_block', 'ipv6_block'])
    .where('nic.instance_id', '=', row.id)
    .orderBy('slot')
    .execute()
  return interfaces.map((nic) => ({
    name: nic.name,
    mac: nic.mac,
    primary: nic.is_primary === 1,
    addresses: [...inSubnet(nic.ipv4, nic.ipv4_block), ...inSubnet(nic.ipv6, nic.ipv6_block)],
    ...(networks && { attachment: networks.attachment(nic.id, mtu) }),
  }))
}

/**
 * The specification of an instance's machine, before its volumes are attached.
 * @param networks what carries packets between machines, if anything does
 */
export async function machineSpec(
  db: Db,
  row: InstanceRow,
  networks: VpcNetworks | undefined,
): Promise<DetachedSpec> {
  const sled = await db
    .selectFrom('sled')
    .select(['id', 'name as serial'])
    .where('id', '=', row.sled_id)
    .executeTakeFirstOrThrow()
  const keys = await db
    .selectFrom('ssh_key')
    .innerJoin('instance_ssh_key as link', 'link.ssh_key_id', 'ssh_key.id')
    .select('public_key')
    .where('link.instance_id', '=', row.id)
    .where('ssh_key.time_deleted', 'is', null)
    .orderBy('ssh_key.name')
    .execute()
  const settings = machineSettings(row)
  return {
    name: row.name,
    ...settings,
    sled,
    volumes: await volumesOf(db, row),
    interfaces: await interfacesOf(db, row, settings, networks),
    userData: row.user_data,
    sshPublicKeys: keys.map(({ public_key }) => public_key),
  }
}
