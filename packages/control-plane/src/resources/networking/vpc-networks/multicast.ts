/** Multicast where networks of VPCs carry it: groups are a part of these networks. */
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { Multicast } from '../../../kernel/ports/multicast.ts'
import { planVpcNetworks } from './plan.ts'

/** @param wake called when networks are due */
export const multicastOfVpcs = ({
  database: { db },
  clock,
  wake,
}: {
  database: Pick<OpenDatabase, 'db'>
  clock: () => Date
  wake: () => void
}): Multicast => ({
  async apply({ receivers }) {
    if (receivers.length === 0) return true
    const machineIds = receivers.map(({ machineId }) => machineId)
    const rows = await db
      .selectFrom('network_interface as nic')
      .innerJoin('instance', 'instance.id', 'nic.instance_id')
      .select(['nic.vpc_id', 'instance.project_id'])
      .where('instance.vm_id', 'in', machineIds)
      .distinct()
      .execute()
    if (rows.length === 0) return true
    const projects = [...new Set(rows.map(({ project_id }) => project_id))]
    if (await planVpcNetworks(db, clock(), projects)) wake()
    const networks = await db
      .selectFrom('vpc_network')
      .select(['wanted', 'applied'])
      .where(
        'id',
        'in',
        rows.map(({ vpc_id }) => vpc_id),
      )
      .execute()
    return networks.every(({ wanted, applied }) => wanted === applied)
  },
  // The networks of VPCs follow their members.
  remove: async () => {},
  async list() {
    const rows = await db.selectFrom('multicast_group').select('id').execute()
    return rows.map(({ id }) => id)
  },
})
