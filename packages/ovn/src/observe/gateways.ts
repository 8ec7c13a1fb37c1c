/** The hosts by which networks reach the outside: those of all servers, as OVN knows them. */
import { UPLINK_NETWORK } from '../host/host.ts'
import { openLink } from '../ovsdb/link.ts'
import type { Remote } from '../ovsdb/remote.ts'
import type { Replica, Tables } from '../ovsdb/replica.ts'
import type { PlainMap } from '../ovsdb/values.ts'

const tables = {
  Chassis: {
    name: { type: 'string', holds: 'one' },
    other_config: { type: 'string', holds: 'map' },
  },
} as const satisfies Tables

export interface Gateways {
  /**
   * Names of the chassis, the same at all servers: OVN uses the first one that answers the others.
   * The last known ones while the database does not answer.
   */
  chassis: () => readonly string[]
  close: () => void
}

/** Whether a chassis has the uplink, which each server prepares on its host. */
const hasUplink = (config: PlainMap): boolean =>
  (config['ovn-bridge-mappings'] ?? '')
    .split(',')
    .some((mapping) => mapping.startsWith(`${UPLINK_NETWORK}:`))

function gatewaysIn(replica: Replica): string[] {
  return [...replica.rows('Chassis').values()].flatMap((row) =>
    hasUplink(row['other_config'] as PlainMap) ? [String(row['name'])] : [],
  )
}

/**
 * @param own the chassis of this server, which OVN may not know yet
 * @throws Disconnected if the database cannot be reached now
 */
export async function openGateways(
  southbound: Remote,
  own: string,
  log: (problem: string) => void,
): Promise<Gateways> {
  const link = await openLink({ remote: southbound, database: 'OVN_Southbound', tables, log })
  let known: readonly string[] = [own]
  return {
    chassis() {
      const replica = link.present()?.replica
      if (replica) known = [...new Set([own, ...gatewaysIn(replica)])].toSorted()
      return known
    },
    close: link.close,
  }
}
