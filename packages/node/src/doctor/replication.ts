/** Checks of the hosts of a PostgreSQL database, and whether a failover loses writes. */
import { replicationAdvice, replicationText } from '@steading/api/rules'
import { errorMessage } from '@steading/files'
import { hostName, hostUrls } from '../postgres-hosts.ts'
import { askHosts, ReadOnlyError } from '../primary-search.ts'
import { readReplication } from '../replication.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const ABOUT = 'database hosts'

/** Several hosts: each has to answer, and one of them is the primary. */
function hostsOf(hosts: Awaited<ReturnType<typeof askHosts>>): Finding {
  const primaries = hosts.filter(({ primary }) => primary)
  if (primaries.length > 1) {
    const named = primaries.map(
      ({ url, primary }) => `${hostName(url)} (timeline ${primary!.timeline})`,
    )
    return problem(
      ABOUT,
      `${named.join(' and ')} both accept writes`,
      'stop the one of the lower timeline; with Patroni, a watchdog stops a primary that was replaced',
    )
  }
  const silent = hosts.filter(({ error }) => error && !(error instanceof ReadOnlyError))
  if (silent.length > 0) {
    const named = silent.map(({ url, error }) => `${hostName(url)}: ${errorMessage(error)}`)
    return warning(
      ABOUT,
      `${silent.length} of ${hosts.length} do not answer: ${named.join('; ')}`,
      'start them, so that there is a host to fail over to',
    )
  }
  const rest = hosts.length - 1
  return ok(
    ABOUT,
    `${hostName(primaries[0]!.url)} accepts writes, and ${rest} ${rest === 1 ? 'other answers' : 'others answer'}`,
  )
}

/**
 * Asks all hosts of a database URL, of which at least one accepts writes, and the primary for its
 * standbys. A single host without standbys has no findings.
 */
export async function checkReplication(databaseUrl: string): Promise<Finding[]> {
  const urls = hostUrls(databaseUrl)
  const hosts = await askHosts(urls)
  try {
    const found = urls.length > 1 ? [hostsOf(hosts)] : []
    const { primary } = hosts.find(({ primary }) => primary) ?? {}
    if (!primary) return found
    const { fault, synchronous, setting } = await readReplication(primary.client, urls.length)
    if (fault) {
      return [...found, warning('replication', replicationText(fault), replicationAdvice(fault))]
    }
    if (synchronous.length > 0) {
      return [...found, ok('replication', `commits wait for ${synchronous.join(', ')}`)]
    }
    const hidden = `synchronous_standby_names is ${setting}; a user with the role pg_monitor sees whether a standby follows`
    return setting === '' ? found : [...found, ok('replication', hidden)]
  } finally {
    for (const { primary } of hosts) await primary?.client.end().catch(() => {})
  }
}
