/** The ports of hosts, each for one port of one machine. */
import { createHash } from 'node:crypto'
import type { OpenDatabase } from '@steading/control-plane/engine'
import type { Forward } from './forwards.ts'
import type { LibvirtPortTable } from './tables.ts'

/** Ports of hosts that may be forwarded, including both. */
export interface PortRange {
  first: number
  last: number
}

/** Where a host takes the traffic of machines. */
export interface Listening {
  /** Serial number. */
  host: string
  address: string
  /** Known when the host is. */
  range: () => PortRange
}

export class NoPortError extends Error {
  override name = 'NoPortError'
}

/** The port with which a search begins: the same for a port of an address after each start. */
function preferred({ external, protocol, port }: Forward, { first, last }: PortRange): number {
  const digest = createHash('sha256').update(`${external} ${protocol} ${port}`).digest()
  return first + (digest.readUInt32BE(0) % (last - first + 1))
}

export interface Ports {
  of: (machineId: string) => Promise<LibvirtPortTable[]>
  /**
   * The port of a host for a port of a machine, taken if it has none yet.
   * @param except ports that others listen on
   * @throws NoPortError if all are taken
   */
  take: (
    machineId: string,
    forward: Forward,
    listening: Listening,
    except?: ReadonlySet<number>,
  ) => Promise<LibvirtPortTable>
  give: (row: LibvirtPortTable) => Promise<void>
  giveAll: (machineId: string) => Promise<void>
}

export function createPorts({ db }: Pick<OpenDatabase, 'db'>): Ports {
  const exactly = (row: LibvirtPortTable) =>
    db
      .deleteFrom('libvirt_port')
      .where('host', '=', row.host)
      .where('address', '=', row.address)
      .where('protocol', '=', row.protocol)
      .where('port', '=', row.port)
      .where('machine_id', '=', row.machine_id)
  return {
    of: (machineId) =>
      db
        .selectFrom('libvirt_port')
        .selectAll()
        .where('machine_id', '=', machineId)
        .orderBy('external')
        .orderBy('protocol')
        .orderBy('guest_port')
        .execute(),
    async take(machine_id, forward, listening, except = new Set()) {
      const { host, address } = listening
      const range = listening.range()
      const { external, protocol, port: guest_port } = forward
      const rows = await db
        .selectFrom('libvirt_port')
        .select('port')
        .where('host', '=', host)
        .where('address', '=', address)
        .where('protocol', '=', protocol)
        .execute()
      const taken = new Set(rows.map(({ port }) => port))
      const size = range.last - range.first + 1
      const begin = preferred(forward, range) - range.first
      for (let tried = 0; tried < size; tried++) {
        const port = range.first + ((begin + tried) % size)
        if (taken.has(port) || except.has(port)) continue
        const row = { host, address, protocol, port, machine_id, external, guest_port }
        const inserted = await db
          .insertInto('libvirt_port')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst()
        if (inserted) return inserted
      }
      throw new NoPortError(
        `All ${protocol.toUpperCase()} ports from ${range.first} to ${range.last} of ${address} are taken`,
      )
    },
    async give(row) {
      await exactly(row).execute()
    },
    async giveAll(machineId) {
      await db.deleteFrom('libvirt_port').where('machine_id', '=', machineId).execute()
    },
  }
}
