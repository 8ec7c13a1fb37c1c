import { sql } from 'kysely'
import {
  databaseTime,
  KEPT_BYTES,
  LEASE_MS,
  leaseIsOver,
  type OpenDatabase,
  unsynced,
} from '@steading/control-plane/engine'
import { type ConsoleOutput, decodeBase64 } from '@steading/control-plane/ports'
import { uint8ArrayToBase64 } from 'uint8array-extras'
import { type MachineState, staying } from './state.ts'
import './hardware-tables.ts'
import { groupReceivers, machineMove, machineSpec } from './tables.ts'

/** Maximum bytes of output stored at a time. */
export const CHUNK_BYTES = 256 * 1024
/**
 * Size from which a row of output is no longer extended. Typing produces a few bytes at a time;
 * with a row for each, a console would be read back from 100,000 rows in one turn.
 */
export const FULL_ROW_BYTES = 4096
/** Milliseconds after which a guest's program counts as listening no longer, unless renewed. */
const LISTEN_MS = 60_000
/** Maximum rows of keys taken at a time. */
const INPUT_BATCH = 500

/** A sled driven by this server; without a token if there is only one server. */
export interface HeldSled {
  id: string
  token: number | undefined
}
export const leaseOf = (sledId: string): string => `sled ${sledId}`

const receiversIn = ({ receivers }: { receivers: string }) => groupReceivers.read(receivers)

export type Rows = ReturnType<typeof createRows>

/**
 * Simulated machines and their consoles in the database of the control plane. A power failure ends
 * these machines as well, so their writes do not wait for the disk.
 */
export function createRows({ db, dialect }: OpenDatabase) {
  const first = (id: string) =>
    db
      .selectFrom('simulated_machine')
      .select(['id', 'spec', 'phase', 'since', 'boot', 'reboots', 'version', 'move'])
      .where('id', '=', id)
      .executeTakeFirst()
  const stateOf = ({
    spec,
    phase,
    move,
    ...state
  }: Awaited<ReturnType<typeof first>> & object) => ({
    ...state,
    ...(move === null ? {} : { move: machineMove.read(move) }),
    phase: phase as MachineState['phase'],
    spec: machineSpec.read(spec),
  })

  return {
    async load(id: string): Promise<MachineState | undefined> {
      const row = await first(id)
      return row && stateOf(row)
    },
    async loadMoving(sledId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('simulated_machine')
        .select('id')
        .where('sled_id', '=', sledId)
        .where('phase', 'in', ['booting', 'rebooting', 'stopping'])
        .execute()
      return rows.map(({ id }) => id)
    },
    /** Sled, phase and boot number of a machine, for its console. */
    bootOf: (id: string) =>
      db
        .selectFrom('simulated_machine')
        .select(['sled_id', 'boot', 'phase'])
        .where('id', '=', id)
        .executeTakeFirst(),
    async ids(): Promise<string[]> {
      const rows = await db.selectFrom('simulated_machine').select('id').execute()
      return rows.map(({ id }) => id)
    },
    /**
     * A machine on a sled that is down fails from the start; the row of the sled is locked
     * meanwhile, so that it does not go down unnoticed.
     * @returns the initial phase; undefined if the id is taken
     */
    async insert({
      id,
      spec,
      phase,
      since,
      boot,
      reboots,
      version,
    }: MachineState): Promise<MachineState['phase'] | undefined> {
      const lock = dialect === 'postgres' ? sql`for share` : sql``
      const { rows } = await sql<{ phase: MachineState['phase'] }>`
        with sled as (select down from simulated_sled where sled_id = ${spec.sled.id} ${lock})
        insert into simulated_machine (id, sled_id, spec, phase, since, boot, reboots, version)
        select cast(${id} as text), cast(${spec.sled.id} as text),
          cast(${machineSpec.write(spec)} as text),
          coalesce((select 'failed' from sled where down = 1), cast(${phase} as text)),
          cast(${since} as bigint), cast(${boot} as int), cast(${reboots} as int),
          cast(${version} as int)
        where true on conflict do nothing returning phase ${unsynced}`.execute(db)
      return rows[0]?.phase
    },
    /** Whether the sled of a machine is down. */
    async isSledDown(sledId: string): Promise<boolean> {
      const row = await db
        .selectFrom('simulated_sled')
        .select('down')
        .where('sled_id', '=', sledId)
        .executeTakeFirst()
      return row?.down === 1
    },
    /**
     * Writes a new phase, unless the machine has been written since it was read.
     * @returns the new state
     */
    async save(state: MachineState): Promise<MachineState | undefined> {
      const { id, phase, since, boot, reboots, version } = state
      const move = state.move ? machineMove.write(state.move) : null
      const saved = await db
        .updateTable('simulated_machine')
        .set({ phase, since, boot, reboots, move, version: version + 1 })
        .where('id', '=', id)
        .where('version', '=', version)
        .returning('id')
        .modifyEnd(unsynced)
        .executeTakeFirst()
      return saved && { ...state, version: version + 1 }
    },
    /**
     * Records the arrival of a machine on another sled, unless it has been written since it was
     * read, or that sled is down; the row of the sled is locked meanwhile, so that it does not go
     * down unnoticed.
     * @returns the new state
     */
    async arrive(state: MachineState): Promise<MachineState | undefined> {
      const { id, version } = state
      const { sled } = state.move!
      const spec = { ...state.spec, sled }
      const lock = dialect === 'postgres' ? sql`for share` : sql``
      const { rows } = await sql<{ id: string }>`
        with sled as (select down from simulated_sled where sled_id = ${sled.id} ${lock})
        update simulated_machine
        set sled_id = ${sled.id}, spec = ${machineSpec.write(spec)}, move = null,
          version = version + 1
        where id = ${id} and version = ${version} and phase = 'running'
          and exists (select 1 from sled where down = 0)
        returning id ${unsynced}`.execute(db)
      return rows[0] && { ...staying(state), spec, version: version + 1 }
    },
    /**
     * Writes another specification, unless the machine has been written since it was read.
     * @returns the new state
     */
    async respecify(
      state: MachineState,
      spec: MachineState['spec'],
    ): Promise<MachineState | undefined> {
      const { id, version } = state
      const saved = await db
        .updateTable('simulated_machine')
        .set({ spec: machineSpec.write(spec), version: version + 1 })
        .where('id', '=', id)
        .where('version', '=', version)
        .returning('id')
        .modifyEnd(unsynced)
        .executeTakeFirst()
      return saved && { ...state, spec, version: version + 1 }
    },
    /** Removes a machine, and then its console, which the driver may write until then. */
    async remove(id: string): Promise<void> {
      await db.deleteFrom('simulated_machine').where('id', '=', id).execute()
      for (const table of [
        'simulated_output',
        'simulated_input',
        'simulated_viewer',
        'simulated_load',
      ] as const) {
        await db.deleteFrom(table).where('machine_id', '=', id).execute()
      }
    },

    /**
     * Appends to the output of a boot, as a new row or to the last row. No effect if the machine
     * was destroyed, rebooted or moved, or if another server drives its sled now: the rows of both
     * are locked during the write.
     * @param offset of the row
     * @param data of the row: its existing bytes, and the new ones
     * @param stored existing bytes of the row; 0 for a new row
     * @returns whether it was appended
     */
    async append(
      id: string,
      boot: number,
      { offset, data, stored }: { offset: number; data: Uint8Array; stored: number },
      { id: sledId, token }: HeldSled,
    ): Promise<boolean> {
      const held =
        token === undefined
          ? sql``
          : sql`and exists (select 1 from lease where id = ${leaseOf(sledId)} and token = ${token} for share)`
      const lock = dialect === 'postgres' ? sql`for share` : sql``
      const { numAffectedRows } = await sql`
        insert into simulated_output (machine_id, boot, byte_offset, byte_length, data)
        select id, boot, cast(${offset} as bigint), cast(${data.length} as int),
          cast(${uint8ArrayToBase64(data)} as text)
        from simulated_machine
        where id = ${id} and boot = ${boot} and sled_id = ${sledId} ${held} ${lock}
        on conflict (machine_id, boot, byte_offset) do update
          set byte_length = excluded.byte_length, data = excluded.data
          where simulated_output.byte_length = cast(${stored} as int) ${unsynced}`.execute(db)
      if (!numAffectedRows) return false
      // Occasionally removes output that is too old to be shown.
      const end = offset + data.length
      if (Math.floor((offset + stored) / KEPT_BYTES) !== Math.floor(end / KEPT_BYTES)) {
        await db
          .deleteFrom('simulated_output')
          .where('machine_id', '=', id)
          .where('boot', '=', boot)
          .where('byte_offset', '<', end - 2 * KEPT_BYTES)
          .execute()
      }
      return true
    },
    async clearBefore(id: string, boot: number): Promise<void> {
      await db
        .deleteFrom('simulated_output')
        .where('machine_id', '=', id)
        .where('boot', '<', boot)
        .execute()
    },
    async outputEnd(id: string, boot: number): Promise<number> {
      const last = await db
        .selectFrom('simulated_output')
        .select(['byte_offset', 'byte_length'])
        .where('machine_id', '=', id)
        .where('boot', '=', boot)
        .orderBy('byte_offset', 'desc')
        .limit(1)
        .executeTakeFirst()
      return last ? last.byte_offset + last.byte_length : 0
    },
    /** Output of a boot from an offset to an end, as far as stored. */
    async output(
      id: string,
      boot: number,
      start: number,
      end: number,
    ): Promise<Omit<ConsoleOutput, 'boot'>> {
      const from = Math.max(0, start)
      const rows =
        from >= end
          ? []
          : await db
              .selectFrom('simulated_output')
              .select(['byte_offset', 'data'])
              .where('machine_id', '=', id)
              .where('boot', '=', boot)
              .where('byte_offset', '>', from - 2 * CHUNK_BYTES)
              .where('byte_offset', '<', end)
              .orderBy('byte_offset')
              .execute()
      const chunks = rows.map(({ byte_offset, data }) => ({
        offset: byte_offset,
        data: decodeBase64(data),
      }))
      const first = Math.max(from, chunks[0]?.offset ?? from)
      const data = new Uint8Array(Math.max(0, end - first))
      let endOffset = first
      for (const chunk of chunks) {
        const part = chunk.data.subarray(Math.max(0, first - chunk.offset), end - chunk.offset)
        if (part.length === 0) continue
        const at = Math.max(first, chunk.offset)
        data.set(part, at - first)
        endOffset = at + part.length
      }
      return { data: data.subarray(0, endOffset - first), endOffset }
    },

    /**
     * Stores keys for the server that drives a machine; no keys mean that the machine has changed.
     */
    async hand(id: string, sledId: string, keys: Uint8Array = new Uint8Array()): Promise<void> {
      await db
        .insertInto('simulated_input')
        .values({ machine_id: id, sled_id: sledId, data: uint8ArrayToBase64(keys) })
        .execute()
    },
    /** The number of pieces of keys for a machine that wait for its server. */
    async handed(id: string): Promise<number> {
      const { count } = await db
        .selectFrom('simulated_input')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('machine_id', '=', id)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    /** Takes the keys for the sleds that this server still holds, in order. */
    async takeInput(sleds: HeldSled[]) {
      const rows = await db
        .deleteFrom('simulated_input')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('simulated_input')
            .select('id')
            .where(
              'sled_id',
              'in',
              sleds.map(({ id }) => id),
            )
            .orderBy('id')
            .limit(INPUT_BATCH),
        )
        .where((eb) =>
          eb.or(
            sleds.map(({ id, token }) =>
              eb.and([
                eb('sled_id', '=', id),
                eb.exists(
                  eb
                    .selectFrom('lease')
                    .select('lease.id')
                    .where('lease.id', '=', leaseOf(id))
                    .where('token', '=', token!),
                ),
              ]),
            ),
          ),
        )
        .returning(['id', 'machine_id', 'data'])
        .execute()
      return rows
        .toSorted((a, b) => a.id - b.id)
        .map(({ machine_id, data }) => ({ id: machine_id, keys: decodeBase64(data) }))
    },

    /** Stores the progress of the viewers at a server; valid as long as a lease. */
    async saveViewer(server: string, id: string, sledId: string, boot: number, offset: number) {
      const values = { boot, byte_offset: offset, lease_until: databaseTime(dialect, LEASE_MS) }
      await db
        .insertInto('simulated_viewer')
        .values({ machine_id: id, server, sled_id: sledId, ...values })
        .onConflict((conflict) =>
          conflict.columns(['machine_id', 'server']).doUpdateSet({ sled_id: sledId, ...values }),
        )
        .execute()
    },
    async removeViewer(server: string, id: string) {
      await db
        .deleteFrom('simulated_viewer')
        .where('machine_id', '=', id)
        .where('server', '=', server)
        .execute()
    },
    /** Progress of viewers at other servers. */
    viewers: (sleds: HeldSled[]) =>
      db
        .selectFrom('simulated_viewer')
        .select((eb) => ['machine_id', 'boot', eb.fn.max('byte_offset').as('offset')])
        .where(
          'sled_id',
          'in',
          sleds.map(({ id }) => id),
        )
        .where((eb) => eb.not(leaseIsOver(dialect, 'lease_until')))
        .groupBy(['machine_id', 'boot'])
        .execute(),
    async forgetViewers() {
      await db.deleteFrom('simulated_viewer').where(leaseIsOver(dialect, 'lease_until')).execute()
    },
    /** @returns whether the port was free */
    async listen(id: string, port: number): Promise<boolean> {
      const values = { peer: null, lease_until: databaseTime(dialect, LISTEN_MS) }
      const row = await db
        .insertInto('simulated_listener')
        .values({ machine_id: id, port, ...values })
        .onConflict((conflict) =>
          conflict
            .columns(['machine_id', 'port'])
            .doUpdateSet(values)
            .where('simulated_listener.lease_until', '<=', databaseTime(dialect, 0)),
        )
        .returning('port')
        .executeTakeFirst()
      return row !== undefined
    },
    async listenOn(id: string, port: number): Promise<void> {
      await db
        .updateTable('simulated_listener')
        .set({ lease_until: databaseTime(dialect, LISTEN_MS) })
        .where('machine_id', '=', id)
        .where('port', '=', port)
        .execute()
    },
    /** Address of a client connected to a listening program. */
    async heard(id: string, port: number): Promise<string | undefined> {
      const row = await db
        .selectFrom('simulated_listener')
        .select('peer')
        .where('machine_id', '=', id)
        .where('port', '=', port)
        .executeTakeFirst()
      return row?.peer ?? undefined
    },
    async unlisten(id: string, port: number): Promise<void> {
      await db
        .deleteFrom('simulated_listener')
        .where('machine_id', '=', id)
        .where('port', '=', port)
        .execute()
    },
    /**
     * Connects to a program of a machine.
     * @returns whether one listens on the port
     */
    async connect(id: string, port: number, peer: string): Promise<boolean> {
      const row = await db
        .updateTable('simulated_listener')
        .set({ peer })
        .where('machine_id', '=', id)
        .where('port', '=', port)
        .where('lease_until', '>', databaseTime(dialect, 0))
        .returning('port')
        .executeTakeFirst()
      return row !== undefined
    },
    /** Addresses of the groups that a machine receives. */
    async groups(id: string): Promise<string[]> {
      const rows = await db
        .selectFrom('simulated_multicast')
        .select(['address', 'receivers'])
        .orderBy('address')
        .execute()
      return rows
        .filter((row) => receiversIn(row).some(({ machineId }) => machineId === id))
        .map(({ address }) => address)
    },
    /** Machines that receive the packets of these senders to a group. */
    async receivers(address: string, senders: readonly string[]): Promise<string[]> {
      const rows = await db
        .selectFrom('simulated_multicast')
        .select('receivers')
        .where('address', '=', address)
        .execute()
      return rows
        .flatMap(receiversIn)
        .filter(
          ({ sources }) => sources.length === 0 || sources.some((one) => senders.includes(one)),
        )
        .map(({ machineId }) => machineId)
    },
    async sleds(): Promise<string[]> {
      const rows = await db
        .selectFrom('simulated_sled')
        .select('sled_id')
        .where('sled_id', 'is not', null)
        .execute()
      return rows.map(({ sled_id }) => sled_id!)
    },
  }
}
