import { FLEET_ID, hostName } from '@steading/api/rules'
import type { Db } from '../../src/kernel/db/database.ts'
import { unclaimed } from '../../src/kernel/db/leases.ts'
import type { Row } from '../../src/kernel/kinds.ts'
import { named } from '../../src/kernel/search/name-key.ts'

/** The story of a host that was switched off, and of its instance, as their pages tell it. */
export const FENCED_STORY = [
  'silent',
  'fencing',
  'fenced',
  'instance_lost',
  'instance_restarted',
  'instance_running',
] as const

let number = 0

/** A host that is in a state without having got there. */
export async function addHostRow(
  db: Db,
  values: Partial<Row<'host'>> & Pick<Row<'host'>, 'state'>,
): Promise<Row<'host'>> {
  const address = values.address ?? `qemu+ssh://root@nowhere-${++number}.example/system`
  const time = new Date().toISOString()
  return db
    .insertInto('host')
    .values({
      id: crypto.randomUUID(),
      fleet_id: FLEET_ID,
      ...named(hostName(address)),
      address,
      next_address: null,
      check_due: 0,
      time_checked: null,
      part: null,
      serial: null,
      sled_id: null,
      time_created: time,
      time_modified: time,
      time_deleted: null,
      reconcile_at: null,
      ...unclaimed,
      ...values,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
