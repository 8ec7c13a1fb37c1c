/** Whether the commits of a primary wait for a standby, so that a failover loses none of them. */
import type { ReplicationFacts } from '@steading/api/rules'
import type { ClientBase } from 'pg'

/** Values of `synchronous_commit` with which a commit waits for no standby. */
const notWaiting = new Set(['off', 'local'])

interface Standby {
  name: string
  /** Null for a user who may not see it. */
  sync_state: string | null
  behind: number | string | null
}

/** A primary's report on its standbys. */
export interface Replication {
  /** Undefined if acknowledged writes survive a failover, or none is possible. */
  fault?: ReplicationFacts
  /** Names of the standbys of which one or more have each commit. */
  synchronous: string[]
  /** `synchronous_standby_names`. */
  setting: string
}

/**
 * Asks a primary whether its commits wait for a standby. A single host without standbys has no
 * fault: there is nothing that it could fail over to.
 * @param client a session like those that write: the settings of its role and database count
 * @param hosts the number of hosts of the database URL
 */
export async function readReplication(client: ClientBase, hosts: number): Promise<Replication> {
  const settings = await client.query<{ commit: string; names: string }>(
    `select current_setting('synchronous_commit') as commit,
       current_setting('synchronous_standby_names') as names`,
  )
  const { commit, names } = settings.rows[0]!
  // Subscribers of logical replication are no standbys, and neither are backups.
  const { rows } = await client.query<Standby>(
    `select application_name as name, sync_state,
       pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn) as behind
     from pg_stat_replication as sender
     where state in ('streaming', 'catchup') is not false and not exists (
       select from pg_replication_slots as slot
       where slot.active_pid = sender.pid and slot.slot_type = 'logical')`,
  )
  const synchronous = rows
    .filter(({ sync_state }) => sync_state === 'sync' || sync_state === 'quorum')
    .map(({ name }) => name)
  const isHidden = rows.some(({ sync_state }) => sync_state === null)
  const faultOf = (): ReplicationFacts['fault'] | undefined => {
    if (hosts === 1 && rows.length === 0 && names === '') return undefined
    if (rows.length === 0 && names === '') return 'no_standby'
    if (names === '') return 'asynchronous'
    if (notWaiting.has(commit)) return 'commits_do_not_wait'
    return synchronous.length > 0 || isHidden ? undefined : 'no_synchronous_standby'
  }
  const fault = faultOf()
  return {
    synchronous,
    setting: names,
    ...(fault && {
      fault: {
        fault,
        synchronousCommit: commit,
        standbys: rows.map(({ name, behind }) => ({
          name,
          behind: behind === null ? null : Number(behind),
        })),
      },
    }),
  }
}
