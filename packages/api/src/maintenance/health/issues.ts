import { CLOCK_APART_EFFECT, clockDifference } from './clocks.ts'
import { type ReplicationFacts, replicationText } from './replication.ts'
import { issueRule } from '../../observability/issues/rules.ts'

export const healthIssues = {
  database_damaged: issueRule<{ finding: string }>({
    severity: 'critical',
    // Damage emits no event.
    about: [],
    sentence: ({ finding }) =>
      `The database is damaged or its disk fails, and should be restored from a backup: ${finding}`,
    ended: () => 'No damage of the database is known any more',
    path: () => '/system/support-bundles',
    next: 'Collect a support bundle',
  }),
  database_replication: issueRule<ReplicationFacts>({
    severity: 'warning',
    // A setting of PostgreSQL emits no event.
    about: [],
    sentence: (facts) => replicationText(facts).replace(/^./, (first) => first.toUpperCase()),
    ended: () => 'A failover of the database loses no acknowledged writes any more',
    path: () => '/system/control-plane',
    next: 'Look at the control plane',
  }),
  server_clock_apart: issueRule<{ server: string; seconds: number }>({
    severity: 'warning',
    // A clock emits no event.
    about: [],
    sentence: ({ server, seconds }) =>
      `The clock of the server ${server} is ${clockDifference(seconds)}: ${CLOCK_APART_EFFECT}`,
    ended: ({ server }) => `The clock of the server ${server} is no longer known to be wrong`,
    path: () => '/system/control-plane',
    next: 'Look at the control plane',
  }),
}
