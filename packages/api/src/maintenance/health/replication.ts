/** Whether acknowledged writes survive a failover of the database, in words. */

export const replicationFaults = [
  'asynchronous',
  'no_standby',
  'commits_do_not_wait',
  'no_synchronous_standby',
] as const
export type ReplicationFault = (typeof replicationFaults)[number]

/** The report of the primary. */
export interface ReplicationFacts {
  fault: ReplicationFault
  /** `synchronous_commit` of the sessions of a server. */
  synchronousCommit: string
  /** The standbys that follow, with the bytes that they have yet to receive, if that is known. */
  standbys: readonly { name: string; behind: number | null }[]
}

const LOSES = 'a failover of the database can lose acknowledged writes'

const namesOf = ({ standbys }: ReplicationFacts): string =>
  standbys
    .map(({ name, behind }) => (behind ? `${name} (${behind} bytes behind)` : name))
    .join(' or ')

const texts: Record<
  ReplicationFault,
  { text: (facts: ReplicationFacts) => string; advice: string }
> = {
  asynchronous: {
    text: (facts) =>
      `${LOSES}: synchronous_standby_names of the primary is empty, so no commit waits for ${namesOf(facts)}`,
    advice:
      'set synchronous_standby_names; with Patroni, run patronictl edit-config --set synchronous_mode=true',
  },
  no_standby: {
    text: () => `${LOSES}: no standby follows the primary`,
    advice:
      'start PostgreSQL on the other hosts of --database-url; if standbys run, look why they do not connect',
  },
  commits_do_not_wait: {
    text: ({ synchronousCommit }) =>
      `${LOSES}: synchronous_commit is ${synchronousCommit} for the user of --database-url, so no commit waits for a standby`,
    advice:
      'run ALTER ROLE … RESET synchronous_commit and ALTER DATABASE … RESET synchronous_commit, and leave it out of --database-url and of the settings of PostgreSQL',
  },
  no_synchronous_standby: {
    text: () =>
      'writes wait for a synchronous standby, and none of synchronous_standby_names follows the primary',
    advice: 'start that standby, or take it out of synchronous_standby_names',
  },
}

export const replicationText = (facts: ReplicationFacts): string => texts[facts.fault].text(facts)
export const replicationAdvice = ({ fault }: Pick<ReplicationFacts, 'fault'>): string =>
  texts[fault].advice

/** Seconds within which a server leaves a primary that hangs or was replaced, at most. */
export const PRIMARY_LEFT_SECONDS = 10

/** Milliseconds after which a fault of replication is an issue: standbys restart during a failover. */
export const REPLICATION_FAULT_AFTER_MS = 60_000
