import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'

/** Maintenance that lasts longer than its operator expected. */
export const overdueMaintenance: Finder = async ({ db, now }) => {
  const rows = await db
    .selectFrom('sled_maintenance as its')
    .innerJoin('sled', 'sled.id', 'its.sled_id')
    .select(['sled.id', 'sled.name as serial', 'its.reason', 'its.time_end'])
    .where('its.time_end', '<', now.toISOString())
    .orderBy('its.time_end')
    .limit(ISSUE_ROWS)
    .execute()
  return rows.map(({ id, serial, reason, time_end }) =>
    issue('sled_maintenance_overdue', id, time_end, { id, serial, reason }),
  )
}
