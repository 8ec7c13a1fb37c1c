/** A cloud that the playbooks of `deploy/cluster` make of machines in containers. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { compileLibrary, KEEP_LIMITS } from '../../../libvirt/test/support/preloaded.ts'
import { type Containers, containersMissing } from './containers.ts'

const root = join(import.meta.dirname, '../../../..')
const packages = (): string[] => globSync(join(root, 'dist/*.deb'))
const PLAYBOOK = 'ansible-playbook'
/** Debian's packages for the test. The machines have no network to install those of the playbooks. */
const INSTALLED = [
  'ansible-core',
  'systemd-container',
  'dbus',
  'python3-apt',
  'etcd-server',
  'etcd-client',
  'patroni',
  'postgresql',
  'postgresql-client',
  'victoria-metrics',
  'keepalived',
  'sanlock',
  'libvirt-sanlock',
  'gcc',
  'curl',
  'ovn-central',
  'ovn-host',
  'libvirt-daemon-system',
  'libvirt-clients',
  'qemu-system-x86',
  'qemu-utils',
  'ovmf',
  'netcat-openbsd',
  'openssh-client',
  'openssh-server',
]

const isInstalled = (name: string): boolean => {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status}', name])
  return String(stdout) === 'installed'
}

/** The reason why no cloud can be made here; undefined if it can. */
export function clusterMissing(): string | undefined {
  const missing = INSTALLED.filter((name) => !isInstalled(name))
  if (missing.length > 0) return `Debian's packages are missing: ${missing.join(' ')}`
  if (packages().length < 3) return 'there are no packages in dist (npm run release)'
  return containersMissing()
}

export const ADMIN_PASSWORD = 'a password for tests'

/** The address for users, and the name of the console. */
export const ADDRESS = '10.9.0.100'
const ZONE = 'cloud.test'
const NAME = `main.sys.${ZONE}`

/** Variables for containers, which machines do not need. */
const CONTAINERS = {
  update_packages: false,
  synchronize_clock: false,
  datapath: 'netdev',
  tunnel_device: 'eth1',
  watchdog: 'off',
  lease_watchdog: 'off',
  qemu_settings: [
    'cgroup_controllers = [ ]',
    'namespaces = [ ]',
    'security_driver = "none"',
    'user = "root"',
    'group = "root"',
    'dynamic_ownership = 0',
  ].join('\n'),
}

/** Prints the failed services of a machine and its latest warnings, for the error of a playbook. */
const FAULTS = 'systemctl --no-legend --failed; journalctl -q --no-pager -p warning -n 30; true'

export interface Recap {
  /** The lines at the end, one for each machine. */
  machines: { name: string; changed: number; failed: number }[]
}

export interface Cluster {
  /** Runs a playbook. */
  play: (playbook: string, ...args: string[]) => Promise<Recap>
  /** Calls the API of a server. */
  call: <T>(method: string, path: string, body?: object) => T
}

export function prepareCluster(
  { machines, folder, sshOptions, key, inside }: Containers,
  shared: string,
): Cluster {
  const place = join(folder, 'cluster')
  cpSync(join(root, 'deploy/cluster'), place, { recursive: true })
  // A container may not raise limits.
  const preloaded = basename(compileLibrary(join(folder, 'shared'), 'keep-limits', KEEP_LIMITS))
  for (const machine of machines) {
    const place = '/etc/systemd/system/sanlock.service.d'
    machine.run(`mkdir -p ${place} && cat >${place}/container.conf`, {
      input: `[Service]\nEnvironment=LD_PRELOAD=${shared}/${preloaded}\n`,
    })
  }
  const [certificate, certificateKey] = [join(place, 'console.pem'), join(place, 'console-key.pem')]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc']
      .concat('-days', '30', '-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`)
      .concat('-keyout', certificateKey, '-out', certificate),
    { stdio: 'ignore' },
  )
  const hosts = Object.fromEntries(
    machines.map(({ name, ip, tunnel }, at) => [
      name,
      { ansible_host: ip, tunnel_address: tunnel, lease_number: at + 1 },
    ]),
  )
  const inventory = {
    all: {
      vars: {
        ...CONTAINERS,
        ansible_user: 'root',
        ansible_ssh_private_key_file: key,
        ansible_ssh_common_args: sshOptions.join(' '),
        ansible_python_interpreter: '/usr/bin/python3',
        steading_packages: packages(),
        shared_directory: shared,
        disk_leases: true,
        virtual_address: `${ADDRESS}/24`,
        console_certificate: certificate,
        console_key: certificateKey,
        steading_settings: { STEADING_ZONE: ZONE },
      },
      children: { servers: { hosts }, hosts: { hosts } },
    },
  }
  writeFileSync(join(place, 'inventory.json'), JSON.stringify(inventory))
  const secrets = {
    admin_password: ADMIN_PASSWORD,
    // Everything that files and addresses could misread.
    steading_password: `a/b@c'd"e%f g`,
    postgres_password: 'a third: password #',
    replication_password: 'a fourth password',
  }
  writeFileSync(join(place, 'secrets.json'), JSON.stringify(secrets))
  const [command, ...words] = inside

  const curl = (args: readonly string[]): string =>
    execFileSync(command!, [...words, 'curl', '--silent', '--show-error', ...args], {
      encoding: 'utf8',
    })
  const jar = join(folder, 'cookies')
  const at = (path: string): string => `https://${NAME}${path}`
  const headers = ['--header', 'content-type: application/json', '--max-time', '60'].concat(
    ['--cacert', certificate],
    ['--resolve', `${NAME}:443:${ADDRESS}`],
  )

  return {
    async play(playbook, ...args) {
      const { stdout } = await promisify(execFile)(
        command!,
        [...words, PLAYBOOK, '-i', 'inventory.json', '-e', '@secrets.json', playbook, ...args],
        {
          cwd: place,
          maxBuffer: 2 ** 26,
          env: { ...process.env, ANSIBLE_LOG_PATH: join(folder, 'ansible.log') },
        },
      ).catch((error: { stdout?: string }) => {
        const faults = machines.map(({ name, run }) => `${name}:\n${run(FAULTS)}`)
        throw new Error([`${playbook} failed:`, error.stdout?.slice(-6_000), ...faults].join('\n'))
      })
      const lines = stdout.matchAll(/^(\S+)\s+: ok=\d+\s+changed=(\d+).* failed=(\d+)/gm)
      return {
        machines: [...lines].map(([, name, changed, failed]) => ({
          name: name!,
          changed: Number(changed),
          failed: Number(failed),
        })),
      }
    },
    call<T>(method: string, path: string, body?: object): T {
      if (!existsSync(jar)) {
        const login = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD })
        curl([...headers, '--cookie-jar', jar, '--data', login, at('/v1/login/main/local')])
      }
      const data = body === undefined ? [] : ['--data', JSON.stringify(body)]
      const format = ['--write-out', '\n%{http_code}']
      const answer = curl([
        ...headers,
        '--cookie',
        jar,
        '--request',
        method,
        ...data,
        ...format,
        at(path),
      ])
      const [, text, status] = /^([\s\S]*)\n(\d+)$/.exec(answer)!
      if (Number(status) >= 300) throw new Error(`${path}: ${status} ${text}`)
      return (text === '' ? undefined : JSON.parse(text!)) as T
    },
  }
}
