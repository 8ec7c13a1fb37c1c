import type { OpenDatabase } from '@steading/control-plane/engine'
import type { Multicast } from '@steading/control-plane/ports'
import type { Faults } from './faults.ts'
import { groupReceivers } from './tables.ts'

/** Multicast groups are rows, like simulated machines. */
export function createSimulatedMulticast({ db }: OpenDatabase, { check }: Faults): Multicast {
  return {
    async apply({ id, address, version, receivers }) {
      check('applyMulticast', id)
      const values = { address, version, receivers: groupReceivers.write(receivers) }
      await db
        .insertInto('simulated_multicast')
        .values({ id, ...values })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet(values)
            .where('simulated_multicast.version', '<=', version),
        )
        .execute()
      return true
    },
    async remove(id) {
      check('removeMulticast', id)
      await db.deleteFrom('simulated_multicast').where('id', '=', id).execute()
    },
    async list() {
      const rows = await db.selectFrom('simulated_multicast').select('id').execute()
      return rows.map(({ id }) => id)
    },
  }
}
