/** A daemon of libvirt for one test, of the user nobody where the tests run as root. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../../control-plane/test/support/things.ts'

/** The user nobody: a daemon of root shares files with that of the system. */
const NOBODY = 65_534

export interface OwnDaemon {
  /** A directory that QEMU may read. */
  folder: string
  /** Address of the daemon for a driver, such as `qemu` or `test`. */
  uri: (driver: string, path: string) => string
  signal: (name: NodeJS.Signals) => void
  /** Kills the daemon. */
  end: () => Promise<void>
}

/** @param home name of its directory for everything but sockets, in `folder` */
export async function startOwnDaemon(home = 'home'): Promise<OwnDaemon> {
  const folder = mkdtempSync(join(tmpdir(), 'daemon-'))
  chmodSync(folder, 0o755)
  const isRoot = process.getuid?.() === 0
  for (const path of [home, 'run']) {
    mkdirSync(join(folder, path), { recursive: true })
    if (isRoot) chownSync(join(folder, path), NOBODY, NOBODY)
  }
  const daemon: ChildProcess = spawn('/usr/sbin/libvirtd', [], {
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: join(folder, home),
      XDG_RUNTIME_DIR: join(folder, 'run'),
    },
  })
  const socket = join(folder, 'run/libvirt/libvirt-sock')
  await until(
    async () => {
      const client = connect(socket)
      await once(client, 'connect')
      client.destroy()
    },
    () => {},
  )
  return {
    folder,
    uri: (driver, path) => `${driver}+unix:///${path}?socket=${socket}`,
    signal: (name) => void daemon.kill(name),
    async end() {
      daemon.kill('SIGCONT')
      daemon.kill('SIGKILL')
      if (daemon.exitCode === null && daemon.signalCode === null) await once(daemon, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
