import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import { desiredNetworkOf } from './desired.ts'

/** Whether the network of a VPC is in effect. */
export async function statusOf(
  db: Db,
  vpcId: string,
): Promise<Pick<Wire.VpcNetworkStatus, 'version' | 'time_applied' | 'behind'>> {
  const row = await findRow(db, 'vpc_network', vpcId)
  // Compared with the rows of this moment: the plan follows them a little later.
  const present = await desiredNetworkOf(db, vpcId)
  return {
    version: row?.applied_version ?? null,
    time_applied: row?.time_applied ?? null,
    behind: row?.applied !== present?.digest,
  }
}
