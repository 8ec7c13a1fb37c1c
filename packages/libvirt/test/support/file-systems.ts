/** File systems for storage pools of tests, which root mounts. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'

export interface FileSystem {
  path: string
  unmount: () => void
}

/** An empty file system at a path. */
export function mountedAt(path: string, size: string): FileSystem {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path])
  return { path, unmount: () => void execFileSync('umount', ['-l', path]) }
}

/** An empty file system in a directory. */
export const mounted = async (data: string, size = '64m'): Promise<FileSystem> =>
  mountedAt(await mkdtemp(join(data, 'pool-')), size)

/** Why no file system can be made silent here; undefined if one can. */
export function silenceMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'file systems are mounted by root only'
  if (spawnSync('bindfs', ['--version']).status !== 0) return 'bindfs is not installed'
  return existsSync('/dev/fuse') ? undefined : 'there is no /dev/fuse'
}

/** A file system until the test ends, which can stop answering, as NFS whose server is gone. */
export async function silenceable(data: string) {
  const [path, behind] = [join(data, 'silent'), join(data, 'behind')]
  await mkdir(path)
  await mkdir(behind)
  return silenceableAt(path, behind)
}

/** The same at a path. @param behind the directory that it shows */
export async function silenceableAt(path: string, behind = path) {
  const child: ChildProcess = spawn('bindfs', ['-f', behind, path], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const isMounted = async () => spawnSync('mountpoint', ['-q', path]).status === 0
  onTestFinished(async () => {
    child.kill('SIGCONT')
    spawnSync('umount', ['-l', path])
    child.kill('SIGTERM')
    await ended
  })
  await until(isMounted, (is) => {
    if (!is) throw new Error('it is not mounted yet')
  })
  return {
    path,
    silence: () => void child.kill('SIGSTOP'),
    answer: () => void child.kill('SIGCONT'),
  }
}
