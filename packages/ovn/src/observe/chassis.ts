import { openLink } from '../ovsdb/link.ts'
import type { Remote } from '../ovsdb/remote.ts'
import { southboundTables } from './hosts.ts'

/**
 * The names of the hosts that take part in the networks.
 * @throws if the southbound database does not answer
 */
export async function chassisNames(southbound: Remote): Promise<string[]> {
  const link = await openLink({
    remote: southbound,
    database: 'OVN_Southbound',
    tables: { Chassis: southboundTables.Chassis },
    log: () => {},
    onChange: () => {},
  })
  try {
    const rows = link.present()?.replica.rows('Chassis')
    if (!rows) throw new Error("OVN's southbound database does not answer")
    return [...rows.values()].map(({ hostname }) => String(hostname))
  } finally {
    link.close()
  }
}
