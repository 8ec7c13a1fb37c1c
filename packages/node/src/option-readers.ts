/**
 * How the text of an option is read. Each reader throws a `StartError` in one line, with the source
 * of a bad text: the flag, or the variable of the environment.
 */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { mailAddressProblem, PASSWORD_MAX, storagePoolPathProblem } from '@steading/api/rules'
import { StartError } from './errors.ts'
import { parsePasswordCost, type PasswordCost } from './passwords.ts'
import { DatabaseUrlError, hostUrls } from './postgres-hosts.ts'

export type Reader<T> = (text: string, source: string) => T

/** @returns undefined for the text "none" */
export const orNone =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (text, source) =>
    text === 'none' ? undefined : read(text, source)

/** A whole number in a unit, of which the setting has that many. */
export const whole =
  (min: number, max: number, unit = 1): Reader<number> =>
  (text, source) =>
    integer(text, source, min, max) * unit

/** One of some words. */
export const word =
  <T extends string>(words: readonly T[]): Reader<T> =>
  (text, source) => {
    const found = words.find((each) => each === text)
    if (found !== undefined) return found
    throw new StartError(`${source} must be ${words.join(' or ')}, not "${text}"`)
  }

export const anyText: Reader<string> = (text) => text

/** Relative to the directory in which the server is started. */
export const path: Reader<string> = (text) => resolve(text)

/** Names of storage pools with a directory for each, like fast=/mnt/fast,large=/mnt/large. */
export function poolDirectories(text: string, source: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (text === 'none') return found
  for (const pool of text.split(',')) {
    const [, name, directory] = /^([^=]+)=(.+)$/.exec(pool) ?? []
    if (name === undefined || directory === undefined) {
      throw new StartError(
        `${source} must be a storage pool and its directory, like fast=/mnt/fast, not "${pool}"`,
      )
    }
    const path = resolve(directory)
    const problem = storagePoolPathProblem(path)
    if (problem !== undefined) throw new StartError(`${source} cannot have ${path}: ${problem}`)
    if (found.has(name)) throw new StartError(`${source} has storage pool ${name} twice`)
    if ([...found.values()].includes(path)) throw new StartError(`${source} has ${path} twice`)
    found.set(name, path)
  }
  return found
}

function integer(text: string, source: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new StartError(`${source} must be a whole number from ${min} to ${max}, not "${text}"`)
}

export function host(text: string, source: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(bare)) return bare
  throw new StartError(`${source} must be an IP address or a host name, not "${text}"`)
}

export function networks(text: string, source: string): BlockList {
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

export function zones(text: string, source: string): readonly string[] {
  if (text === 'none') return []
  const names = text.split(',').map((zone) => zone.trim().toLowerCase().replace(/\.$/, ''))
  const bad = names.find((zone) => !zonePattern.test(zone))
  if (bad === undefined) return [...new Set(names)]
  throw new StartError(`${source} must be DNS zones like cloud.example, not "${bad}"`)
}

export function databaseUrl(text: string, source: string): string | undefined {
  if (text === 'embedded') return undefined
  try {
    hostUrls(text)
    return text
  } catch (error) {
    // The message omits the value, which may contain a password.
    if (error instanceof DatabaseUrlError) throw new StartError(`${source} ${error.message}`)
    throw error
  }
}

export function metricsUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // The message omits the value, which may contain a password.
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new StartError(`${source} must be a URL like http://user:password@host:8428`)
  }
  return text
}

export function smtpUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSmtp = url && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
  // The message omits the value, which may contain a password.
  if (!isSmtp || url.hash !== '') {
    throw new StartError(`${source} must be a URL like smtps://user:password@mail.example:465`)
  }
  return text
}

/** An address, perhaps with a name before it. */
export function mailFrom(text: string, source: string): string {
  const [, named, bare = named] = /^(?:[^<>"\r\n]{1,100}<([^<>\s]+)>|(\S+))$/.exec(text) ?? []
  if (bare === undefined || mailAddressProblem(bare) !== undefined) {
    throw new StartError(
      `${source} must be an address like cloud@example.com or Cloud <cloud@example.com>, not "${text}"`,
    )
  }
  return text
}

export function consoleUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href) {
    throw new StartError(`${source} must be a URL like https://cloud.example, not "${text}"`)
  }
  return url.origin
}

export function onOrOff(text: string, source: string): boolean {
  if (text === '1' || text === 'true') return true
  if (text === '0' || text === 'false') return false
  throw new StartError(`${source} must be 1 or 0, not "${text}"`)
}

export function libvirtUri(text: string, source: string): string | undefined {
  if (text === 'user') return undefined
  if (/^qemu:\/\/\/(session|system)(\?|$)/.test(text)) return text
  throw new StartError(`${source} must be qemu:///session or qemu:///system, not "${text}"`)
}

export function ipv4Address(text: string, source: string): string {
  if (isIPv4(text)) return text
  throw new StartError(`${source} must be an IPv4 address, not "${text}"`)
}

/** The path of a Unix socket, or members of a cluster that are reached by TLS. */
export type OvnDatabase = string | readonly { host: string; port: number }[]

/** In OVN's own words: `unix:path`, or `ssl:host:port` with commas; a path alone is a socket. */
export function ovnDatabase(text: string, source: string): OvnDatabase {
  const socket = /^(?:unix:)?(\.{0,2}\/.+)$/.exec(text)?.[1]
  if (socket !== undefined) return resolve(socket)
  return text.split(',').map((member) => {
    const address = /^ssl:(.+)$/.exec(member)?.[1]
    if (address !== undefined) return endpoint(address, source)
    throw new StartError(
      `${source} must be unix:/path or ssl:host:port with commas in between, not "${text}"`,
    )
  })
}

/** An address with a port, like 127.0.0.1:9400 or [::1]:9400. */
export function endpoint(text: string, source: string): { host: string; port: number } {
  const [, address, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (address === undefined) {
    throw new StartError(
      `${source} must be an address with a port, like 127.0.0.1:9400, not "${text}"`,
    )
  }
  return { host: host(address, source), port: integer(port!, source, 0, 65_535) }
}

export function adminPassword(text: string, source: string): string {
  if (Buffer.byteLength(text) <= PASSWORD_MAX) return text
  throw new StartError(`${source} must be at most ${PASSWORD_MAX} bytes long`)
}

export function passwordCost(text: string, source: string): PasswordCost {
  const cost = parsePasswordCost(text)
  if (cost) return cost
  throw new StartError(`${source} must look like m=98304,t=3, not "${text}"`)
}
