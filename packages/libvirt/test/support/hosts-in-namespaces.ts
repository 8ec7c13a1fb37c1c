/**
 * Hosts for one test, on one machine: each has namespaces for its network, its mounts and its name,
 * with a libvirt of its own that is reached by SSH. They share a directory, as hosts share a file
 * system. Nothing changes in the network of this machine, which browsers would notice. Needs root.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { domainName } from '../../src/domain-names.ts'
import { compileLibrary, KEEP_LIMITS } from './preloaded.ts'

const PROGRAMS = [
  '/usr/sbin/libvirtd',
  '/usr/sbin/virtlogd',
  '/usr/sbin/sshd',
  '/usr/bin/ssh',
  '/usr/bin/nc',
]

/** Why there can be no such hosts here; undefined if there can. */
export const hostsMissing = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'it needs root'
  if (process.env.STEADING_WITHOUT_MACHINES) return process.env.STEADING_WITHOUT_MACHINES
  const missing = PROGRAMS.find((path) => !existsSync(path))
  return missing === undefined ? undefined : `there is no ${missing}`
}

/** Seconds of sanlock's I/O timeout in tests, the shortest one: its own is 10. */
export const TEST_IO_TIMEOUT = 1

/** Why hosts can have no leases here; undefined if they can. */
export const leasesMissing = (): string | undefined => {
  const missing = [
    '/usr/sbin/sanlock',
    '/usr/lib/x86_64-linux-gnu/libvirt/lock-driver/sanlock.so',
    '/usr/bin/bindfs',
    '/usr/bin/cc',
  ].find((path) => !existsSync(path))
  return hostsMissing() ?? (missing === undefined ? undefined : `there is no ${missing}`)
}

/**
 * A library that shifts the times of files, by which libvirt tells the clock of its host. libfaketime
 * does not change what libvirt reads.
 */
const shiftFiles = (seconds: number) => `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/stat.h>
#define SHIFTED(name, type) \\
  int name(type file, struct stat64 *found) { \\
    int (*real)(type, struct stat64 *) = dlsym(RTLD_NEXT, #name); \\
    int result = real(file, found); \\
    if (result == 0) found->st_mtim.tv_sec += ${seconds}; \\
    return result; \\
  }
SHIFTED(stat64, const char *)
SHIFTED(fstat64, int)
`

/** Why hosts can have no clocks of their own here; undefined if they can. */
export const hostClocksMissing = (): string | undefined =>
  hostsMissing() ?? (existsSync('/usr/bin/cc') ? undefined : 'there is no /usr/bin/cc')

/** Where libvirt reads how much memory a host has. */
const NODE_MEMORY = '/sys/devices/system/node/node0/meminfo'

const ovnScripts = join(import.meta.dirname, '../../../ovn/test/support')
/** The network of OVN's tunnels. Nothing outside of the namespaces sees it. */
const TUNNELS = '192.168.77'

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Waits until something does not fail any more; also outside of a test. */
async function until(works: () => Promise<void>): Promise<void> {
  for (;;) {
    const failed = await works().then(
      () => false,
      () => true,
    )
    if (!failed) return
    await pause(50)
  }
}

export interface NamespaceHost {
  name: string
  /** Address of its libvirt. */
  address: string
  /** The address of the host in the network of all hosts. */
  ip: string
  /** Address of its libvirt by its socket, for tests that look from outside. */
  socketUri: string
  /** The folder of QEMU's certificates there; only with encryption. */
  certificates: string
  /** Sends a signal to a daemon. */
  signal: (daemon: 'libvirtd' | 'virtlogd', signal: NodeJS.Signals) => void
  /** Starts a daemon that was ended. */
  restart: (daemon: 'libvirtd' | 'virtlogd') => Promise<void>
  /** Ends all its processes at once, as a power cut. */
  kill: () => Promise<void>
  /** Starts it again after that. */
  boot: () => Promise<void>
  /** Cuts or connects its network. */
  link: (up: boolean) => void
  /** Hangs its view of the shared directory, or goes on with it; only with leases. */
  hang: (hung: boolean) => void
  /** Joins the lockspace of the leases, if it has not; only with leases. */
  join: () => Promise<void>
  /** Restarts libvirt without sanlock; only with leases. */
  ignoreLeases: () => Promise<void>
  /** Restarts libvirt with a clock that is some minutes ahead of that of this machine. */
  setClock: (minutes: number) => Promise<void>
  /** The directories where something is mounted there, with what it is. */
  mounted: () => Map<string, string>
  /** Takes the shared directory away, or gives it back. Files that are open stay so. */
  storage: (reachable: boolean) => void
  /** The log of OVN's controller; only with networks. */
  networkLog: () => string
}

export interface NamespaceHosts {
  hosts: NamespaceHost[]
  /** The directory that all of them see. */
  shared: string
  /** Directories of other file systems that all of them see. */
  pools: string[]
  /** Directory with an `ssh` that knows the keys of the hosts, for the PATH of servers. */
  path: string
  /** The machine of a server, in the network of the hosts; only with networks. */
  center: Center | undefined
  end: () => Promise<void>
}

/** A machine with OVN's databases, which is a chassis as well. */
export interface Center {
  /** First words of the commands that run there. */
  enter: string[]
  /** An address of this machine that leads to a port of it. */
  reach: (port: number) => Promise<string>
}

/** The state of a domain of a host, seen from outside; `none` without one. */
export function stateOn({ socketUri }: NamespaceHost, id: string): string {
  try {
    return run('virsh', '-q', '-c', socketUri, 'domstate', domainName(id)).trim()
  } catch {
    return 'none'
  }
}

/** The pids of all processes in a network namespace. */
const pidsIn = (namespace: string): string[] =>
  run('ip', 'netns', 'pids', namespace).split('\n').filter(Boolean)

/** Starts a program that goes on after its parent, in namespaces of its own for mounts and its name. */
const startMachine = (namespace: string, script: string): void =>
  spawn(
    'ip',
    ['netns', 'exec', namespace, 'unshare', '-m', '-u', '--propagation', 'private', 'bash', script],
    { detached: true, stdio: 'ignore' },
  ).unref()

/**
 * @param count number of hosts
 * @param networks whether they have OVN
 * @param leases whether guests run under leases of sanlock. Each host then has a mount of its own of
 * the shared directory, through which no lock of a file reaches another host
 * @param poolCount number of further file systems that they share
 * @param memory MiB that each of them says it has, for guests that touch little of theirs; what this
 * machine has if undefined
 * @param encryption whether they refuse moves that are not encrypted
 * @param mount a program in the place of their `mount`
 */
export async function startHosts(
  count: number,
  {
    networks = false,
    leases = false,
    pools: poolCount = 0,
    memory,
    encryption = false,
    mount,
  }: {
    networks?: boolean
    leases?: boolean
    pools?: number
    memory?: number
    encryption?: boolean
    mount?: string
  } = {},
): Promise<NamespaceHosts> {
  const folder = mkdtempSync(join(tmpdir(), 'hosts-'))
  chmodSync(folder, 0o755)
  const shared = join(folder, 'shared')
  mkdirSync(shared)
  // Before the hosts, whose mounts are their own.
  const pools = Array.from({ length: poolCount }, (_, index) => join(folder, `pool${index + 1}`))
  for (const pool of pools) {
    mkdirSync(pool)
    run('mount', '-t', 'tmpfs', 'tmpfs', pool)
  }
  // Names of links have at most 15 characters, and several tests run at the same time.
  const number = process.pid % 1_000_000
  const subnet = `10.${64 + (process.pid % 128)}.${Math.floor(process.pid / 128) % 256}`
  const prefix = `sth${number}`
  /** The network between the hosts, in which servers are as well by their SSH. */
  const between = `${prefix}-0`
  run('ip', 'netns', 'add', between)
  const link = (...args: string[]) => run('ip', '-n', between, 'link', ...args)
  link('set', 'lo', 'up')
  link('add', 'br0', 'type', 'bridge')
  run('ip', '-n', between, 'address', 'add', `${subnet}.254/24`, 'dev', 'br0')
  link('set', 'br0', 'up')

  const lockspace = join(shared, 'leases', 'lockspace')
  const keepLimits = leases ? compileLibrary(folder, 'keep-limits', KEEP_LIMITS) : ''
  if (leases) {
    // As an operator does it.
    mkdirSync(join(shared, 'leases'))
    writeFileSync(lockspace, '')
    const timeout = ['-o', String(TEST_IO_TIMEOUT)]
    run('sanlock', 'direct', 'init', '-s', `steading:0:${lockspace}:0`, ...timeout)
  }

  const key = join(folder, 'key')
  run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key)
  const path = join(folder, 'bin')
  mkdirSync(path)
  const config = join(folder, 'ssh_config')
  // A server with networks is between the hosts itself.
  const proxy = networks ? '' : `  ProxyCommand ip netns exec ${between} nc %h %p\n`
  writeFileSync(
    config,
    `Host *\n  IdentityFile ${key}\n  IdentitiesOnly yes\n  UserKnownHostsFile ${folder}/known_hosts\n  BatchMode yes\n  ConnectTimeout 5\n${proxy}`,
  )
  writeFileSync(join(path, 'ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${config} "$@"\n`, {
    mode: 0o755,
  })

  /**
   * Lines of a script that give a machine Open vSwitch and OVN's controller.
   * @param device its end of the network of tunnels, which Open vSwitch in user space wants for itself
   */
  const chassis = (directory: string, name: string, device: string, remote: string, ip: string) => [
    'mkdir -p /run/openvswitch /run/ovn',
    `mkdir -p ${directory}/run ${directory}/log`,
    `mount --bind ${directory}/run /run/openvswitch`,
    `mount --bind ${directory}/run /run/ovn`,
    `mount --bind ${directory}/log /var/log/ovn`,
    `bash ${ovnScripts}/start-chassis.sh ${directory} ${name} ${remote} ${ip}`,
    'ovs-vsctl --may-exist add-br br-tunnels -- set bridge br-tunnels datapath_type=netdev',
    `ovs-vsctl --may-exist add-port br-tunnels ${device}`,
    `ip address replace ${ip}/24 dev br-tunnels`,
    'ip link set br-tunnels up',
  ]
  const addTunnelDevice = (index: number, device: string, namespace: string): void => {
    link('add', `t${index}`, 'type', 'veth', 'peer', 'name', device, 'netns', namespace)
    link('set', `t${index}`, 'master', 'br1', 'up')
    run('ip', '-n', namespace, 'link', 'set', device, 'up')
    run('ip', 'netns', 'exec', namespace, 'ethtool', '-K', device, 'tx', 'off')
  }

  const makeCenter = async (): Promise<Center> => {
    const own = join(folder, 'center')
    mkdirSync(own)
    link('add', 'br1', 'type', 'bridge')
    link('set', 'br1', 'up')
    addTunnelDevice(0, 'tunnels', between)
    const script = join(own, 'init.sh')
    writeFileSync(
      script,
      [
        'set -e',
        'hostname center',
        `bash ${ovnScripts}/start-central.sh ${own}`,
        `OVN_RUNDIR=${own}/run ovn-sbctl set-connection ptcp:6642:${subnet}.254`,
        ...chassis(own, 'center', 'tunnels', `unix:${own}/run/ovnsb_db.sock`, `${TUNNELS}.254`),
        `echo $$ >${own}/init.pid`,
        'exec sleep infinity',
      ].join('\n'),
    )
    startMachine(between, script)
    await until(async () => void readFileSync(join(own, 'init.pid')))
    const pid = readFileSync(join(own, 'init.pid'), 'utf8').trim()
    const enter = ['nsenter', '-t', pid, '-m', '-u', '-n']
    return {
      enter,
      async reach(port) {
        const forwarder = createServer((client) => {
          const [command, ...args] = [...enter, 'nc', '127.0.0.1', String(port)]
          const { stdin, stdout } = spawn(command!, args, { stdio: ['pipe', 'pipe', 'ignore'] })
          client.on('error', () => stdin.destroy())
          stdin.on('error', () => client.destroy())
          client.pipe(stdin)
          stdout.pipe(client)
        })
        forwarder.unref()
        forwarder.listen(0, '127.0.0.1')
        await once(forwarder, 'listening')
        return `http://127.0.0.1:${(forwarder.address() as AddressInfo).port}`
      },
    }
  }

  const makeHost = async (index: number): Promise<NamespaceHost> => {
    const name = `host${index}`
    const namespace = `${prefix}-${index}`
    const ip = `${subnet}.${index}`
    const own = join(folder, name)
    const at = (...parts: string[]) => join(own, ...parts)
    for (const part of ['run', 'lib', 'cache', 'log', 'ssh', 'sanlock', 'certificates'])
      mkdirSync(at(part), { recursive: true })
    run('cp', '-a', '/etc/libvirt', at('etc'))
    // Definitions of the libvirt of this machine are not those of the host.
    rmSync(at('etc/qemu'), { recursive: true, force: true })
    mkdirSync(at('etc/qemu'))
    for (const part of ['qemu', 'images', 'boot', 'dnsmasq', 'network', 'sanlock', 'lockd']) {
      mkdirSync(at('lib', part), { recursive: true })
    }
    mkdirSync(at('cache/qemu'))
    run('chown', '-R', 'libvirt-qemu:libvirt-qemu', at('lib/qemu'), at('cache/qemu'))
    const append = (file: string, lines: string[]) =>
      writeFileSync(at('etc', file), `\n${lines.join('\n')}\n`, { flag: 'a' })
    append('libvirtd.conf', [
      `host_uuid = "${crypto.randomUUID()}"`,
      'listen_tls = 0',
      'listen_tcp = 1',
      'auth_tcp = "none"',
      'auth_unix_rw = "none"',
      'unix_sock_rw_perms = "0777"',
    ])
    append('qemu.conf', [
      'cgroup_controllers = [ ]',
      'security_driver = "none"',
      'remember_owner = 0',
      'namespaces = [ ]',
      // As where the shared file system is known to libvirt: files do not change their owner.
      'user = "root"',
      'group = "root"',
      'dynamic_ownership = 0',
      'migration_address = "0.0.0.0"',
      `migration_host = "${ip}"`,
      ...(leases ? ['lock_manager = "sanlock"'] : []),
      ...(encryption
        ? [`default_tls_x509_cert_dir = "${at('certificates')}"`, 'migrate_tls_force = 1']
        : []),
    ])
    if (leases) {
      append('qemu-sanlock.conf', [
        'auto_disk_leases = 0',
        // libvirt asks for a lease of each disk that a guest gets while it runs otherwise.
        'require_lease_for_disks = 0',
        'user = "root"',
        'group = "root"',
      ])
    }
    run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', at('ssh/host_key'))
    const hostKey = readFileSync(at('ssh/host_key.pub'), 'utf8').trim()
    writeFileSync(join(folder, 'known_hosts'), `${ip} ${hostKey}\n`, { flag: 'a' })
    writeFileSync(
      at('ssh/sshd_config'),
      [
        `HostKey ${at('ssh/host_key')}`,
        `AuthorizedKeysFile ${key}.pub`,
        'StrictModes no',
        'UsePAM no',
        'PermitRootLogin yes',
        'MaxStartups 100',
        `PidFile ${at('sshd.pid')}`,
        `ListenAddress ${ip}`,
      ].join('\n'),
    )
    run('ip', 'netns', 'add', namespace)
    const port = `v${index}`
    link('add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    link('set', port, 'master', 'br0', 'up')
    run('ip', '-n', namespace, 'link', 'set', 'lo', 'up')
    run('ip', '-n', namespace, 'address', 'add', `${ip}/24`, 'dev', 'eth0')
    run('ip', '-n', namespace, 'link', 'set', 'eth0', 'up')
    if (networks) addTunnelDevice(index, 'eth1', namespace)
    const mounts = [
      [at('run'), '/run/libvirt'],
      [at('lib'), '/var/lib/libvirt'],
      [at('cache'), '/var/cache/libvirt'],
      [at('etc'), '/etc/libvirt'],
      [at('log'), '/var/log/libvirt'],
      [join(folder, 'hosts'), '/etc/hosts'],
      ...(leases ? [[at('sanlock'), '/run/sanlock']] : []),
      ...(mount === undefined ? [] : [[mount, '/usr/bin/mount']]),
      ...(memory === undefined ? [] : [[at('meminfo'), NODE_MEMORY]]),
    ]
    if (memory !== undefined) {
      const kib = memory * 1024
      writeFileSync(at('meminfo'), `Node 0 MemTotal: ${kib} kB\nNode 0 MemFree: ${kib} kB\n`)
    }
    const view = [
      `bindfs -f -o attr_timeout=0,entry_timeout=0 ${shared} ${shared} >${at('log/bindfs.out')} 2>&1 &`,
      `echo $! >${at('bindfs.pid')}`,
      `until mountpoint -q ${shared}; do sleep 0.05; done`,
    ]
    const joining = `sanlock client add_lockspace -s steading:${index}:${lockspace}:0 -o ${TEST_IO_TIMEOUT}`
    const sanlock = [
      `LD_PRELOAD=${keepLimits} sanlock daemon -D -w 0 -l 0 -h 0 -U root -G root -e ${name} >${at('log/sanlock.out')} 2>&1 &`,
      'until sanlock client status >/dev/null 2>&1 && [ -S /run/sanlock/sanlock.sock ]; do sleep 0.05; done',
      `${joining} >${at('log/joining.out')} 2>&1 &`,
    ]
    let clock = ''
    const daemons = () => ({
      virtlogd: `virtlogd -p ${at('virtlogd.pid')} >${at('log/virtlogd.out')} 2>&1 &`,
      libvirtd: `${clock} libvirtd --listen -p ${at('libvirtd.pid')} >${at('log/libvirtd.out')} 2>&1 &`,
    })
    writeFileSync(
      at('init.sh'),
      [
        `hostname ${name}`,
        'mkdir -p /run/libvirt /var/log/libvirt /run/sshd',
        ...(leases ? ['mkdir -p /run/sanlock'] : []),
        // It is in memory, so a power cut leaves nothing of it.
        `rm -rf ${at('run')}/*`,
        ...mounts.map(([from, to]) => `mount --bind ${from} ${to}`),
        // Each command of SSH would wait for what the user's shell does first.
        'if [ -e ~/.bashrc ]; then mount --bind /dev/null ~/.bashrc; fi',
        ...(leases ? [...view, ...sanlock] : []),
        `rm -f ${at('virtlogd.pid')} ${at('libvirtd.pid')}`,
        ...(networks
          ? chassis(at('ovs'), name, 'eth1', `tcp:${subnet}.254:6642`, `${TUNNELS}.${index}`)
          : []),
        daemons().virtlogd,
        daemons().libvirtd,
        `/usr/sbin/sshd -f ${at('ssh/sshd_config')}`,
        `echo $$ >${at('init.pid')}`,
        'exec sleep infinity',
      ].join('\n'),
    )
    const socket = at('run/libvirt-sock')
    const answers = async () => {
      const client = connect(socket)
      await once(client, 'connect')
      client.destroy()
      run('ip', 'netns', 'exec', between, 'nc', '-z', '-w', '1', ip, '22')
    }
    const boot = async () => {
      startMachine(namespace, at('init.sh'))
      await until(answers)
    }
    const pid = (daemon: string) => Number(readFileSync(at(`${daemon}.pid`), 'utf8'))
    const inside = (...command: string[]) =>
      run('nsenter', '-t', String(pid('init')), '-m', '-u', '-n', ...command)
    const restart = async (daemon: 'libvirtd' | 'virtlogd') => {
      spawn(
        'nsenter',
        ['-t', String(pid('init')), '-m', '-u', '-n', 'sh', '-c', daemons()[daemon]],
        {
          detached: true,
          stdio: 'ignore',
        },
      ).unref()
      await until(answers)
    }
    const restartLibvirt = async () => {
      process.kill(pid('libvirtd'), 'SIGTERM')
      await until(async () => {
        if (existsSync(at('libvirtd.pid'))) throw new Error('it runs')
      })
      await restart('libvirtd')
    }
    const joined = async () => {
      const found = inside('sanlock', 'client', 'status')
      if (!found.includes(`s steading:${index}:`)) throw new Error('it has not joined')
    }
    await boot()
    if (leases) await until(joined)
    return {
      name,
      ip,
      address: `qemu+ssh://root@${ip}/system`,
      certificates: at('certificates'),
      socketUri: `qemu+unix:///system?socket=${socket}`,
      signal: (daemon, signal) => void process.kill(pid(daemon), signal),
      restart,
      async kill() {
        for (const one of pidsIn(namespace)) {
          try {
            process.kill(Number(one), 'SIGKILL')
          } catch {
            // It has ended meanwhile.
          }
        }
        await until(async () => {
          if (pidsIn(namespace).length > 0) throw new Error('processes run')
        })
      },
      boot,
      link(up) {
        for (const one of networks ? [port, `t${index}`] : [port]) {
          link('set', one, up ? 'up' : 'down')
        }
      },
      hang: (hung) => void process.kill(pid('bindfs'), hung ? 'SIGSTOP' : 'SIGCONT'),
      async join() {
        await until(async () => {
          if (!inside('sanlock', 'client', 'status').includes('s steading:'))
            inside('sh', '-c', joining)
          await joined()
        })
      },
      async ignoreLeases() {
        const config = at('etc/qemu.conf')
        const lines = readFileSync(config, 'utf8').replace('lock_manager = "sanlock"', '')
        writeFileSync(config, lines)
        await restartLibvirt()
      },
      async setClock(minutes) {
        clock = `LD_PRELOAD=${compileLibrary(folder, `shift-files-${minutes}`, shiftFiles(minutes * 60))}`
        await restartLibvirt()
      },
      mounted: () =>
        new Map(
          readFileSync(`/proc/${pid('init')}/mounts`, 'utf8')
            .split('\n')
            .map((line) => line.split(' '))
            .map(([source, path]) => [path!, source!]),
        ),
      storage(reachable) {
        const action = reachable ? ['umount', shared] : ['mount', '-t', 'tmpfs', 'tmpfs', shared]
        run('nsenter', '-t', String(pid('init')), '-m', ...action)
      },
      networkLog: () => readFileSync(at('ovs/log/controller.log'), 'utf8'),
    }
  }

  writeFileSync(
    join(folder, 'hosts'),
    [
      '127.0.0.1 localhost',
      ...Array.from({ length: count }, (_, at) => `${subnet}.${at + 1} host${at + 1}`),
      '',
    ].join('\n'),
  )
  const center = networks ? await makeCenter() : undefined
  const hosts: NamespaceHost[] = []
  for (let index = 1; index <= count; index++) hosts.push(await makeHost(index))
  return {
    hosts,
    shared,
    pools,
    path,
    center,
    async end() {
      for (const one of pidsIn(between)) process.kill(Number(one), 'SIGKILL')
      for (const [index, host] of hosts.entries()) {
        await host.kill()
        run('ip', 'netns', 'delete', `${prefix}-${index + 1}`)
      }
      run('ip', 'netns', 'delete', between)
      for (const pool of pools) run('umount', '-l', pool)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
