import { UPLINK_HOST_ATTEMPTS, UPLINK_SILENT_MS, uplinkMessages } from '@steading/api/rules'
import { type Finder, issue } from '../../../kernel/issues.ts'
import { hostProblems } from './table.ts'

/** Hosts that do not get what they should have, and what they cannot have. */
export const uplinkHostIssues: Finder = async ({ db, now, services }) => {
  const hosts = services.uplinks?.hosts
  if (!hosts || hosts.names.length === 0) return []
  const { names } = hosts
  const rows = await db
    .selectFrom('uplink_host')
    .select(['id', 'problems', 'step_failures', 'step_failure', 'time_step_failed', 'time_applied'])
    .where('id', 'in', names)
    .orderBy('id')
    .execute()
  /** Why a host does not get what it should have; undefined if it does. */
  const lag = (
    row: (typeof rows)[number],
  ): { since: string | null; problem: string } | undefined => {
    if (row.step_failures >= UPLINK_HOST_ATTEMPTS) {
      return { since: row.time_step_failed, problem: row.step_failure ?? '' }
    }
    const silent = hosts.silentSince(row.id)
    return silent && now.getTime() - silent.getTime() > UPLINK_SILENT_MS
      ? { since: silent.toISOString(), problem: uplinkMessages.noAnswer }
      : undefined
  }
  return rows.flatMap((row) => {
    const behind = lag(row)
    return [
      ...(behind
        ? [
            issue('uplink_host_behind', row.id, behind.since, {
              host: row.id,
              problem: behind.problem,
            }),
          ]
        : []),
      ...hostProblems.read(row.problems).map((problem) =>
        issue('uplink_part_left_out', `${row.id}/${problem}`, row.time_applied, {
          host: row.id,
          problem,
        }),
      ),
    ]
  })
}
