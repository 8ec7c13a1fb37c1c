import { MiB, NEW_PASSWORD_MAX, PASSWORD_MIN } from '@steading/api/rules'
import { StartError } from './errors.ts'
import { type LogFormat, logFormats } from './log.ts'
import {
  type Reader,
  adminPassword,
  anyText,
  consoleUrl,
  databaseUrl,
  endpoint,
  host,
  ipv4Address,
  libvirtUri,
  ovnDatabase,
  mailFrom,
  metricsUrl,
  networks,
  onOrOff,
  orNone,
  passwordCost,
  path,
  poolDirectories,
  smtpUrl,
  whole,
  word,
  zones,
} from './option-readers.ts'
import { credentialsIn, exceptionsIn, type OutgoingProxy, outgoingProxy } from './outgoing/proxy.ts'
import { defaultPasswordCost } from './passwords.ts'

/** One setting of the command line and the environment, or of the environment alone. */
interface Setting<T> {
  /**
   * The flag, with a placeholder of its value; a flag without one is a switch, and `--no-…` turns
   * the setting off.
   */
  flag?: string
  /** The variable, if it is not named after the flag. */
  env?: string
  read: Reader<T>
  /** Text of the default value. */
  default?: string
  /** Describes what happens without a value, for a setting that has no default value. */
  otherwise?: string
  help: string
  /** The flag may be repeated: its values are joined by commas. */
  repeats?: true
  /** The only command that takes it. */
  only?: string
}

/** The engines that a host can choose, as `--engine` takes them. */
export const engineNames = ['simulated', 'libvirt'] as const
export type EngineName = (typeof engineNames)[number]

/** The networks of real machines, as `--networks` takes them. */
export const networkNames = ['user', 'ovn'] as const

/** Reached by this machine only. */
const FORWARD_ADDRESS = '127.0.0.1'

const SECOND = 1000
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const MOST_DAYS = 36_500
const YEAR_IN_MINUTES = 365 * 24 * 60

/** All settings, in the order of the help. Times in milliseconds. A flag wins over a variable. */
const settings = {
  port: {
    flag: '--port <number>',
    read: whole(0, 65_535),
    default: '12220',
    help: 'TCP port to listen on; 0 picks a free one',
  },
  host: {
    flag: '--host <address>',
    read: host,
    default: '127.0.0.1',
    help: 'address to listen on; 0.0.0.0 or :: for all',
  },
  tlsPort: {
    flag: '--tls-port <number>',
    read: orNone(whole(0, 65_535)),
    default: 'none',
    help: 'TCP port for TLS on the address of --host; --port then listens on this machine alone',
  },
  zones: {
    flag: '--zone <zones>',
    read: zones,
    default: 'none',
    help: 'DNS zones, like cloud.example, in which each silo has the host name {silo}.sys.{zone}',
  },
  trustedProxies: {
    flag: '--trust-proxy <networks>',
    read: orNone(networks),
    default: 'none',
    help: 'networks of trusted reverse proxies, like 10.0.0.0/8,::1, whose X-Forwarded-For, -Proto and -Host count',
  },
  proxySocket: {
    flag: '--proxy-socket <path>',
    read: orNone(path),
    default: 'none',
    help: 'Unix socket to listen on as well, for a reverse proxy on this machine, whose X-Forwarded headers count',
  },
  data: {
    flag: '--data <directory>',
    read: path,
    default: './data',
    help: 'directory of the embedded database and the contents of disks',
  },
  databaseUrl: {
    flag: '--database-url <url>',
    read: databaseUrl,
    default: 'embedded',
    help: 'PostgreSQL database instead of the embedded one, like postgres://user:password@host/database; of several hosts, as in host1:5432,host2:5432, the one that accepts writes is used',
  },
  /**
   * Runs the machines. A database belongs to one engine; `auto` is that one, and for a new database
   * `libvirt` if real machines run on this host.
   */
  engine: {
    flag: '--engine <name>',
    read: word(['auto', ...engineNames] as const),
    default: 'auto',
    help: `engine that runs the machines: ${engineNames.join(' or ')}; auto chooses libvirt for a new database where it is installed`,
  },
  libvirt: {
    flag: '--libvirt <uri>',
    read: libvirtUri,
    default: 'user',
    help: 'address of libvirt on this machine; user is qemu:///session, and qemu:///system for root',
  },
  libvirtVolumes: {
    flag: '--libvirt-volumes <directory>',
    read: path,
    otherwise: 'in --data',
    help: 'directory of the disks of real machines, such as a mounted NFS share, CephFS, or file system on LVM or Ceph RBD',
  },
  pools: {
    flag: '--pool <name=directory>',
    read: poolDirectories,
    default: 'none',
    help: 'empty directory for the disks of a storage pool, like fast=/mnt/fast; repeat it for each pool; disks of other pools go into the first one',
    repeats: true,
    only: 'restore',
  },
  ignoreRoom: {
    flag: '--ignore-room',
    read: onOrOff,
    default: '0',
    help: 'restore also where the disks of the backup seem not to fit, such as on a file system that compresses them',
    only: 'restore',
  },
  sharedDirectory: {
    flag: '--shared-directory <directory>',
    read: path,
    otherwise: 'none: machines run on this host',
    help: 'directory that this server and all hosts of machines see under the same path, such as a mounted NFS share; with it, machines run on the hosts that operators add, and not on this one',
  },
  encryptMoves: {
    flag: '--encrypt-moves',
    read: onOrOff,
    default: '0',
    help: 'encrypt the memory of instances that move between hosts, with the certificates of QEMU on them; hosts without are refused',
  },
  /**
   * A database with networks by OVN keeps them; `auto` chooses them for a new one where OVN runs.
   */
  networks: {
    flag: '--networks <kind>',
    read: word(['auto', ...networkNames] as const),
    default: 'auto',
    help: 'network of real machines: ovn, which does what VPCs and firewall rules say, or user, in which machines do not reach each other; auto chooses ovn for a new database where it runs',
  },
  ovnNorthbound: {
    flag: '--ovn-northbound <address>',
    read: ovnDatabase,
    default: 'unix:/run/ovn/ovnnb_db.sock',
    help: "OVN's northbound database: unix:path, with the socket of the southbound database beside it, or ssl:host:port, with commas between the members of a cluster",
  },
  ovnPrivateKey: {
    flag: '--ovn-private-key <file>',
    read: path,
    default: '/etc/openvswitch/sc-privkey.pem',
    help: 'private key of this server for OVN by TLS',
  },
  ovnCertificate: {
    flag: '--ovn-certificate <file>',
    read: path,
    default: '/etc/openvswitch/sc-cert.pem',
    help: 'certificate of this server for OVN by TLS',
  },
  ovnAuthority: {
    flag: '--ovn-ca <file>',
    read: path,
    default: '/etc/openvswitch/cacert.pem',
    help: "certificates of those who have signed the one of OVN's database",
  },
  /** A database with uplinks keeps them. */
  uplinks: {
    flag: '--uplinks <file>',
    read: path,
    otherwise: 'uplinks are simulated with the simulated engine, and not available with another',
    help: 'hosts whose FRR and lldpd have the uplinks, as a JSON file: see the documentation under External connectivity',
  },
  cpuOvercommit: {
    flag: '--cpu-overcommit <factor>',
    read: whole(1, 64),
    default: '8',
    help: 'virtual processors of real machines for each processor of their host',
  },
  rebootWaitMs: {
    flag: '--reboot-wait <seconds>',
    read: whole(1, 3_600, SECOND),
    default: '120',
    help: 'how long a reboot of a real machine waits for its guest to shut down before it is reset',
  },
  forwardAddress: {
    flag: '--forward-address <address>',
    read: ipv4Address,
    default: FORWARD_ADDRESS,
    help: 'IPv4 address of this machine, whose ports the engine libvirt forwards to the instances on it, which everybody who reaches that address reaches; without effect with --shared-directory',
  },
  keepFree: {
    flag: '--keep-free <MiB>',
    read: whole(0, 1_000_000_000, MiB),
    default: '256',
    help: 'space that uploads leave on the disk of the data directory, for the database, and in each storage pool in a file system',
  },
  metadataNetworks: {
    flag: '--metadata-networks <networks>',
    read: orNone(networks),
    default: 'none',
    help: 'networks, besides the public internet, from which identity provider metadata may be fetched, also over http',
  },
  webhookNetworks: {
    flag: '--webhook-networks <networks>',
    read: orNone(networks),
    default: 'none',
    help: 'networks, besides the public internet, to which webhooks may be delivered',
  },
  smtpUrl: {
    flag: '--smtp-url <url>',
    read: orNone(smtpUrl),
    default: 'none',
    help: 'mail server that sends notifications, like smtps://user:password@mail.example:465; better in the environment, as it may have a password',
  },
  mailFrom: {
    flag: '--mail-from <address>',
    read: orNone(mailFrom),
    default: 'none',
    help: 'sender of mails, like "Cloud <cloud@example.com>"; needed with --smtp-url',
  },
  consoleUrl: {
    flag: '--console-url <url>',
    read: orNone(consoleUrl),
    otherwise: 'the host names of silos, or the address it listens on',
    help: 'address of the console in mails and messages, like https://cloud.example',
  },
  imageNetworks: {
    flag: '--image-networks <networks>',
    read: orNone(networks),
    default: 'none',
    help: 'networks, besides the public internet, from which images may be downloaded',
  },
  outgoingProxyUrl: {
    flag: '--outgoing-proxy <url>',
    read: anyText,
    otherwise: 'HTTPS_PROXY and HTTP_PROXY, if set',
    help: 'proxy for requests to other servers (images, identity providers, webhooks), like http://proxy.example:3128, except for the hosts in NO_PROXY; none for no proxy',
  },
  adminPassword: {
    env: 'STEADING_ADMIN_PASSWORD',
    read: adminPassword,
    otherwise: 'generated and printed once',
    help: 'password of the user admin, at the first start',
  },
  extensions: {
    flag: '--no-extensions',
    read: onOrOff,
    default: '1',
    help: 'disable the extensions of the API under /x/v1',
  },
  collects: {
    flag: '--no-collection',
    read: onOrOff,
    default: '1',
    help: 'collect no metrics: charts and queries only show earlier data',
  },
  multicast: {
    flag: '--multicast',
    read: onOrOff,
    default: '0',
    help: 'let instances join multicast groups',
  },
  ignoreAllowList: {
    flag: '--ignore-allow-list',
    read: onOrOff,
    default: '0',
    help: 'ignore the allow list, for operators who have locked themselves out',
  },
  log: {
    flag: '--log <format>',
    read: word(logFormats),
    default: 'text',
    help: 'text, or json: an object with time, level and message in each line',
  },
  metricsListen: {
    flag: '--metrics-listen <address:port>',
    read: orNone(endpoint),
    default: 'none',
    help: 'additional address for metrics and health without credentials, like 127.0.0.1:9400',
  },
  metricsUrl: {
    flag: '--metrics-url <url>',
    read: orNone(metricsUrl),
    default: 'none',
    help: 'VictoriaMetrics to store the time series in instead of the data directory',
  },
  metricsRawMs: {
    flag: '--metrics-raw <days>',
    read: whole(1, MOST_DAYS, DAY),
    default: '7',
    help: 'retention of original time series points in the data directory; later one point per five minutes',
  },
  metricsKeepMs: {
    flag: '--metrics-keep <days>',
    read: whole(1, MOST_DAYS, DAY),
    default: '90',
    help: 'retention of time series in the data directory',
  },
  drainMs: {
    flag: '--drain <seconds>',
    read: whole(0, 3_600, SECOND),
    default: '0',
    help: 'time for which a stopping server reports that it is not ready before it stops',
  },
  sessionIdleMs: {
    flag: '--session-idle <minutes>',
    read: whole(1, YEAR_IN_MINUTES, MINUTE),
    default: '480',
    help: 'a session ends when it has not been used for this long',
  },
  sessionAbsoluteMs: {
    flag: '--session-max <minutes>',
    read: whole(1, YEAR_IN_MINUTES, MINUTE),
    default: '1440',
    help: 'a session ends this long after signing in',
  },
  autoRestartCooldownMs: {
    flag: '--auto-restart-cooldown <seconds>',
    read: whole(0, 86_400, SECOND),
    default: '300',
    help: 'a failed instance is restarted at most this often',
  },
  bootMs: {
    flag: '--boot-ms <milliseconds>',
    read: whole(0, 3_600_000),
    default: '4000',
    help: 'boot time of a simulated machine; stopping and rebooting take proportional times',
  },
  passwordCost: {
    flag: '--password-cost <m=…,t=…>',
    read: passwordCost,
    default: `m=${defaultPasswordCost.memoryKiB},t=${defaultPasswordCost.passes}`,
    help: 'Argon2id cost of new passwords: memory in KiB, passes',
  },
  passwordMin: {
    flag: '--password-min <characters>',
    read: whole(1, NEW_PASSWORD_MAX),
    default: `${PASSWORD_MIN}`,
    help: 'minimum length of new passwords',
  },
} satisfies Record<string, Setting<unknown>>

type Settings = typeof settings
type Values = {
  [K in keyof Settings]: Settings[K] extends { otherwise: string }
    ? ReturnType<Settings[K]['read']> | undefined
    : ReturnType<Settings[K]['read']>
}
/** Settings that a server may lack. */
type Absent = { [K in keyof Values]: undefined extends Values[K] ? K : never }[keyof Values]

/** All settings of a server, by the names above. */
export type ServerConfig = Omit<Values, Absent> &
  Partial<Pick<Values, Absent>> & {
    /** The proxy for requests to other servers. */
    outgoingProxy?: OutgoingProxy | undefined
    /** Whether commits of the embedded database do not wait for the disk; only in tests. */
    volatile?: boolean
  }

/** A setting as the command line has it. */
export interface Option {
  key: keyof Settings
  flag?: string
  /** Placeholder of the value in the help; a flag without one is a switch. */
  value?: string
  /** Value that a switch sets. */
  switchTo: '0' | '1'
  env: string
  /** The default value, or its description. */
  default: string
  help: string
  read: Reader<unknown>
  repeats: boolean
  only?: string
}

export const options: Option[] = Object.entries<Setting<unknown>>(settings).map(
  ([key, setting]) => {
    const [flag, value] = setting.flag?.split(' ') ?? []
    const isOff = flag?.startsWith('--no-') ?? false
    const name = flag
      ?.replace(/^--(no-)?/, '')
      .replaceAll('-', '_')
      .toUpperCase()
    return {
      key: key as keyof Settings,
      ...(flag === undefined ? {} : { flag }),
      ...(value === undefined ? {} : { value }),
      switchTo: isOff ? '0' : '1',
      env: setting.env ?? `STEADING_${name}`,
      default: setting.default ?? setting.otherwise!,
      help: setting.help,
      read: setting.read,
      repeats: setting.repeats ?? false,
      ...(setting.only === undefined ? {} : { only: setting.only }),
    }
  },
)

/** Default configuration. */
export const defaultConfig = (): ServerConfig =>
  Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([key, { read, default: text }]) => [
      key,
      text === undefined ? undefined : read(text, key),
    ]),
  ) as ServerConfig

function proxyUrl(text: string, source: string): URL | undefined {
  if (text === 'none') return undefined
  const address = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isBare = url?.pathname === '/' && url.search === '' && url.hash === ''
  // The message omits the value, which may contain a password.
  if (!url || !isBare || !/^https?:$/.test(url.protocol) || !hasValidCredentials(url)) {
    throw new StartError(`${source} must be a URL like http://user:password@proxy.example:3128`)
  }
  return url
}

function hasValidCredentials(url: URL): boolean {
  try {
    credentialsIn(url)
    return true
  } catch {
    return false
  }
}

/** A variable that other programs read as well; the spelling in small letters comes first. */
function sharedVariable(
  name: string,
  env: NodeJS.ProcessEnv,
): { text: string; source: string } | undefined {
  for (const source of [name.toLowerCase(), name]) {
    const text = env[source]
    if (text) return { text, source }
  }
  return undefined
}

/**
 * The proxy of a flag or of the usual variables.
 * @param given by the flag or by its variable
 */
function readProxy(given: string | undefined, env: NodeJS.ProcessEnv): OutgoingProxy | undefined {
  const urlOf = (name: string): URL | undefined => {
    if (given !== undefined) return proxyUrl(given, '--outgoing-proxy')
    const found = sharedVariable(name, env)
    return found && proxyUrl(found.text, found.source)
  }
  const [https, http] = [urlOf('HTTPS_PROXY'), urlOf('HTTP_PROXY')]
  if (!https && !http) return undefined
  const { text, source } = sharedVariable('NO_PROXY', env) ?? { text: '', source: '' }
  const exceptions = exceptionsIn(text, (entry) => {
    throw new StartError(`${source}: "${entry}" is no network`)
  })
  return outgoingProxy({ https, http }, exceptions)
}

/** The options of a command; those of the server by default. */
export const optionsOf = (command?: string): Option[] =>
  options.filter(({ only }) => only === undefined || only === command)

/** The flags of a command line, as pairs of option and text. */
function* flags(args: readonly string[], known: readonly Option[]): Generator<[Option, string]> {
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (!arg.startsWith('-')) throw new StartError(`unexpected argument "${arg}"; see --help`)
    const [name, inline] = arg.split(/=(.*)/s, 2)
    const option = known.find(({ flag }) => flag === name)
    if (!option) throw new StartError(`unknown option ${name}; see --help`)
    if (option.value === undefined) {
      if (inline !== undefined) throw new StartError(`${name} takes no value`)
      yield [option, option.switchTo]
      continue
    }
    const text = inline ?? rest.shift()
    if (text === undefined || text === '') {
      throw new StartError(`${name} needs a value: ${name} ${option.value}`)
    }
    yield [option, text]
  }
}

/** Log format, even if the configuration is invalid otherwise. */
export function logFormatOf(args: readonly string[], env: NodeJS.ProcessEnv): LogFormat {
  const at = args.findLastIndex((arg) => arg === '--log' || arg.startsWith('--log='))
  const text = at < 0 ? env['STEADING_LOG'] : (args[at]!.split('=')[1] ?? args[at + 1])
  return logFormats.find((format) => format === text) ?? 'text'
}

/**
 * The configuration of a command line and an environment.
 * @param command whose options are known as well as those of the server
 * @throws StartError with one line for the operator
 */
export function readConfig(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  command?: string,
): ServerConfig {
  const read: { [K in keyof Settings]?: unknown } = defaultConfig()
  const known = optionsOf(command)
  const given = new Map<Option, string>()
  for (const [option, text] of flags(args, known)) {
    const before = option.repeats ? given.get(option) : undefined
    given.set(option, before === undefined ? text : `${before},${text}`)
  }
  for (const option of known) {
    // An empty variable counts as unset, because wrapper scripts pass empty ones for omitted
    // settings.
    const fromEnv = env[option.env]
    if (fromEnv) read[option.key] = option.read(fromEnv, option.env)
  }
  for (const [{ key, read: reader, flag }, text] of given) read[key] = reader(text, flag!)
  const config = read as ServerConfig
  config.outgoingProxy = readProxy(config.outgoingProxyUrl, env)
  if ((config.smtpUrl === undefined) !== (config.mailFrom === undefined)) {
    throw new StartError('--smtp-url and --mail-from need each other')
  }
  if (config.tlsPort !== undefined && config.zones.length === 0) {
    throw new StartError('--tls-port needs --zone, the DNS zone of the host names to serve')
  }
  if (config.tlsPort !== undefined && config.tlsPort === config.port && config.port !== 0) {
    throw new StartError(`--tls-port and --port must differ, and both are ${config.port}`)
  }
  return config
}
