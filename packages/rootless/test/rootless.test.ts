/** The host without root, by servers that are processes of an ordinary user. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { appendFile, cp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'vitest'
import { until } from '../../control-plane/test/support/things.ts'
import { daemonNames, type RootlessHealth, type RootlessProblem } from '../src/index.ts'
import {
  freePort,
  hostRuns,
  isRunning,
  makeHome,
  runtimeOf,
  type ServerProcess,
  startServer,
} from './support/open-server.ts'
import { rootlessMissing } from './support/missing.ts'

const packageRoot = join(import.meta.dirname, '..')

const pidsOf = ({ daemons }: RootlessHealth) => daemons.map(({ pid }) => pid)

/** Listens on a free port, and counts connections. */
async function listen(address: string, onEnd: (end: () => void) => void, words = 'the machine') {
  const server = createServer((socket) => {
    heard.count++
    socket.on('error', () => {})
    socket.end(words)
  })
  const heard = { count: 0, port: 0 }
  const listening = Promise.withResolvers<void>()
  server.listen(0, address, listening.resolve)
  await listening.promise
  heard.port = (server.address() as { port: number }).port
  onEnd(() => void server.close())
  return heard
}

describe.skipIf(rootlessMissing() !== undefined)(
  'a host without root',
  { concurrent: true },
  () => {
    // First, because it takes longest.
    test('keeps a guest through servers and versions, and ends with it', async (context) => {
      const { expect } = context
      const home = await makeHome(context)
      const first = startServer(context, home)
      await first.open()
      const guest = await first.call<string>('startGuest')
      expect(await first.call('logs')).toEqual(
        expect.arrayContaining(['libvirt/libvirtd.log', `qemu/${guest}.log`]),
      )
      const before = await first.health()
      await first.kill()

      // Another version of the scripts, and another port.
      const copy = join(home.path, 'next')
      await cp(join(packageRoot, 'src'), join(copy, 'src'), { recursive: true })
      await symlink(join(packageRoot, '../../node_modules'), join(copy, 'node_modules'))
      await writeFile(join(copy, 'package.json'), '{ "type": "module" }')
      await appendFile(join(copy, 'src/host/host.sh'), '# newer\n')
      const source = join(copy, 'src/index.ts')
      const second = startServer(context, home, { source })
      const { libvirtUri } = await second.open(await freePort())
      const guests = (server: ServerProcess) =>
        server.run('virsh', '-c', libvirtUri, 'list', '--name', '--state-running')
      const after = await second.health()
      expect(after.id).toBe(before.id)
      const kept = after.daemons.filter(({ pid }) => pidsOf(before).includes(pid))
      expect(kept.map(({ name }) => name)).toEqual(['virtlogd'])
      expect(await guests(second)).toContain(guest)
      await second.kill()

      // Each round of the supervisor has another process that waits.
      const waits = new Set<string>()
      await until(
        async () => {
          const children = `/proc/${after.supervisor}/task/${after.supervisor}/children`
          for (const child of (await readFile(children, 'utf8')).trim().split(' ')) {
            const name = await readFile(`/proc/${child}/comm`, 'utf8').catch(() => '')
            if (name === 'sleep\n') waits.add(child)
          }
          return waits.size
        },
        (count) => expect(count).toBeGreaterThan(3),
      )

      const third = startServer(context, home, { source })
      await third.open(home.forwards)
      expect((await third.health()).id).toBe(before.id)
      expect(await guests(third)).toContain(guest)
      await third.run('virsh', '-c', libvirtUri, 'destroy', guest)
      await third.kill()
      await until(
        async () => [after.holder, ...pidsOf(after)].filter((pid) => isRunning(pid!)),
        (running) => expect(running).toEqual([]),
      )
      await until(
        async () => hostRuns(home.path),
        (runs) => expect(runs).toBe(false),
      )
    })

    test('outlives its server, and is found again', async (context) => {
      const { expect } = context
      const home = await makeHome(context)
      const first = startServer(context, home)
      const facts = await first.open()
      const before = await first.health()
      expect(before.daemons.map(({ name, state }) => ({ name, state }))).toEqual(
        daemonNames.map((name) => ({ name, state: 'running' })),
      )
      await first.run('ip', 'address', 'add', '198.51.100.1/24', 'dev', 'outside')
      await first.kill()
      // As when the user logs out.
      await rm(join(home.path, 'r/steading'), { recursive: true })

      const second = startServer(context, home)
      expect(await second.open()).toEqual(facts)
      const after = await second.health()
      expect(after).toEqual(before)
      expect(await second.run('ip', '-brief', 'address', 'show', 'outside')).toContain(
        '198.51.100.1',
      )
    })

    test('is started once by two servers @long', async (context) => {
      const { expect } = context
      const home = await makeHome(context)
      const servers = [1, 2].map(() => startServer(context, home))
      await Promise.all(servers.map((server) => server.open()))
      const [one, other] = await Promise.all(servers.map((server) => server.health()))
      expect(one).toEqual(other)
      expect(
        one!.daemons.every(({ state, restarts }) => state === 'running' && restarts === 0),
      ).toBe(true)
    })

    test('has OVN, Open vSwitch and libvirt, and is private', async (context) => {
      const { expect } = context
      const home = await makeHome(context)
      const server = startServer(context, home)
      const { libvirtUri } = await server.open()
      const chassis = await server.run('ovn-sbctl', '--bare', '--columns=name', 'list', 'chassis')
      expect(chassis.trim()).toBe('one')
      const mappings = await server.run(
        'ovs-vsctl',
        'get',
        'open',
        '.',
        'external_ids:ovn-bridge-mappings',
      )
      expect(mappings).toContain('outside:br-outside')
      for (const bridge of ['br-int', 'br-outside']) {
        const type = await server.run('ovs-vsctl', 'get', 'bridge', bridge, 'datapath_type')
        expect(type.trim()).toBe('netdev')
      }
      await server.run('ovn-nbctl', '--wait=hv', 'ls-add', 'somewhere')
      expect(await server.run('virsh', '-c', libvirtUri, 'uri')).toContain('qemu:///system')
      await expect(server.run('false')).rejects.toThrow(/false/)
      for (const path of [join(home.path, 'data/host'), runtimeOf(home.path)]) {
        expect((await stat(path)).mode & 0o777).toBe(0o700)
        const open = await readdir(path, { recursive: true, withFileTypes: true })
        for (const { name, parentPath } of open.filter((entry) => !entry.isSymbolicLink())) {
          expect((await stat(join(parentPath, name))).mode & 0o002, join(parentPath, name)).toBe(0)
        }
      }
    })

    test('starts what has been killed', async (context) => {
      const { expect } = context
      const home = await makeHome(context)
      const server = startServer(context, home)
      await server.open()
      await server.run('ovn-nbctl', 'ls-add', 'somewhere')
      await server.run('ip', 'address', 'add', '198.51.100.1/24', 'dev', 'outside')
      const before = await server.health()
      for (const pid of pidsOf(before)) process.kill(pid!, 'SIGKILL')
      const back = await until(
        () => server.health(),
        ({ daemons }) => {
          expect(daemons.map(({ state }) => state)).toEqual(daemonNames.map(() => 'running'))
          expect(daemons.every(({ restarts }) => restarts > 0)).toBe(true)
        },
      )
      expect(back.id).toBe(before.id)
      expect(back.daemons[0]!.reason).toContain('signal 9')
      expect(await server.run('ovn-nbctl', '--wait=hv', 'ls-list')).toContain('somewhere')
      expect(await server.run('ip', '-brief', 'address', 'show', 'outside')).toContain(
        '198.51.100.1',
      )

      process.kill(back.holder, 'SIGKILL')
      await until(
        () => server.health(),
        ({ id, holder }) => {
          expect(holder).not.toBe(back.holder)
          expect(id).toBe(back.id)
        },
      )

      process.kill(back.supervisor, 'SIGKILL')
      await until(
        async () => isRunning(back.supervisor),
        (runs) => expect(runs).toBe(false),
      )
      const again = await server.health()
      expect(again.wasDown).toBe(true)
      expect(pidsOf(again)).toEqual(pidsOf(back))
      // It also watches the processes that are not its own.
      process.kill(again.daemons[0]!.pid!, 'SIGKILL')
      await until(
        () => server.health(),
        ({ daemons: [first] }) => {
          expect(first!.state).toBe('running')
          expect(first!.restarts).toBe(again.daemons[0]!.restarts + 1)
        },
      )
    })

    test('starts after a start that was killed at any moment @long', async (context) => {
      const { expect } = context
      const home = await makeHome(context)
      const directory = join(home.path, 'data/host')
      const supervisors = async () => {
        const found = []
        for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
          const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
          if (command.includes(`host.sh\0serve\0${directory}\0`)) found.push(Number(pid))
        }
        return found
      }
      const moments = ['', 'libvirt', 'prepared', 'ovn/ovnnb_db.sock', 'libvirt/libvirt-sock']
      for (const moment of moments) {
        const killed = startServer(context, home)
        killed.open().catch(() => {})
        const [supervisor] = await until(supervisors, (found) => expect(found).toHaveLength(1))
        await until(
          async () => existsSync(join(runtimeOf(home.path), moment)),
          (there) => expect(there).toBe(true),
        )
        await killed.kill()
        process.kill(supervisor!, 'SIGKILL')

        const server = startServer(context, home)
        await server.open()
        const { daemons } = await server.health()
        expect(daemons.map(({ state }) => state)).toEqual(daemonNames.map(() => 'running'))
        for (const name of ['ovs-vswitchd', 'ovn-northd', 'libvirtd', 'sleep']) {
          const count = `pgrep --ns $$ --nslist net --runstates S,R,D --exact --count ${name}`
          expect(await server.run('sh', '-c', count), name).toBe('1\n')
        }
        await server.call('end')
        expect(await supervisors()).toEqual([])
        await server.kill()
      }
    })

    test('begins anew after a reboot, with its databases @long', async (context) => {
      const { expect } = context
      const home = await makeHome(context)
      const server = startServer(context, home)
      await server.open()
      await server.run('ovn-nbctl', 'ls-add', 'somewhere')
      const before = await server.health()
      await server.kill()
      const { supervisor, holder } = before
      for (const pid of [supervisor, holder, ...pidsOf(before)]) process.kill(pid!, 'SIGKILL')
      await until(
        async () => [supervisor, holder, ...pidsOf(before)].some((pid) => isRunning(pid!)),
        (some) => expect(some).toBe(false),
      )
      // Numbers of processes belong to others then, as to this one.
      const status = join(runtimeOf(home.path), 'status')
      const stale = await readFile(status, 'utf8')
      const boot = stale.replace(/^boot.*/, 'boot\tanother')
      const [ticks] = (await readFile('/proc/self/stat', 'utf8'))
        .split(') ')[1]!
        .split(' ')
        .slice(19)
      const pid = `\t${process.pid}\t${ticks}\t`
      await writeFile(status, boot.replaceAll(/\trunning\t\d+\t\d+\t/g, `\trunning${pid}`))

      const next = startServer(context, home)
      await next.open()
      const after = await next.health()
      expect(after.id).not.toBe(before.id)
      expect(pidsOf(after)).not.toContain(process.pid)
      expect(after.daemons.every(({ state }) => state === 'running')).toBe(true)
      expect(await next.run('ovn-nbctl', '--wait=hv', 'ls-list')).toContain('somewhere')
    })

    test('says why it does not start, and leaves nothing behind', async (context) => {
      const { expect } = context
      const home = await makeHome(context)
      const server = startServer(context, home)
      await server.open()
      const { daemons } = await server.health()
      await server.call('end')
      await writeFile(join(home.path, 'data/host/ovn/northbound.db'), 'scrambled')
      await expect(server.open()).rejects.toThrow(/northbound\.db: unexpected/)
      await until(
        async () => hostRuns(home.path),
        (runs) => expect(runs).toBe(false),
      )
      expect(daemons.filter(({ pid }) => isRunning(pid!))).toEqual([])
    })

    test('lets packets in and out, but not to the loopback of the machine', async (context) => {
      const { expect } = context
      const home = await makeHome(context)
      const end = (close: () => void) => context.onTestFinished(close)
      const port = home.forwards.first
      const server = startServer(context, home)
      await server.open()
      const [gateway4, gateway6] = ['198.51.100.1', '2001:db8:77::1']
      await server.run('ip', 'address', 'add', `${gateway4}/24`, 'dev', 'outside')
      await server.run('ip', 'address', 'add', `${gateway6}/64`, 'dev', 'outside', 'nodad')
      const addresses = ['198.51.100.2/24', '2001:db8:77::2/64']
      const pid = await server.call<string>('place', 'guest', addresses, [gateway4, gateway6], 22)

      // In: from the loopback of the machine.
      const target = `tcp . ${port} : 198.51.100.2 . 22`
      await server.run('nft', 'add', 'element', 'inet', 'steading', 'forwards4', `{ ${target} }`)
      expect(await text(connect(port, '127.0.0.1'))).toContain('a guest, to')

      // Out: to addresses of the machine.
      const connectTo = (address: string, port: number) =>
        server.call<string>('connect', pid, address, port)
      const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
      for (const family of ['IPv4', 'IPv6'] as const) {
        const found = own.find((each) => each.family === family && !each.internal && !each.scopeid)
        if (!found) continue
        const heard = await listen(found.address, end)
        expect(await connectTo(found.address, heard.port)).toBe('the machine')
      }

      // A guest with a kernel that sends such packets.
      const loopback = await listen('127.0.0.1', end)
      const inside = (...command: string[]) => server.run('nsenter', '-t', pid, '-n', ...command)
      await inside('sysctl', '-qw', 'net.ipv4.conf.all.route_localnet=1')
      await inside('ip', 'address', 'flush', 'dev', 'lo')
      await inside('ip', 'route', 'add', '127.0.0.0/8', 'via', gateway4)
      const dropped = async (chain: string) => {
        const rules = await server.run('nft', 'list', 'chain', 'inet', 'steading', chain)
        return [...rules.matchAll(/packets (\d+)/g)].reduce(
          (sum, [, count]) => sum + Number(count),
          0,
        )
      }
      connectTo('127.0.0.1', loopback.port).catch(() => {})
      await until(
        () => dropped('early'),
        (count) => expect(count).toBeGreaterThan(0),
      )
      // The metadata of a cloud, and the gateway that pasta has instead of the machine.
      for (const address of ['169.254.169.254', '192.0.0.1']) {
        expect(await connectTo(address, loopback.port)).toMatch(/^E/)
      }
      expect(await dropped('never')).toBeGreaterThan(1)
      expect(loopback.count).toBe(0)
    })

    test('starts while others look whether it runs', async (context) => {
      const { expect } = context
      const home = await makeHome(context)
      const commands = join(home.path, 'commands')
      mkdirSync(commands)
      // As on a busy machine: a look at a lock takes a second, and a supervisor takes its own lock
      // late, so that there is always such a look at that time.
      const flock = `#!/bin/bash
        arguments=("$@")
        case "\${arguments[-1]}" in
          true) arguments=("\${arguments[@]:0:$#-1}" sleep 1) ;;
          7) sleep 0.5 ;;
        esac
        exec /usr/bin/flock "\${arguments[@]}"`
      await writeFile(join(commands, 'flock'), flock, { mode: 0o755 })
      const searchPath = `${commands}:${process.env.PATH}`
      const server = startServer(context, home, { searchPath })
      await server.open()
      expect((await server.health()).wasDown).toBe(false)
    })

    test('lists what is missing, with the remedy', async (context) => {
      const { expect } = context
      const home = await makeHome(context)
      const commands = join(home.path, 'commands')
      mkdirSync(commands)
      for (const folder of ['/usr/bin', '/bin']) {
        for (const name of await readdir(folder)) {
          if (name === 'pasta') continue
          try {
            symlinkSync(join(folder, name), join(commands, name))
          } catch {
            // Both folders have it.
          }
        }
      }
      const server = startServer(context, home, { searchPath: commands })
      const problems = await server.call<RootlessProblem[]>('problems')
      expect(problems).toEqual([
        { problem: 'pasta not found', remedy: 'apt-get install passt', prevents: true },
      ])
    })
  },
)
