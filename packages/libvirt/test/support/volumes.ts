/** Volumes in qcow2 files for tests, over a database of their own. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { inject, vi } from 'vitest'
import type { OpenDatabase } from '../../../control-plane/src/kernel/db/database.ts'
import { loadNbd } from '../../src/native/nbd.ts'
import {
  createQcow2Volumes,
  type Qcow2Volumes,
  type Qcow2VolumesOptions,
} from '../../src/volumes/volumes.ts'
import { openTestDatabase } from './bytes.ts'

export { bytesOf, plain } from './bytes.ts'

/** The reason why no volumes can be tested here; undefined if they can. */
export async function volumesMissing(): Promise<string | undefined> {
  for (const program of ['qemu-img', 'qemu-nbd']) {
    if (spawnSync(program, ['--version']).status !== 0) return `${program} is not installed`
  }
  return loadNbd().then(
    () => undefined,
    (error: Error) => error.message,
  )
}

/** @returns the URL of a new PostgreSQL database */
export async function newPostgres(): Promise<string> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const url = new URL(inject('postgresUrl'))
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  url.pathname = name
  return url.href
}

export interface TestVolumes {
  volumes: Qcow2Volumes
  database: OpenDatabase
  data: string
  /** Directory of the files. */
  directory: string
  log: ReturnType<typeof vi.fn<(message: string, detail?: unknown) => void>>
  /** Further servers over the same database and directory. */
  another: (options?: Partial<Qcow2VolumesOptions>) => Promise<TestVolumes>
  /** Stops the server; the files stay. */
  close: () => Promise<void>
  remove: () => Promise<void>
}

export async function startVolumes(
  options: Partial<Qcow2VolumesOptions> = {},
  place: { data?: string; url?: string } = {},
): Promise<TestVolumes> {
  const data = place.data ?? (await mkdtemp(join(tmpdir(), 'steading-volumes-')))
  const directory = options.directory ?? join(data, 'volumes')
  const database = await openTestDatabase(data, place.url)
  const log = vi.fn<(message: string, detail?: unknown) => void>()
  const volumes = createQcow2Volumes(
    { database, log, clock: () => new Date() },
    { ...options, directory },
  )
  await volumes.start()
  const close = async () => {
    await volumes.close()
    await database.close()
  }
  return {
    volumes,
    database,
    data,
    directory,
    log,
    another: (more) => startVolumes({ ...options, ...more, directory }, { ...place, data }),
    close,
    async remove() {
      await close()
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** Names of the files of layers, and of unfinished ones, in a directory. */
export const layerFilesIn = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.includes('.qcow2')).toSorted()

/** Ids of the processes of `qemu-nbd` whose command line has a text. */
export async function processesOn(path: string): Promise<number[]> {
  const found: number[] = []
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
    if (command.startsWith('qemu-nbd') && command.includes(path)) found.push(Number(pid))
  }
  return found
}
