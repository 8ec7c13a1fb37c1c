/** The engine for tests, over a database and a directory of its own. */
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { OpenDatabase } from '../../../control-plane/src/kernel/db/database.ts'
import { closeEngines } from '../../../control-plane/src/kernel/engine.ts'
import { openDatabase } from '../../../control-plane/src/open-database.ts'
import { addMigratedSqlite } from '../../../control-plane/test/support/migrated.ts'
import { openEngines, smallSpec } from './open-engines.ts'
import { openSqlite } from '../../../node/src/sqlite.ts'
import { libvirtEngine, type LibvirtEngineOptions, type LibvirtEngines } from '../../src/engine.ts'
import { removeDomains } from './domains.ts'
import { guestDisk } from './guest.ts'

/** A server with the engine. */
export interface TestServer {
  engines: LibvirtEngines
  log: ReturnType<typeof vi.fn<(message: string, detail?: unknown) => void>>
  /** Stops the server; its machines run on. */
  close: () => Promise<void>
}

export interface TestHost {
  /** The data directory. */
  data: string
  database: OpenDatabase
  start: () => Promise<TestServer>
  remove: () => Promise<void>
}

interface TestPlace {
  data?: string
  fill?: (data: string) => Promise<void>
}

/**
 * @param place a data directory, which `fill` makes; a new one by default
 */
export async function openTestHost(
  options: Partial<LibvirtEngineOptions> = {},
  { data = mkdtempSync(join(tmpdir(), 'steading-machines-')), fill }: TestPlace = {},
): Promise<TestHost> {
  await fill?.(data)
  // The libvirt of the system runs QEMU as a user of its own.
  chmodSync(data, 0o711)
  const engine = libvirtEngine({
    directory: join(data, 'libvirt'),
    stopMs: 20_000,
    rebootMs: 2_000,
    scanMs: 500,
    // A busy machine answers late.
    answerMs: 600_000,
    ...options,
  })
  const file = join(data, 'steading.db')
  if (!existsSync(file)) await addMigratedSqlite(data, engine)
  const database = await openDatabase(openSqlite(file), engine)
  return {
    data,
    database,
    async start() {
      const log = vi.fn<(message: string, detail?: unknown) => void>()
      const engines = await openEngines(engine, database, log)
      return {
        engines,
        log,
        close: () => closeEngines(engines),
      }
    },
    async remove() {
      await database.close()
      // A test may have failed, or kept the remains of a machine.
      removeDomains(data)
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/**
 * Runs the guest of the tests from a volume.
 * @param size of the volume in bytes; by default that of the disk of the guest
 */
export async function runGuest(
  { engines }: TestServer,
  size?: number,
): Promise<{ id: string; volumeId: string }> {
  const [id, volumeId] = [crypto.randomUUID(), crypto.randomUUID()]
  const disk = guestDisk()
  await engines.volumes.create(volumeId, { size: size ?? disk.length, blockSize: 512 }, 1)
  await engines.volumes.write(volumeId, 0, disk)
  const source = await engines.volumes.attach(volumeId, id, 1)
  const volume = { id: volumeId, name: 'boot', size: size ?? disk.length, slot: 0, boot: true }
  await engines.machines.run(id, smallSpec([{ ...volume, readOnly: false, source }]), 1)
  return { id, volumeId }
}
