/** A northbound database of its own, for tests without networks. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const SCHEMA = '/usr/share/ovn/ovn-nb.ovsschema'

/** Why there can be no northbound database here; undefined if there can. */
export function databaseMissing(): string | undefined {
  if (process.env.STEADING_WITHOUT_OVN) return process.env.STEADING_WITHOUT_OVN
  const found = spawnSync('sh', ['-c', 'command -v ovsdb-server']).status === 0
  return found && existsSync(SCHEMA) ? undefined : 'ovn-central is not installed'
}

export interface TestDatabase {
  path: string
  /** Kills the server, as a crash would. */
  kill: () => Promise<void>
  start: () => Promise<void>
  /** Runs `ovn-nbctl`. */
  nbctl: (...args: string[]) => string
  /** The number of connections. */
  sessions: () => number
}

/** The files of one end of a connection by TLS. */
export interface TlsFiles {
  privateKey: string
  certificate: string
  authority: string
}

/**
 * It ends with the test.
 * @param tls also listens at this port, of the loopback address
 */
export async function startDatabase(tls?: TlsFiles & { port: number }): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'steading-northbound-'))
  const [path, file] = [join(directory, 'nb.sock'), join(directory, 'nb.db')]
  let server: ChildProcess | undefined
  execFileSync('ovsdb-tool', ['create', file, SCHEMA])
  const kill = async () => {
    if (!server) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
    server = undefined
  }
  const start = async () => {
    await rm(path, { force: true })
    server = spawn(
      'ovsdb-server',
      [
        `--remote=punix:${path}`,
        `--unixctl=${join(directory, 'ctl')}`,
        ...(tls
          ? [
              `--remote=pssl:${tls.port}:127.0.0.1`,
              `--private-key=${tls.privateKey}`,
              `--certificate=${tls.certificate}`,
              `--ca-cert=${tls.authority}`,
            ]
          : []),
        '--log-file=/dev/null',
        file,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    // It says nothing when it is ready.
    execFileSync(
      'ovsdb-client',
      ['--timeout=600', 'wait', `unix:${path}`, 'OVN_Northbound', 'connected'],
      {
        stdio: 'ignore',
      },
    )
  }
  const nbctl = (...args: string[]) =>
    execFileSync('ovn-nbctl', [`--db=unix:${path}`, ...args], { encoding: 'utf8' })
  const sessions = () => {
    const control = ['-t', join(directory, 'ctl')]
    const text = execFileSync('ovs-appctl', [...control, 'memory/show'], { encoding: 'utf8' })
    return Number(/\bsessions:(\d+)/.exec(text)?.[1] ?? 0)
  }
  onTestFinished(async () => {
    await kill()
    await rm(directory, { recursive: true, force: true })
  })
  for (;;) {
    try {
      await start()
      break
    } catch {
      await kill()
    }
  }
  nbctl('init')
  return {
    path,
    kill,
    start,
    nbctl,
    sessions,
  }
}
