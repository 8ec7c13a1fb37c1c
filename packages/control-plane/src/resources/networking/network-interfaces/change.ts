import type { Wire } from '@steading/api'
import {
  type IpVersion,
  ipVersionName,
  parseNetwork,
  transitIpProblem,
  transitIpUnsupported,
  instanceRefusal,
} from '@steading/api/rules'
import type { Updateable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type NetworkInterfaceTable, transitNetworks } from './table.ts'
import { ipVersionOf } from '../addresses/keys.ts'
import { fail, refuseIf } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { LookupContext } from '../../../kernel/lookup.ts'
import type { Writing } from '../../../kernel/work.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { createInterface } from './create.ts'
import { freeInterfaceAddresses } from './subnet-addresses.ts'
import type { NetworkInterfaceRow } from './wire.ts'

const versions: IpVersion[] = ['v4', 'v6']
const addressOf = (row: NetworkInterfaceRow, version: IpVersion): string | null =>
  version === 'v4' ? row.ipv4 : row.ipv6

const interfacesOf = (db: Db, instanceId: string): Promise<NetworkInterfaceRow[]> =>
  db.selectFrom('network_interface').selectAll().where('instance_id', '=', instanceId).execute()

const instanceOf = (db: Db, row: NetworkInterfaceRow): Promise<Row<'instance'>> =>
  readRow(db, 'instance', row.instance_id)

const changed = (
  { emit }: Writing,
  { project_id }: Row<'instance'>,
  row: NetworkInterfaceRow,
  action: 'create' | 'update' | 'delete',
): Promise<void> => emit('network_interface', action, { ...row, project_id })

/** Adds an interface to a stopped instance. */
export async function addInterface(
  work: Writing & LookupContext<'vpc_subnet'>,
  instance: Row<'instance'>,
  params: Wire.InstanceNetworkInterfaceCreate,
): Promise<NetworkInterfaceRow> {
  refuseIf(instanceRefusal('addNic', instance.run_state))
  const others = await interfacesOf(work.db, instance.id)
  const row = await createInterface(work, instance, params, others)
  await changed(work, instance, row, 'create')
  await work.emit('instance', 'update', instance)
  return row
}

/** @throws ApiError 400 if the interface lacks IP versions of the instance's external addresses */
async function checkCanBePrimary(db: Db, row: NetworkInterfaceRow): Promise<void> {
  // Outbound translation does not count: an instance may have it although its primary interface has
  // no IPv4.
  const external = await db
    .selectFrom('external_ip')
    .select('ip_key')
    .where('instance_id', '=', row.instance_id)
    .where('kind', '!=', 'snat')
    .execute()
  const used = new Set(external.map(ipVersionOf))
  for (const version of versions) {
    if (!used.has(version) || addressOf(row, version) !== null) continue
    const name = ipVersionName[version]
    throw fail.invalidRequest(
      `Interface cannot be made the primary for this instance, since it does not have a private ${name} address to handle traffic for the instance's external ${name} addresses`,
    )
  }
}

/** The transit networks of an interface, by version. */
function transitIps(
  row: NetworkInterfaceRow,
  nets: string[],
): Pick<NetworkInterfaceRow, 'transit_ips_v4' | 'transit_ips_v6'> {
  const problem = transitIpProblem(nets)
  if (problem) throw fail.invalidRequest(problem)
  const [v4, v6] = versions.map((version) => {
    const own = nets.filter((net) => parseNetwork(net)!.version === version)
    if (own.length > 0 && addressOf(row, version) === null) {
      throw fail.invalidRequest(transitIpUnsupported(version))
    }
    return transitNetworks.write(own)
  })
  return { transit_ips_v4: v4!, transit_ips_v6: v6! }
}

/** Changes an interface of a stopped instance; the list of transit IPs is replaced. */
export async function updateInterface(
  work: Writing,
  row: NetworkInterfaceRow,
  body: Wire.InstanceNetworkInterfaceUpdate,
): Promise<NetworkInterfaceRow> {
  const { db } = work
  const instance = await instanceOf(db, row)
  refuseIf(instanceRefusal('updateNic', instance.run_state))
  const name = body.name ?? row.name
  const others = (await interfacesOf(db, instance.id)).filter(({ id }) => id !== row.id)
  if (others.some((other) => other.name === name)) {
    throw fail.alreadyExists('instance-network-interface', name)
  }
  const time_modified = work.now.toISOString()
  const write = (id: string, values: Updateable<NetworkInterfaceTable>) =>
    db
      .updateTable('network_interface')
      .set({ ...values, time_modified })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  const values: Updateable<NetworkInterfaceTable> = {
    name,
    description: body.description ?? row.description,
    ...transitIps(row, body.transit_ips),
  }
  // `primary: false` changes nothing, because one interface has to be primary.
  if (body.primary && row.is_primary === 0) {
    await checkCanBePrimary(db, row)
    values.is_primary = 1
    for (const { id } of others.filter(({ is_primary }) => is_primary === 1)) {
      await changed(work, instance, await write(id, { is_primary: 0 }), 'update')
    }
  }
  const updated = await write(row.id, values)
  await changed(work, instance, updated, 'update')
  await work.emit('instance', 'update', instance)
  return updated
}

/** Removes an interface from a stopped instance; the primary one must be the last to be removed. */
export async function deleteInterface(work: Writing, row: NetworkInterfaceRow): Promise<void> {
  const { db } = work
  const instance = await instanceOf(db, row)
  refuseIf(instanceRefusal('deleteNic', instance.run_state))
  if (row.is_primary === 1 && (await interfacesOf(db, instance.id)).length > 1) {
    throw fail.invalidRequest(
      'The primary interface may not be deleted while secondary interfaces are still attached',
    )
  }
  await db.deleteFrom('network_interface').where('id', '=', row.id).execute()
  await freeInterfaceAddresses(db, [row])
  await changed(work, instance, row, 'delete')
  await work.emit('instance', 'update', instance)
}
