/**
 * Machines with systemd, SSH and a network of their own, on this machine: each is a container over a
 * copy of its file system that is written to nowhere else. They share a directory. Needs root.
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const PROGRAMS = [
  '/usr/bin/systemd-nspawn',
  '/lib/systemd/systemd',
  '/usr/sbin/sshd',
  '/usr/sbin/ethtool',
]

/** The reason why there can be no such machines here; undefined if there can. */
export function containersMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'it needs root'
  const missing = PROGRAMS.find((path) => !existsSync(path))
  return missing === undefined ? undefined : `there is no ${missing}`
}

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

export interface Container {
  name: string
  /** In the network of all machines. */
  ip: string
  /** For tunnels, at its device `eth1`, which Open vSwitch gives the address. */
  tunnel: string
  /** Runs a command there as root. */
  run: (command: string, options?: { input?: string }) => string
}

export interface Containers {
  machines: Container[]
  /** The directory for what belongs to the test. */
  folder: string
  /** Arguments of SSH that reach a machine, from where `inside` runs. */
  sshOptions: string[]
  key: string
  /** First words of a command in the network of the machines. */
  inside: string[]
  end: () => Promise<void>
}

/** Services of this machine that its copies do not start. */
const OFF = [
  'systemd-networkd',
  'systemd-resolved',
  'systemd-timesyncd',
  'apt-daily.timer',
  'apt-daily-upgrade.timer',
  'man-db.timer',
  'e2scrub_all.timer',
  'frr',
  'lldpd',
]
/** State of this machine that its copies do not have. */
const STATE = [
  'etc/openvswitch/conf.db',
  'etc/openvswitch/system-id.conf',
  'etc/libvirt/qemu',
  'etc/steading',
  'var/lib/ovn',
  'var/lib/etcd',
  'var/lib/libvirt/qemu/save',
  'root/.ssh',
  'root/.bashrc',
  'root/.profile',
  'root/.bash_profile',
]

/**
 * @param count number of machines
 * @param shared path of the directory that they share
 */
export async function startContainers(count: number, shared: string): Promise<Containers> {
  const folder = mkdtempSync(join(tmpdir(), 'machines-'))
  chmodSync(folder, 0o755)
  const files = join(folder, 'shared')
  mkdirSync(files)
  const key = join(folder, 'key')
  run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key)
  const prefix = `stm${process.pid % 1_000_000}`
  const between = `${prefix}-0`
  run('ip', 'netns', 'add', between)
  const ip = (...args: string[]) => run('ip', '-n', between, ...args)
  ip('link', 'set', 'lo', 'up')
  for (const bridge of ['br0', 'br1']) {
    ip('link', 'add', bridge, 'type', 'bridge')
    ip('link', 'set', bridge, 'up')
  }
  ip('address', 'add', '10.9.0.254/24', 'dev', 'br0')
  const inside = ['ip', 'netns', 'exec', between]
  const sshOptions = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR']
    .concat('BatchMode=yes', 'ConnectTimeout=10', `IdentityFile=${key}`)
    .flatMap((option) => ['-o', option])
  const stops: (() => void)[] = []

  const machines = Array.from({ length: count }, (_, at): Container => {
    const index = at + 1
    const name = `host${index}`
    const namespace = `${prefix}-${index}`
    const own = join(folder, name)
    for (const part of ['upper', 'work', 'root']) mkdirSync(join(own, part), { recursive: true })
    run('ip', 'netns', 'add', namespace)
    for (const [device, bridge] of [
      ['eth0', 'br0'],
      ['eth1', 'br1'],
    ] as const) {
      const port = `${device}-${index}`
      ip('link', 'add', port, 'type', 'veth', 'peer', 'name', device, 'netns', namespace)
      ip('link', 'set', port, 'master', bridge, 'up')
      run('ip', '-n', namespace, 'link', 'set', device, 'up')
    }
    run('ip', '-n', namespace, 'link', 'set', 'lo', 'up')
    run('ip', '-n', namespace, 'address', 'add', `10.9.0.${index}/24`, 'dev', 'eth0')
    // Containers may not change settings of the kernel.
    for (const key of ['net.ipv4.ip_forward', 'net.ipv6.conf.all.forwarding']) {
      run('ip', 'netns', 'exec', namespace, 'sysctl', '-qw', `${key}=1`)
    }
    // Open vSwitch in user space sends packets as they are, without their checksum.
    run('ip', 'netns', 'exec', namespace, 'ethtool', '-K', 'eth1', 'tx', 'off')
    const id = createHash('md5').update(namespace).digest('hex')
    const root = join(own, 'root')
    const script = join(own, 'boot.sh')
    writeFileSync(
      script,
      `set -e
mount -t overlay overlay -o lowerdir=/,upperdir=${own}/upper,workdir=${own}/work ${root}
echo ${id} >${root}/etc/machine-id
rm -rf ${STATE.map((path) => join(root, path)).join(' ')} ${root}/etc/ssh/ssh_host_*
mkdir -p ${root}/etc/libvirt/qemu ${root}/var/lib/ovn
install -d -o etcd -g etcd ${root}/var/lib/etcd || true
ssh-keygen -A -f ${root} >/dev/null
install -d -m 700 ${root}/root/.ssh
cp ${key}.pub ${root}/root/.ssh/authorized_keys
printf '\\nhost_uuid = "%s"\\n' "$(cat /proc/sys/kernel/random/uuid)" >>${root}/etc/libvirt/libvirtd.conf
chroot ${root} systemctl -q mask ${OFF.join(' ')}
chroot ${root} systemctl -q enable ssh
exec systemd-nspawn -q -D ${root} --boot --machine=${name} --register=no --keep-unit \\
  --network-namespace-path=/run/netns/${namespace} --bind=${files}:${shared} \\
  --bind=/dev/net/tun --capability=all --console=pipe
`,
    )
    const child = spawn('unshare', ['-m', '--propagation', 'private', 'bash', script], {
      stdio: 'ignore',
      detached: true,
    })
    stops.push(() => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // It has ended.
      }
    })
    const address = `10.9.0.${index}`
    return {
      name,
      ip: address,
      tunnel: `10.9.1.${index}`,
      run: (command, { input } = {}) =>
        execFileSync(
          inside[0]!,
          [...inside.slice(1), 'ssh', ...sshOptions, `root@${address}`, command],
          {
            encoding: 'utf8',
            input,
            stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
          },
        ).trim(),
    }
  })
  const end = async (): Promise<void> => {
    for (const stop of stops) stop()
    for (let index = 0; index <= count; index++) {
      const namespace = `${prefix}-${index}`
      for (;;) {
        const pids = run('ip', 'netns', 'pids', namespace).split('\n').filter(Boolean)
        if (pids.length === 0) break
        for (const pid of pids) {
          try {
            process.kill(Number(pid), 'SIGKILL')
          } catch {
            // It has ended meanwhile.
          }
        }
        await pause(50)
      }
      run('ip', 'netns', 'delete', namespace)
    }
    rmSync(folder, { recursive: true, force: true })
  }
  for (const machine of machines) {
    for (;;) {
      try {
        machine.run('systemctl is-system-running --wait || true')
        break
      } catch {
        await pause(200)
      }
    }
  }
  return { machines, folder, sshOptions, key, inside, end }
}
