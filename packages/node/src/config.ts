import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import {
  type EngineName,
  engineNames,
  mailAddressProblem,
  MiB,
  NEW_PASSWORD_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN,
} from '@steading/api/rules'
import { StartError } from './errors.ts'
import { type LogFormat, logFormats } from './log.ts'
import { credentialsIn, exceptionsIn, type OutgoingProxy, outgoingProxy } from './outgoing/proxy.ts'
import { defaultPasswordCost, parsePasswordCost, type PasswordCost } from './passwords.ts'
import { DatabaseUrlError, hostUrls } from './postgres-hosts.ts'

/** All settings of a server. Times in milliseconds. */
export interface ServerConfig {
  /** 0 picks a free port. */
  port: number
  host: string
  /** Absolute path of the embedded database, and, with any database, of the contents of disks. */
  data: string
  databaseUrl?: string
  /**
   * Runs the machines. A database belongs to one engine; `auto` is that one, and for a new database
   * `libvirt` if real machines run on this host.
   */
  engine: EngineName | 'auto'
  /** Address of libvirt, for the engine of that name; without it the one of the user. */
  libvirt?: string
  /** Virtual processors that may be given away for each one of the host, by the same engine. */
  cpuOvercommit: number
  /** How long a reboot waits for the guest before its machine is reset, by the same engine. */
  rebootWaitMs: number
  /** Address of this host on which ports are forwarded to machines; for the engine `libvirt`. */
  forwardAddress: string
  /** Also listens with TLS on this port; plain HTTP then listens on this machine only. */
  tlsPort?: number
  /** External DNS zones of the host names of silos. */
  zones: readonly string[]
  /** Networks of trusted reverse proxies, whose headers count. */
  trustedProxies?: BlockList
  /** Path of a Unix socket for a trusted reverse proxy. */
  proxySocket?: string
  /**
   * Networks from which metadata of identity providers may be fetched, besides the public internet.
   */
  metadataNetworks?: BlockList
  /** Networks to which webhooks may be delivered, besides the public internet. */
  webhookNetworks?: BlockList
  /** The URL of a proxy, or `none`; without it, the usual variables count. */
  outgoingProxyUrl?: string
  /** The proxy for requests to other servers. */
  outgoingProxy?: OutgoingProxy | undefined
  /** Mail server for notifications, with its credentials; needs `mailFrom`. */
  smtpUrl?: string
  /** Sender of mails. */
  mailFrom?: string
  /** Address of the console in messages. */
  consoleUrl?: string
  /** Networks from which images may be downloaded, besides the public internet. */
  imageNetworks?: BlockList
  /** Whether commits of the embedded database do not wait for the disk; only in tests. */
  volatile?: boolean
  /** Password of the user `admin` for the first start. Generated if absent. */
  adminPassword?: string
  /** The directory of the disks of real machines, unless it is in the data directory. */
  libvirtVolumes?: string
  /** Bytes that uploads leave free on the disk of the data directory. */
  keepFree: number
  extensions: boolean
  /** Whether time series are collected; not by default in tests. */
  collects?: boolean
  /** Whether instances may join multicast groups. */
  multicast: boolean
  /** Whether all clients are admitted, whatever the allow list. */
  ignoreAllowList: boolean
  log: LogFormat
  /** VictoriaMetrics for the time series; otherwise they are in the data directory. */
  metricsUrl?: string
  /** Retention of the original points of time series, and of any points. */
  metricsRawMs: number
  metricsKeepMs: number
  /** Address that serves metrics and health without credentials. */
  metricsListen?: { host: string; port: number }
  /** Milliseconds that a stopping server reports "not ready" before it stops. */
  drainMs: number
  bootMs: number
  sessionIdleMs: number
  sessionAbsoluteMs: number
  autoRestartCooldownMs: number
  passwordCost: PasswordCost
  /** Minimum length of a new password in characters. */
  passwordMin: number
}

/** One setting of the command line, the environment, or both. */
export interface Option {
  flag?: string
  /** Placeholder of the value in the help; a flag without one is a switch. */
  value?: string
  /** Value that a switch sets. */
  switchTo?: '0' | '1'
  env: string
  default: string
  help: string
  /** @throws StartError with the source of the bad value */
  apply: (config: ServerConfig, text: string, source: string) => void
}

function integer(text: string, source: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new StartError(`${source} must be a whole number from ${min} to ${max}, not "${text}"`)
}

function host(text: string, source: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(bare)) return bare
  throw new StartError(`${source} must be an IP address or a host name, not "${text}"`)
}

function networks(text: string, source: string): BlockList | undefined {
  if (text === 'none') return undefined
  const list = new BlockList()
  for (const network of text.split(',')) {
    const [address = '', bits] = network.trim().split('/')
    const longest = isIPv6(address) ? 128 : 32
    const length = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN
    if (!isIP(address) || !(length <= longest)) {
      throw new StartError(
        `${source} must be networks like 10.0.0.0/8,fd00::/8, not "${network.trim()}"`,
      )
    }
    list.addSubnet(address, length, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return list
}

const zonePattern =
  /^(?=.{1,180}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

function zones(text: string, source: string): readonly string[] {
  if (text === 'none') return []
  const names = text.split(',').map((zone) => zone.trim().toLowerCase().replace(/\.$/, ''))
  const bad = names.find((zone) => !zonePattern.test(zone))
  if (bad === undefined) return [...new Set(names)]
  throw new StartError(`${source} must be DNS zones like cloud.example, not "${bad}"`)
}

function databaseUrl(text: string, source: string): string {
  try {
    hostUrls(text)
    return text
  } catch (error) {
    // The message omits the value, which may contain a password.
    if (error instanceof DatabaseUrlError) throw new StartError(`${source} ${error.message}`)
    throw error
  }
}

function metricsUrl(text: string, source: string): string | undefined {
  if (text === 'none') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  // The message omits the value, which may contain a password.
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new StartError(`${source} must be a URL like http://user:password@host:8428`)
  }
  return text
}

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

function smtpUrl(text: string, source: string): string | undefined {
  if (text === 'none') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSmtp = url && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
  // The message omits the value, which may contain a password.
  if (!isSmtp || url.hash !== '') {
    throw new StartError(`${source} must be a URL like smtps://user:password@mail.example:465`)
  }
  return text
}

/** An address, perhaps with a name before it. */
function mailFrom(text: string, source: string): string | undefined {
  if (text === 'none') return undefined
  const [, named, bare = named] = /^(?:[^<>"\r\n]{1,100}<([^<>\s]+)>|(\S+))$/.exec(text) ?? []
  if (bare === undefined || mailAddressProblem(bare) !== undefined) {
    throw new StartError(
      `${source} must be an address like cloud@example.com or Cloud <cloud@example.com>, not "${text}"`,
    )
  }
  return text
}

function consoleUrl(text: string, source: string): string | undefined {
  if (text === 'none') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href) {
    throw new StartError(`${source} must be a URL like https://cloud.example, not "${text}"`)
  }
  return url.origin
}

function onOrOff(text: string, source: string): boolean {
  if (text === '1' || text === 'true') return true
  if (text === '0' || text === 'false') return false
  throw new StartError(`${source} must be 1 or 0, not "${text}"`)
}

function logFormat(text: string, source: string): LogFormat {
  const found = logFormats.find((format) => format === text)
  if (found) return found
  throw new StartError(`${source} must be ${logFormats.join(' or ')}, not "${text}"`)
}

const engines = ['auto', ...engineNames] as const

function engineName(text: string, source: string): ServerConfig['engine'] {
  const found = engines.find((name) => name === text)
  if (found) return found
  throw new StartError(`${source} must be ${engines.join(' or ')}, not "${text}"`)
}

function libvirtUri(text: string, source: string): string | undefined {
  if (text === 'user') return undefined
  if (/^qemu:\/\/\/(session|system)(\?|$)/.test(text)) return text
  throw new StartError(`${source} must be qemu:///session or qemu:///system, not "${text}"`)
}

function ipv4Address(text: string, source: string): string {
  if (isIPv4(text)) return text
  throw new StartError(`${source} must be an IPv4 address, not "${text}"`)
}

/** An address with a port, like 127.0.0.1:9400 or [::1]:9400. */
function endpoint(text: string, source: string): ServerConfig['metricsListen'] {
  if (text === 'none') return undefined
  const [, address, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (address === undefined) {
    throw new StartError(
      `${source} must be an address with a port, like 127.0.0.1:9400, not "${text}"`,
    )
  }
  return { host: host(address, source), port: integer(port!, source, 0, 65_535) }
}

/** Reached by this machine only. */
const FORWARD_ADDRESS = '127.0.0.1'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const MOST_DAYS = 36_500
const YEAR_IN_MINUTES = 365 * 24 * 60

/** All settings, in the order of the help. A flag wins over the environment. */
export const options: Option[] = [
  {
    flag: '--port',
    value: '<number>',
    env: 'STEADING_PORT',
    default: '12220',
    help: 'TCP port to listen on; 0 picks a free one',
    apply: (config, text, source) => void (config.port = integer(text, source, 0, 65_535)),
  },
  {
    flag: '--host',
    value: '<address>',
    env: 'STEADING_HOST',
    default: '127.0.0.1',
    help: 'address to listen on; 0.0.0.0 or :: for all',
    apply: (config, text, source) => void (config.host = host(text, source)),
  },
  {
    flag: '--tls-port',
    value: '<number>',
    env: 'STEADING_TLS_PORT',
    default: 'none',
    help: 'TCP port for TLS on the address of --host; --port then listens on this machine alone',
    apply: (config, text, source) => {
      config.tlsPort = text === 'none' ? undefined : integer(text, source, 0, 65_535)
    },
  },
  {
    flag: '--zone',
    value: '<zones>',
    env: 'STEADING_ZONE',
    default: 'none',
    help: 'DNS zones, like cloud.example, in which each silo has the host name {silo}.sys.{zone}',
    apply: (config, text, source) => void (config.zones = zones(text, source)),
  },
  {
    flag: '--trust-proxy',
    value: '<networks>',
    env: 'STEADING_TRUST_PROXY',
    default: 'none',
    help: 'networks of trusted reverse proxies, like 10.0.0.0/8,::1, whose X-Forwarded-For, -Proto and -Host count',
    apply: (config, text, source) => void (config.trustedProxies = networks(text, source)),
  },
  {
    flag: '--proxy-socket',
    value: '<path>',
    env: 'STEADING_PROXY_SOCKET',
    default: 'none',
    help: 'Unix socket to listen on as well, for a reverse proxy on this machine, whose X-Forwarded headers count',
    apply: (config, text) => {
      config.proxySocket = text === 'none' ? undefined : resolve(text)
    },
  },
  {
    flag: '--data',
    value: '<directory>',
    env: 'STEADING_DATA',
    default: './data',
    help: 'directory of the embedded database and the contents of disks',
    apply: (config, text) => void (config.data = resolve(text)),
  },
  {
    flag: '--database-url',
    value: '<url>',
    env: 'STEADING_DATABASE_URL',
    default: 'embedded',
    help: 'PostgreSQL database instead of the embedded one, like postgres://user:password@host/database; of several hosts, as in host1:5432,host2:5432, the one that accepts writes is used',
    apply: (config, text, source) => void (config.databaseUrl = databaseUrl(text, source)),
  },
  {
    flag: '--engine',
    value: '<name>',
    env: 'STEADING_ENGINE',
    default: 'auto',
    help: `engine that runs the machines: ${engineNames.join(' or ')}; auto chooses libvirt for a new database where it is installed`,
    apply: (config, text, source) => void (config.engine = engineName(text, source)),
  },
  {
    flag: '--libvirt',
    value: '<uri>',
    env: 'STEADING_LIBVIRT',
    default: 'user',
    help: 'address of libvirt on this machine; user is qemu:///session, and qemu:///system for root',
    apply: (config, text, source) => void (config.libvirt = libvirtUri(text, source)),
  },
  {
    flag: '--libvirt-volumes',
    value: '<directory>',
    env: 'STEADING_LIBVIRT_VOLUMES',
    default: 'in --data',
    help: 'directory of the disks of real machines, such as a mounted NFS share, CephFS, or file system on LVM or Ceph RBD',
    apply: (config, text) => void (config.libvirtVolumes = resolve(text)),
  },
  {
    flag: '--cpu-overcommit',
    value: '<factor>',
    env: 'STEADING_CPU_OVERCOMMIT',
    default: '8',
    help: 'virtual processors of real machines for each processor of their host',
    apply: (config, text, source) => void (config.cpuOvercommit = integer(text, source, 1, 64)),
  },
  {
    flag: '--reboot-wait',
    value: '<seconds>',
    env: 'STEADING_REBOOT_WAIT',
    default: '120',
    help: 'how long a reboot of a real machine waits for its guest to shut down before it is reset',
    apply: (config, text, source) => {
      config.rebootWaitMs = integer(text, source, 1, 3_600) * 1_000
    },
  },
  {
    flag: '--forward-address',
    value: '<address>',
    env: 'STEADING_FORWARD_ADDRESS',
    default: FORWARD_ADDRESS,
    help: 'IPv4 address of this machine, whose ports the engine libvirt forwards to instances, which everybody who reaches that address reaches',
    apply: (config, text, source) => void (config.forwardAddress = ipv4Address(text, source)),
  },
  {
    flag: '--keep-free',
    value: '<MiB>',
    env: 'STEADING_KEEP_FREE',
    default: '256',
    help: 'space that uploads leave on the disk of the data directory, for the database, and on that of --libvirt-volumes',
    apply: (config, text, source) =>
      void (config.keepFree = integer(text, source, 0, 1_000_000_000) * MiB),
  },
  {
    flag: '--metadata-networks',
    value: '<networks>',
    env: 'STEADING_METADATA_NETWORKS',
    default: 'none',
    help: 'networks, besides the public internet, from which identity provider metadata may be fetched, also over http',
    apply: (config, text, source) => void (config.metadataNetworks = networks(text, source)),
  },
  {
    flag: '--webhook-networks',
    value: '<networks>',
    env: 'STEADING_WEBHOOK_NETWORKS',
    default: 'none',
    help: 'networks, besides the public internet, to which webhooks may be delivered',
    apply: (config, text, source) => void (config.webhookNetworks = networks(text, source)),
  },
  {
    flag: '--smtp-url',
    value: '<url>',
    env: 'STEADING_SMTP_URL',
    default: 'none',
    help: 'mail server that sends notifications, like smtps://user:password@mail.example:465; better in the environment, as it may have a password',
    apply: (config, text, source) => void (config.smtpUrl = smtpUrl(text, source)),
  },
  {
    flag: '--mail-from',
    value: '<address>',
    env: 'STEADING_MAIL_FROM',
    default: 'none',
    help: 'sender of mails, like "Cloud <cloud@example.com>"; needed with --smtp-url',
    apply: (config, text, source) => void (config.mailFrom = mailFrom(text, source)),
  },
  {
    flag: '--console-url',
    value: '<url>',
    env: 'STEADING_CONSOLE_URL',
    default: 'the host names of silos, or the address it listens on',
    help: 'address of the console in mails and messages, like https://cloud.example',
    apply: (config, text, source) => void (config.consoleUrl = consoleUrl(text, source)),
  },
  {
    flag: '--image-networks',
    value: '<networks>',
    env: 'STEADING_IMAGE_NETWORKS',
    default: 'none',
    help: 'networks, besides the public internet, from which images may be downloaded',
    apply: (config, text, source) => void (config.imageNetworks = networks(text, source)),
  },
  {
    flag: '--outgoing-proxy',
    value: '<url>',
    env: 'STEADING_OUTGOING_PROXY',
    default: 'HTTPS_PROXY and HTTP_PROXY, if set',
    help: 'proxy for requests to other servers (images, identity providers, webhooks), like http://proxy.example:3128, except for the hosts in NO_PROXY; none for no proxy',
    apply: (config, text) => void (config.outgoingProxyUrl = text),
  },
  {
    env: 'STEADING_ADMIN_PASSWORD',
    default: 'generated and printed once',
    help: 'password of the user admin, at the first start',
    apply: (config, text, source) => {
      if (Buffer.byteLength(text) > PASSWORD_MAX) {
        throw new StartError(`${source} must be at most ${PASSWORD_MAX} bytes long`)
      }
      config.adminPassword = text
    },
  },
  {
    flag: '--no-extensions',
    switchTo: '0',
    env: 'STEADING_EXTENSIONS',
    default: '1',
    help: 'disable the extensions of the API under /x/v1',
    apply: (config, text, source) => void (config.extensions = onOrOff(text, source)),
  },
  {
    flag: '--no-collection',
    switchTo: '0',
    env: 'STEADING_COLLECTION',
    default: '1',
    help: 'collect no metrics: charts and queries only show earlier data',
    apply: (config, text, source) => void (config.collects = onOrOff(text, source)),
  },
  {
    flag: '--multicast',
    switchTo: '1',
    env: 'STEADING_MULTICAST',
    default: '0',
    help: 'let instances join multicast groups',
    apply: (config, text, source) => void (config.multicast = onOrOff(text, source)),
  },
  {
    flag: '--ignore-allow-list',
    switchTo: '1',
    env: 'STEADING_IGNORE_ALLOW_LIST',
    default: '0',
    help: 'ignore the allow list, for operators who have locked themselves out',
    apply: (config, text, source) => void (config.ignoreAllowList = onOrOff(text, source)),
  },
  {
    flag: '--log',
    value: '<format>',
    env: 'STEADING_LOG',
    default: 'text',
    help: 'text, or json: an object with time, level and message in each line',
    apply: (config, text, source) => void (config.log = logFormat(text, source)),
  },
  {
    flag: '--metrics-listen',
    value: '<address:port>',
    env: 'STEADING_METRICS_LISTEN',
    default: 'none',
    help: 'additional address for metrics and health without credentials, like 127.0.0.1:9400',
    apply: (config, text, source) => void (config.metricsListen = endpoint(text, source)),
  },
  {
    flag: '--metrics-url',
    value: '<url>',
    env: 'STEADING_METRICS_URL',
    default: 'none',
    help: 'VictoriaMetrics to store the time series in instead of the data directory',
    apply: (config, text, source) => void (config.metricsUrl = metricsUrl(text, source)),
  },
  {
    flag: '--metrics-raw',
    value: '<days>',
    env: 'STEADING_METRICS_RAW',
    default: '7',
    help: 'retention of original time series points in the data directory; later one point per five minutes',
    apply: (config, text, source) =>
      void (config.metricsRawMs = integer(text, source, 1, MOST_DAYS) * DAY),
  },
  {
    flag: '--metrics-keep',
    value: '<days>',
    env: 'STEADING_METRICS_KEEP',
    default: '90',
    help: 'retention of time series in the data directory',
    apply: (config, text, source) =>
      void (config.metricsKeepMs = integer(text, source, 1, MOST_DAYS) * DAY),
  },
  {
    flag: '--drain',
    value: '<seconds>',
    env: 'STEADING_DRAIN',
    default: '0',
    help: 'time for which a stopping server reports that it is not ready before it stops',
    apply: (config, text, source) =>
      void (config.drainMs = integer(text, source, 0, 3_600) * 1_000),
  },
  {
    flag: '--session-idle',
    value: '<minutes>',
    env: 'STEADING_SESSION_IDLE',
    default: '480',
    help: 'a session ends when it has not been used for this long',
    apply: (config, text, source) =>
      void (config.sessionIdleMs = integer(text, source, 1, YEAR_IN_MINUTES) * MINUTE),
  },
  {
    flag: '--session-max',
    value: '<minutes>',
    env: 'STEADING_SESSION_MAX',
    default: '1440',
    help: 'a session ends this long after signing in',
    apply: (config, text, source) =>
      void (config.sessionAbsoluteMs = integer(text, source, 1, YEAR_IN_MINUTES) * MINUTE),
  },
  {
    flag: '--auto-restart-cooldown',
    value: '<seconds>',
    env: 'STEADING_AUTO_RESTART_COOLDOWN',
    default: '300',
    help: 'a failed instance is restarted at most this often',
    apply: (config, text, source) =>
      void (config.autoRestartCooldownMs = integer(text, source, 0, 86_400) * 1000),
  },
  {
    flag: '--boot-ms',
    value: '<milliseconds>',
    env: 'STEADING_BOOT_MS',
    default: '4000',
    help: 'boot time of a simulated machine; stopping and rebooting take proportional times',
    apply: (config, text, source) => void (config.bootMs = integer(text, source, 0, 3_600_000)),
  },
  {
    flag: '--password-cost',
    value: '<m=…,t=…>',
    env: 'STEADING_PASSWORD_COST',
    default: `m=${defaultPasswordCost.memoryKiB},t=${defaultPasswordCost.passes}`,
    help: 'Argon2id cost of new passwords: memory in KiB, passes',
    apply: (config, text, source) => {
      const cost = parsePasswordCost(text)
      if (!cost) throw new StartError(`${source} must look like m=98304,t=3, not "${text}"`)
      config.passwordCost = cost
    },
  },
  {
    flag: '--password-min',
    value: '<characters>',
    env: 'STEADING_PASSWORD_MIN',
    default: `${PASSWORD_MIN}`,
    help: 'minimum length of new passwords',
    apply: (config, text, source) =>
      void (config.passwordMin = integer(text, source, 1, NEW_PASSWORD_MAX)),
  },
]

/** Default configuration. */
export const defaultConfig = (): ServerConfig => ({
  port: 12_220,
  host: '127.0.0.1',
  zones: [],
  data: resolve('data'),
  engine: 'auto',
  cpuOvercommit: 8,
  rebootWaitMs: 120_000,
  forwardAddress: FORWARD_ADDRESS,
  keepFree: 256 * MiB,
  extensions: true,
  collects: true,
  multicast: false,
  ignoreAllowList: false,
  log: 'text',
  metricsRawMs: 7 * DAY,
  metricsKeepMs: 90 * DAY,
  drainMs: 0,
  bootMs: 4000,
  sessionIdleMs: 480 * MINUTE,
  sessionAbsoluteMs: 1440 * MINUTE,
  autoRestartCooldownMs: 300_000,
  passwordCost: defaultPasswordCost,
  passwordMin: PASSWORD_MIN,
})

/** The flags of a command line, as pairs of option and text. */
function* flags(args: readonly string[]): Generator<[Option, string]> {
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (!arg.startsWith('-')) throw new StartError(`unexpected argument "${arg}"; see --help`)
    const [name, inline] = arg.split(/=(.*)/s, 2)
    const option = options.find(({ flag }) => flag === name)
    if (!option) throw new StartError(`unknown option ${name}; see --help`)
    if (option.value === undefined) {
      if (inline !== undefined) throw new StartError(`${name} takes no value`)
      yield [option, option.switchTo!]
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
 * @throws StartError with one line for the operator
 */
export function readConfig(args: readonly string[], env: NodeJS.ProcessEnv): ServerConfig {
  const config = defaultConfig()
  const given = new Map(flags(args))
  for (const option of options) {
    // An empty variable counts as unset, because wrapper scripts pass empty ones for omitted
    // settings.
    const fromEnv = env[option.env]
    if (fromEnv !== undefined && fromEnv !== '') option.apply(config, fromEnv, option.env)
  }
  for (const [option, text] of given) option.apply(config, text, option.flag!)
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
