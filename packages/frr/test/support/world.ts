/** Opens a world of hosts with FRR and lldpd, in namespaces that end with the test. */
import { localShell, type HostShell } from '@steading/commands/host-shell'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** All processes of a world end with the first one. */
const namespaces = '--net --mount --pid --fork --kill-child --mount-proc'.split(' ')
const programs = ['vtysh', 'frr-reload.py', 'lldpd', 'lldpcli', 'ip', 'unshare', 'nsenter']
const path = `${process.env.PATH}:/usr/sbin:/sbin:/usr/lib/frr`

/** Why tests with FRR cannot run here; undefined if they can. */
export function frrMissing(): string | undefined {
  if (process.env.STEADING_WITHOUT_FRR) return process.env.STEADING_WITHOUT_FRR
  const missing = programs.filter(
    (program) =>
      spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH: path } }).status !== 0,
  )
  if (missing.length > 0) return `${missing.join(', ')} not found`
  if (process.getuid?.() !== 0) return 'only root can make the namespaces'
  const { status, stderr } = spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'true'])
  return status === 0 ? undefined : String(stderr).trim()
}

export type Place = 'router' | 'edge0' | 'edge1'

export interface World {
  /** Commands of a host. */
  shell: (place: Place) => HostShell
  /** Runs a command at a place, and returns its output. */
  run: (place: Place, ...command: string[]) => Promise<string>
  /** Commands of FRR's shell. */
  frr: (place: Place, ...commands: string[]) => Promise<string>
  /** Configures an FRR by lines. */
  configure: (place: Place, ...lines: string[]) => Promise<string>
  /** Kills the daemons of an FRR, and starts those that do not run. */
  kill: (place: Place) => Promise<void>
  start: (place: Place) => Promise<void>
  end: () => Promise<void>
}

export async function openWorld(): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), 'steading-frr-'))
  const child = spawn(
    'unshare',
    [...namespaces, 'bash', join(import.meta.dirname, 'world.sh'), directory],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  child.stdin.on('error', () => {})
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  if ((await lines.next()).value !== 'up') throw new Error('the world has not come up')
  const { stdout } = spawnSync('pgrep', ['-P', String(child.pid)])
  const inside = String(stdout).trim()
  const enter = ['-t', inside, '-m', '-p', '--']

  const shell = (place: Place): HostShell => ({
    host: place,
    run: (command, args, options) =>
      localShell.run(
        'nsenter',
        [...enter, 'ip', 'netns', 'exec', place, command, ...args],
        options,
      ),
  })
  const run: World['run'] = (place, command, ...args) =>
    shell(place).run(command!, args, { ms: 120_000 })
  const frr: World['frr'] = (place, ...commands) =>
    run(place, 'vtysh', '-N', place, ...commands.flatMap((one) => ['-c', one]))
  return {
    shell,
    run,
    frr,
    configure: (place, ...configuration) => frr(place, 'configure terminal', ...configuration),
    async kill(place) {
      await run(place, 'sh', '-c', `kill -9 $(cat /run/frr/${place}/*.pid)`)
    },
    async start(place) {
      const words = [join(directory, 'start'), place]
      await localShell.run('nsenter', [...enter, ...words], { ms: 120_000 })
    },
    async end() {
      child.stdin.end()
      await ended
      await rm(directory, { recursive: true })
    },
  }
}
