/** Ports of machines that move from host to host. */
import { connect } from '../ovsdb/connection.ts'
import { memberCount, type Remote } from '../ovsdb/remote.ts'
import type { PlainMap } from '../ovsdb/values.ts'

const TABLE = 'Logical_Switch_Port'
/** For one small transaction. */
const LIMITS = { connectMs: 10_000, answerMs: 10_000, messageMax: 2 ** 20 }

/**
 * Options of a port whose machine moves. Without them, both hosts would claim the port again and
 * again until the machine has left one of them. The packets go to both, and the second host begins
 * to send when QEMU announces the guest there.
 */
const optionsOf = (hostnames: readonly string[]): PlainMap => ({
  'requested-chassis': hostnames.join(','),
  'activation-strategy': 'rarp',
})
const OPTIONS = Object.keys(optionsOf([]))

/** Whether a column of a port is left to moves. */
export const isOfMoves = (table: string, column: string, wanted: object): boolean =>
  table === TABLE && column === 'options' && !(column in wanted)

/**
 * Binds ports to the hosts between which their machine moves. Ports that do not exist yet stay free.
 * @param hostnames none once it has ended, after which the host that has the machine claims them
 * @throws Disconnected or Refused
 */
export async function bindPorts(
  northbound: Remote,
  ports: readonly string[],
  hostnames: readonly string[],
): Promise<void> {
  const operations = ports.flatMap((port) => {
    const mutations = [
      ['options', 'delete', ['set', OPTIONS]] as const,
      ...(hostnames.length > 0
        ? [['options', 'insert', ['map', Object.entries(optionsOf(hostnames))]] as const]
        : []),
    ]
    return {
      op: 'mutate' as const,
      table: TABLE,
      where: [['name', '==', port] as const],
      mutations,
    }
  })
  for (let attempt = 1; ; attempt++) {
    try {
      const connection = await connect({ remote: northbound, attempt, limits: LIMITS })
      try {
        await connection.transact('OVN_Northbound', operations)
        return
      } finally {
        connection.close()
      }
    } catch (error) {
      if (attempt >= memberCount(northbound)) throw error
    }
  }
}
