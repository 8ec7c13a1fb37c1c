import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'
import { countLost } from './repair.ts'
import { seenIn, unusedDisks } from '../hardware/unused-hardware.ts'

/** Disks that failed, or are expunged and still present. */
export const disksInTrouble: Finder = async ({ db }) => {
  const rows = await db
    .selectFrom('physical_disk as its')
    .innerJoin('sled', 'sled.id', 'its.sled_id')
    .select(['its.id', 'its.name as serial', 'its.policy', 'its.time_modified'])
    .select(['sled.id as sledId', 'sled.name as sled'])
    .where('its.state', '=', 'active')
    // Disks of an expunged sled go with it.
    .where('sled.policy', '=', 'in_service')
    .where((eb) => eb.or([eb('its.policy', '=', 'expunged'), eb('its.healthy', '=', 0)]))
    .orderBy('its.time_modified')
    .limit(2 * ISSUE_ROWS)
    .execute()
  return rows.map(({ id, policy, time_modified, ...disk }) =>
    issue(
      policy === 'expunged' ? 'physical_disk_expunged' : 'physical_disk_failed',
      id,
      time_modified,
      disk,
    ),
  )
}

/**
 * Lost replicas; a replica being copied will be ready in a while. Operators may not see the disks
 * of silos, so these are only counted.
 */
export const lostReplicas: Finder = async ({ db }) => {
  const count = await countLost(db)
  return count > 0 ? [issue('replicas_lost', 'all', null, { count })] : []
}

/** Physical disks waiting to be adopted. */
export const disksWaiting: Finder = async ({ db }) => {
  let count = 0
  for (const rack of await db.selectFrom('rack').select('seen').execute()) {
    count += (await unusedDisks(db, seenIn(rack))).length
  }
  return count > 0 ? [issue('physical_disks_waiting', 'all', null, { count })] : []
}
