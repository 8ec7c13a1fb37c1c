import { compile } from '@steading/network'
import type { Db } from '../../../kernel/db/database.ts'
import { rowsOf, findLive } from '../../../kernel/kinds.ts'
import type { Networks } from '../../../kernel/ports/networks.ts'
import { ownerOf, readNetwork, vpcOfInstance } from './rows.ts'

/** Compiles networks for engines. */
export const createNetworks = (db: Db): Networks => ({
  async around(machineId, addresses) {
    const instance = await rowsOf(db, 'instance')
      .select('its.id')
      .where('vm_id', '=', machineId)
      .executeTakeFirst()
    if (!instance) return undefined
    const vpcs = new Set<string>()
    const own = await vpcOfInstance(db, instance.id)
    if (own !== undefined) vpcs.add(own)
    for (const address of addresses) {
      const owner = await ownerOf(db, address)
      if (owner) vpcs.add(owner.vpcId)
    }
    const instances = [instance.id]
    return {
      network: compile(await readNetwork(db, { vpcs: [...vpcs], instances, addresses })),
      instanceId: instance.id,
      async machineOf(instanceId) {
        const row = await findLive(db, 'instance', instanceId, 'vm_id')
        return row?.vm_id ?? undefined
      },
    }
  },
})
