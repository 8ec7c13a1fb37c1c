import { UPLINK_HOST_ATTEMPTS } from '@steading/api/rules'
import { type Finder, issue } from '../../../kernel/issues.ts'
import { hostProblems } from './table.ts'

/** Hosts that do not get what they should have, and what they cannot have. */
export const uplinkHostIssues: Finder = async ({ db, services }) => {
  const names = services.uplinks?.hosts?.names ?? []
  if (names.length === 0) return []
  const rows = await db
    .selectFrom('uplink_host')
    .select(['id', 'problems', 'step_failures', 'step_failure', 'time_step_failed', 'time_applied'])
    .where('id', 'in', names)
    .orderBy('id')
    .execute()
  return rows.flatMap((row) => [
    ...(row.step_failures >= UPLINK_HOST_ATTEMPTS
      ? [
          issue('uplink_host_behind', row.id, row.time_step_failed, {
            host: row.id,
            problem: row.step_failure ?? '',
          }),
        ]
      : []),
    ...hostProblems.read(row.problems).map((problem) =>
      issue('uplink_part_left_out', `${row.id}/${problem}`, row.time_applied, {
        host: row.id,
        problem,
      }),
    ),
  ])
}
