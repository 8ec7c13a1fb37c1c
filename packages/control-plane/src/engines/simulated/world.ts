import type { Db } from '../../kernel/db/database.ts'
import type { VmPhase, VmSpec } from '../../kernel/ports/engine.ts'
import { KEPT_BYTES } from './console-buffer.ts'

/** A virtual machine as it is written down; a restart of the control plane picks it up from here. */
export interface VmState {
  spec: VmSpec
  phase: Exclude<VmPhase, 'absent'>
  /** When the phase began; milliseconds. */
  since: number
  /** Reboots begun. */
  reboots: number
  /** Lines of the boot log that have been printed. */
  printed: number
}

/** A volume or a snapshot as it is written down; its bytes are elsewhere. */
export interface VolumeState {
  /** Bytes. */
  size: number
  snapshot: boolean
  /** It has been written to, or made of something that was; else it is all zeros. */
  hasBytes: boolean
}

/**
 * Where the simulated engine keeps its world, so that machines outlive the process as they would on
 * real hosts.
 */
export interface World {
  vms: () => Promise<Map<string, VmState>>
  saveVm: (id: string, state: VmState) => Promise<void>
  removeVm: (id: string) => Promise<void>
  console: (vmId: string) => Promise<{ offset: number; data: Uint8Array }[]>
  appendConsole: (vmId: string, offset: number, data: Uint8Array) => Promise<void>
  clearConsole: (vmId: string) => Promise<void>
  saveVolume: (id: string, size: number, snapshot: boolean) => Promise<void>
  markVolumeStored: (id: string) => Promise<void>
  removeVolume: (id: string) => Promise<void>
  volumes: () => Promise<Map<string, VolumeState>>
}

const toBase64 = (data: Uint8Array): string => {
  let binary = ''
  for (const byte of data) binary += String.fromCharCode(byte)
  return btoa(binary)
}
const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** The world in three tables of the control plane's database. */
export function sqlWorld(db: Db): World {
  return {
    async vms() {
      const rows = await db.selectFrom('simulated_vm').selectAll().execute()
      return new Map(rows.map(({ id, state }) => [id, JSON.parse(state) as VmState]))
    },
    async saveVm(id, state) {
      const text = JSON.stringify(state)
      await db
        .insertInto('simulated_vm')
        .values({ id, state: text })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ state: text }))
        .execute()
    },
    async removeVm(id) {
      await db.deleteFrom('simulated_vm').where('id', '=', id).execute()
      await this.clearConsole(id)
    },
    async console(vmId) {
      const rows = await db
        .selectFrom('simulated_console')
        .select(['byte_offset', 'data'])
        .where('vm_id', '=', vmId)
        .orderBy('byte_offset')
        .execute()
      return rows.map(({ byte_offset, data }) => ({ offset: byte_offset, data: fromBase64(data) }))
    },
    async appendConsole(vmId, offset, data) {
      await db
        .insertInto('simulated_console')
        .values({ vm_id: vmId, byte_offset: offset, data: toBase64(data) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      // Now and then: what is not kept in memory any more is not kept here either.
      const end = offset + data.length
      if (Math.floor(offset / KEPT_BYTES) === Math.floor(end / KEPT_BYTES)) return
      await db
        .deleteFrom('simulated_console')
        .where('vm_id', '=', vmId)
        .where('byte_offset', '<', end - 2 * KEPT_BYTES)
        .execute()
    },
    async clearConsole(vmId) {
      await db.deleteFrom('simulated_console').where('vm_id', '=', vmId).execute()
    },
    async saveVolume(id, size, snapshot) {
      await db
        .insertInto('simulated_volume')
        .values({ id, size, is_snapshot: snapshot ? 1 : 0, has_bytes: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async markVolumeStored(id) {
      await db.updateTable('simulated_volume').set({ has_bytes: 1 }).where('id', '=', id).execute()
    },
    async removeVolume(id) {
      await db.deleteFrom('simulated_volume').where('id', '=', id).execute()
    },
    async volumes() {
      const rows = await db.selectFrom('simulated_volume').selectAll().execute()
      return new Map(
        rows.map(({ id, size, is_snapshot, has_bytes }) => [
          id,
          { size, snapshot: is_snapshot === 1, hasBytes: has_bytes === 1 },
        ]),
      )
    },
  }
}
