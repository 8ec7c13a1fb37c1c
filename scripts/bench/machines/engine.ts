/** The engine of real machines, over a database and a directory of its own. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { MachineSpec } from '@steading/control-plane/ports'
import { closeEngines } from '../../../packages/control-plane/src/kernel/engine.ts'
import { openDatabase } from '../../../packages/control-plane/src/open-database.ts'
import { guestDisk } from '../../../packages/libvirt/test/support/guest.ts'
import { openEngines, smallSpec } from '../../../packages/libvirt/test/support/open-engines.ts'
import { openSqlite } from '../../../packages/node/src/sqlite.ts'
import { libvirtEngine, type LibvirtEngines } from '../../../packages/libvirt/src/engine.ts'

export interface BenchEngine {
  engines: LibvirtEngines
  /** The data directory. */
  data: string
  /** Path of the file with the newest bytes of a volume. */
  fileOf: (volumeId: string) => Promise<string>
  /** Waits until long chains of layers have been shortened. */
  flattened: () => Promise<void>
  close: () => Promise<void>
}

export async function openEngine(): Promise<BenchEngine> {
  const data = mkdtempSync(join(tmpdir(), 'steading-bench-'))
  // The libvirt of the system runs QEMU as a user of its own.
  chmodSync(data, 0o711)
  const engine = libvirtEngine({ directory: join(data, 'libvirt') })
  const database = await openDatabase(await openSqlite(join(data, 'steading.db')), engine)
  const engines = await openEngines(engine, database, (...details) => console.error(...details))
  return {
    engines,
    data,
    async fileOf(id) {
      const { layer_id } = await database.db
        .selectFrom('libvirt_volume')
        .select('layer_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return join(data, 'libvirt/volumes', `${layer_id}.qcow2`)
    },
    async flattened() {
      const parents = () =>
        database.db
          .selectFrom('libvirt_layer')
          .select('id')
          .where('parent_id', 'is not', null)
          .execute()
      // The chain is cut in several places, one after the other.
      for (let before = -1, now = (await parents()).length; before !== now;) {
        before = now
        await setTimeout(2_000)
        now = (await parents()).length
      }
    },
    async close() {
      await closeEngines(engines)
      await database.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** A machine of 64 MiB with the guest of the tests, on a volume of its own. */
export async function guestSpec({ engines }: BenchEngine, id: string): Promise<MachineSpec> {
  const volumeId = crypto.randomUUID()
  const bytes = guestDisk()
  await engines.volumes.create(volumeId, { size: bytes.length, blockSize: 512 }, 1)
  await engines.volumes.write(volumeId, 0, bytes)
  const source = await engines.volumes.attach(volumeId, id, 1)
  const volume = { id: volumeId, name: 'boot', size: bytes.length, slot: 0, boot: true }
  return smallSpec([{ ...volume, readOnly: false, source }])
}
