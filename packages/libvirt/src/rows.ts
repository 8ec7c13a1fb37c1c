/** The rows of machines. Every change is one statement that a concurrent change makes fail. */
import type { OpenDatabase } from '@steading/control-plane/engine'
import type { MachineSpec } from '@steading/control-plane/ports'
import { libvirtDestination, libvirtSpec, type LibvirtMachineTable } from './machine-tables.ts'

export type MachineRow = LibvirtMachineTable

export interface Rows {
  load: (id: string) => Promise<MachineRow | undefined>
  spec: (row: MachineRow) => MachineSpec
  /** @returns whether the machine is new */
  insert: (id: string, host: string, spec: MachineSpec, now: number) => Promise<boolean>
  /**
   * Changes a machine, again and again until nobody else has changed it meanwhile.
   * @param to the changes; undefined for none
   * @returns the present row; undefined if there is none
   */
  change: (
    id: string,
    to: (row: MachineRow) => Partial<MachineRow> | undefined,
  ) => Promise<MachineRow | undefined>
  remove: (id: string) => Promise<void>
  /** Calls back after each new machine and each change by this server. */
  subscribe: (changed: () => void) => void
  /** The machines of a host, or of all hosts. */
  all: (host?: string) => Promise<MachineRow[]>
  /** Whether a machine is to run under a lease. */
  hasLease: (lease: string) => Promise<boolean>
  /** The machines that move to a host. */
  movingTo: (host: string) => Promise<MachineRow[]>
}

export function createRows({ db }: Pick<OpenDatabase, 'db'>): Rows {
  const load = (id: string): Promise<MachineRow | undefined> =>
    db.selectFrom('libvirt_machine').selectAll().where('id', '=', id).executeTakeFirst()
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  return {
    load,
    spec: ({ spec }) => libvirtSpec.read(spec),
    async insert(id, host, spec, now) {
      const inserted = await db
        .insertInto('libvirt_machine')
        .values({
          id,
          host,
          spec: libvirtSpec.write(spec),
          phase: 'booting',
          wanted: 'run',
          since: now,
          started_at: null,
          boot: 0,
          boot_offset: 0,
          log_file: null,
          log_start: 0,
          reboots: 0,
          failure: null,
          destination: null,
          move_failure: null,
          pause: null,
          firmware: null,
          nothing_to_boot: 0,
          thaw: 0,
          lease: null,
          lease_version: null,
          version: 0,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      tell()
      return inserted !== undefined
    },
    async change(id, to) {
      for (;;) {
        const row = await load(id)
        const changes = row && to(row)
        if (!changes) return row
        const { version } = row
        const changed = await db
          .updateTable('libvirt_machine')
          .set({ ...changes, version: version + 1 })
          .where('id', '=', id)
          .where('version', '=', version)
          .returningAll()
          .executeTakeFirst()
        if (!changed) continue
        tell()
        return changed
      }
    },
    async remove(id) {
      await db.deleteFrom('libvirt_machine').where('id', '=', id).execute()
    },
    subscribe: (changed) => void listeners.add(changed),
    all(host) {
      const rows = db.selectFrom('libvirt_machine').selectAll().orderBy('id')
      return (host === undefined ? rows : rows.where('host', '=', host)).execute()
    },
    async hasLease(lease) {
      const found = await db
        .selectFrom('libvirt_machine')
        .select('id')
        .where('lease', '=', lease)
        .limit(1)
        .executeTakeFirst()
      return found !== undefined
    },
    async movingTo(host) {
      const rows = await db
        .selectFrom('libvirt_machine')
        .selectAll()
        .where('destination', 'is not', null)
        .execute()
      return rows.filter(
        ({ destination }) => libvirtDestination.read(destination!).sled.serial === host,
      )
    },
  }
}
