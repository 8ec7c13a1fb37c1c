/** Parts that a server in a process of its own shares with the tests. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenDatabase } from '../../../control-plane/src/kernel/db/database.ts'
import { openDatabase } from '../../../control-plane/src/open-database.ts'
import { addMigratedSqlite } from '../../../control-plane/test/support/migrated.ts'
import { openPostgres } from '../../../node/src/postgres.ts'
import { openSqlite } from '../../../node/src/sqlite.ts'
import { libvirtEngine } from '../../src/engine.ts'

/** Opens a database with the tables of this engine. */
export async function openTestDatabase(data: string, url?: string): Promise<OpenDatabase> {
  const engine = libvirtEngine({ directory: join(data, 'libvirt') })
  if (url !== undefined) return openDatabase(await openPostgres(url), engine)
  const file = join(data, 'steading.db')
  if (!existsSync(file)) await addMigratedSqlite(data, engine)
  return openDatabase(openSqlite(file), engine)
}

/** Bytes that differ from those of every other seed. */
export function bytesOf(seed: number, length: number): Uint8Array {
  const data = new Uint8Array(length)
  let state = seed * 2_654_435_761 + 1
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    data[at] = state >>> 24
  }
  return data
}

export const plain = (data: Uint8Array): Uint8Array => Uint8Array.from(data)
