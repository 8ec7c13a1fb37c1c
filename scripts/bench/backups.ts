/**
 * Creating, checking and restoring a large backup, compared with a plain copy of the same files in
 * the same run. Memory has to stay bounded, whatever the size of the volumes.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../processes.ts'
import { seedAuditLog } from './audit-log.ts'
import { startHost } from './host.ts'

const MiB = 2 ** 20
const VOLUMES = 4
const FILES = 4
const FILE_BYTES = 64 * MiB
const ROWS = 200_000
const MEMORY_POLL_MS = 50

interface Run {
  /** Seconds. */
  seconds: number
  /** Maximum resident memory in MiB. */
  memory: number
}

/**
 * Runs a command of the server.
 * @throws Error if it fails
 */
async function command(...args: string[]): Promise<Run> {
  const began = performance.now()
  const main = join(root, 'packages/node/src/main.ts')
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  let memory = 0
  const look = () => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      memory = Math.max(memory, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // It has exited.
    }
  }
  const timer = setInterval(look, MEMORY_POLL_MS)
  const [code] = await once(child, 'exit')
  clearInterval(timer)
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`)
  return { seconds: (performance.now() - began) / 1000, memory }
}

/** Data of a stopped server with full volumes and a long audit log. */
async function seed(data: string): Promise<void> {
  const host = await startHost(data)
  await host.stop()
  seedAuditLog(data, ROWS)
  for (let volume = 0; volume < VOLUMES; volume++) {
    const directory = join(data, 'volumes', crypto.randomUUID())
    await mkdir(directory, { recursive: true })
    for (let index = 0; index < FILES; index++) {
      const file = await open(join(directory, String(index).padStart(6, '0')), 'wx')
      for (let at = 0; at < FILE_BYTES; at += MiB) await file.write(randomBytes(MiB))
      await file.close()
    }
  }
}

/** The files below a directory. */
async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

/**
 * Copies files durably, one after the other.
 * @returns seconds
 */
async function plainCopy(files: readonly string[], to: string): Promise<number> {
  await mkdir(to)
  const began = performance.now()
  for (const [index, path] of files.entries()) {
    const file = await open(join(to, String(index)), 'wx')
    for await (const piece of createReadStream(path, { highWaterMark: MiB }))
      await file.write(piece)
    await file.sync()
    await file.close()
  }
  return (performance.now() - began) / 1000
}

export async function backupFigures(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'steading-backups-'))
  try {
    const data = join(home, 'data')
    const backup = join(home, 'steading.backup')
    const restored = join(home, 'restored')
    await seed(data)
    const files = await filesOf(data)
    const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size))
    const megabytes = sizes.reduce((sum, size) => sum + size, 0) / MiB
    console.log(
      `a backup of ${megabytes.toFixed(0)} MiB: ${VOLUMES} full volumes and ${ROWS} rows of the audit log`,
    )
    const copied = await plainCopy(files, join(home, 'copy'))
    console.log(`plain copy  ${(megabytes / copied).toFixed(0).padStart(5)} MiB/s`)
    const runs = {
      backup: () => command('backup', backup, '--data', data),
      verify: () => command('verify', backup),
      restore: () => command('restore', backup, '--data', restored),
    }
    for (const [name, run] of Object.entries(runs)) {
      const { seconds, memory } = await run()
      const rate = (megabytes / seconds).toFixed(0).padStart(5)
      console.log(
        `${name.padEnd(11)} ${rate} MiB/s, ${(copied / seconds).toFixed(2)} times the plain copy; at most ${memory.toFixed(0)} MiB of memory`,
      )
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
