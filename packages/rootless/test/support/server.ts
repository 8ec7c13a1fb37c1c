/**
 * A server of a host without root, controlled by lines of JSON. It runs as a process of its own,
 * because an ordinary user has such a host, and because servers are killed.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import type { LibvirtEngines } from '../../../libvirt/src/engine.ts'
import type * as Package from '../../src/index.ts'

/** A call, and the parts of the package to use. */
export interface ServerCall {
  id: number
  name: keyof typeof calls
  args: unknown[]
}
export type ServerAnswer = { id: number; result: unknown } | { id: number; error: string }

const [home, source] = process.argv.slice(2) as [string, string]
const { openRootless, rootlessProblems } = (await import(source)) as typeof Package

const data = join(home, 'data')
await mkdir(data, { recursive: true })
let host: Package.Rootless | undefined
let engines: LibvirtEngines | undefined

/** A process of the test in the namespaces. */
function begin(command: string, ...args: string[]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { next: async () => String((await lines.next()).value) }
}

/** Most tests need no engine, whose modules take seconds to load. */
const loadEngine = async () => ({
  ...(await import('../../../control-plane/src/kernel/engine.ts')),
  ...(await import('../../../control-plane/src/open-database.ts')),
  ...(await import('../../../control-plane/test/support/migrated.ts')),
  ...(await import('../../../libvirt/src/domain-names.ts')),
  ...(await import('../../../libvirt/src/engine.ts')),
  ...(await import('../../../libvirt/test/support/guest.ts')),
  ...(await import('../../../libvirt/test/support/open-engines.ts')),
  ...(await import('../../../node/src/sqlite.ts')),
})

async function guestEngines(): Promise<LibvirtEngines> {
  if (engines) return engines
  const parts = await loadEngine()
  const { addMigratedSqlite, libvirtEngine, openDatabase, openEngines, openSqlite } = parts
  const engine = libvirtEngine({
    directory: join(data, 'libvirt'),
    uri: host!.libvirtUri,
    logs: host!.libvirtLogs,
    scanMs: 500,
  })
  const file = join(data, 'steading.db')
  if (!existsSync(file)) await addMigratedSqlite(data, engine)
  const database = await openDatabase(openSqlite(file), engine)
  engines = await openEngines(engine, database, () => {})
  return engines
}

const calls = {
  problems: () => rootlessProblems(),
  async open(forwards: { first: number; last: number; address?: string }) {
    const log = (message: string, detail?: unknown) => console.error(message, detail)
    host = await openRootless({ directory: join(data, 'host'), log, forwards })
    const { libvirtUri, libvirtLogs, northbound, openvswitch } = host
    return { libvirtUri, libvirtLogs, northbound, openvswitch }
  },
  run: (command: string, ...args: string[]) => host!.run(command, ...args),
  feed: (input: string, command: string, ...args: string[]) => host!.feed(input, command, ...args),
  health: () => host!.health(),
  close: () => host!.close(),
  end: () => host!.end(),

  /**
   * Starts a listener in a network namespace of its own, at a port of `br-outside`.
   * @returns its process
   */
  async place(name: string, addresses: string[], gateways: string[], port: number) {
    const { holder } = await host!.health()
    const program = `require('node:net')
      .createServer((socket) => socket.end('a guest, to ' + socket.remoteAddress))
      .listen(${port}, () => console.log('ready'))`
    const enter = ['-t', String(holder), '-U', '-n', '-m', '--preserve-credentials', '--']
    // The shell waits for the device.
    const script = [
      'echo $$',
      `until [ -e /proc/sys/net/ipv4/conf/${name} ]; do sleep 0.02; done`,
      `echo 0 >/proc/sys/net/ipv6/conf/${name}/accept_dad`,
      ...addresses.map((address) => `ip address add ${address} dev ${name}`),
      'ip link set lo up',
      `ip link set ${name} up`,
      ...gateways.map((gateway) => `ip route add default via ${gateway}`),
      `ethtool -K ${name} tx off >/dev/null`,
      'exec "$@"',
    ].join('\n')
    const unshared = ['unshare', '--net', 'sh', '-ec', script, 'sh']
    const started = begin('nsenter', ...enter, ...unshared, process.execPath, '-e', program)
    const pid = await started.next()
    const device = ['add-port', 'br-outside', name, '--', 'set', 'interface', name]
    await host!.run('ovs-vsctl', ...device, 'type=internal')
    await host!.run('ip', 'link', 'set', name, 'netns', pid)
    await started.next()
    return pid
  },
  /** Connects from there, and answers what it hears, or the code of the error. */
  connect: (pid: string, address: string, port: number) =>
    host!.run(
      'nsenter',
      '-t',
      pid,
      '-n',
      process.execPath,
      '-e',
      `require('node:net')
      .connect(${port}, '${address}')
      .on('error', ({ code }) => console.log(code))
      .pipe(process.stdout)`,
    ),

  /** Starts a guest, waits until it prints its line, and answers the name of its domain. */
  async startGuest() {
    const { volumes, machines, consoles } = await guestEngines()
    const { domainName, guestDisk, READY, smallSpec } = await loadEngine()
    const [id, volume] = [crypto.randomUUID(), crypto.randomUUID()]
    const disk = guestDisk()
    await volumes.create(volume, { size: disk.length, blockSize: 512 }, 1)
    await volumes.write(volume, 0, disk)
    const attached = await volumes.attach(volume, id, 1)
    const boot = { id: volume, name: 'boot', size: disk.length, slot: 0, boot: true }
    await machines.run(id, smallSpec([{ ...boot, readOnly: false, source: attached }]), 1)
    for (;;) {
      const { data } = await consoles.read(id, 0)
      if (Buffer.from(data).includes(READY)) return domainName(id)
      await wait(50)
    }
  },

  /** Names of the logs in a support bundle. */
  async logs() {
    const names: string[] = []
    for await (const { name } of (await guestEngines()).hosts.logs()) names.push(name)
    return names
  },
}

const say = (answer: ServerAnswer): void => void process.stdout.write(`${JSON.stringify(answer)}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const { id, name, args } = JSON.parse(line) as ServerCall
  const call = calls[name] as (...args: unknown[]) => Promise<unknown>
  call(...args).then(
    (result) => say({ id, result: result ?? null }),
    (error: unknown) => say({ id, error: String(error) }),
  )
}
process.exit()
