import type { tables, Wire } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import { deriveNetworks } from './derive.ts'
import { endpoints, networkNeedList, desiredNetwork } from './table.ts'

/**
 * The network of an instance as its engine has applied it.
 * @param applies whether networks are applied to the engine
 * @param usual whether a machine that starts now is measured
 */
async function networkOf(
  db: Db,
  { id, vm_id }: Pick<Row<'instance'>, 'id' | 'vm_id'>,
  { applies, usual }: { applies: boolean; usual: boolean },
): Promise<Wire.InstanceNetwork> {
  const row = vm_id === null ? undefined : await findRow(db, 'instance_network', vm_id)
  if (!row) {
    const behind = applies && vm_id !== null
    return {
      version: null,
      time_applied: null,
      behind,
      endpoints: [],
      direct: false,
      not_enforced: [],
      measured: usual,
    }
  }
  // Compared with the rules of this moment: the plan follows them a little later.
  const present = (await deriveNetworks(db, [id])).get(id)!
  return {
    version: row.applied_version,
    time_applied: row.time_applied,
    behind: row.applied !== desiredNetwork.write(present),
    endpoints: endpoints.read(row.endpoints).map((one) => ({
      external_ip: one.external,
      protocol: one.protocol,
      port: one.port,
      host_ip: one.hostAddress,
      host_port: one.hostPort,
    })),
    direct: row.direct === 1,
    not_enforced: networkNeedList.read(row.not_enforced),
    measured: row.applied_version === null ? usual : row.measured === 1,
  }
}

export const instanceNetworkHandlers: Handlers<typeof tables.instanceNetworkOperations> = {
  async instance_network_view(ctx) {
    const instance = await lookup(ctx, 'instance', ctx.params.instance, ctx.query)
    const { networking, vpcNetworks } = ctx.services
    // The measurements of an engine that applies no networks are its own matter.
    const usual = vpcNetworks !== undefined || (networking?.measured ?? true)
    return networkOf(ctx.db, instance, { applies: networking !== undefined, usual })
  },
}
