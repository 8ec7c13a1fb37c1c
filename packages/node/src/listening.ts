/** Listening addresses of a server. */
import { once } from 'node:events'
import { lstat, rm } from 'node:fs/promises'
import { type BlockList, connect, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopback } from '@steading/api/rules'
import { errorCode, ifMissing } from '@steading/files'
import type { ServerConfig } from './config.ts'
import { StartError } from './errors.ts'

/** URL to print: `localhost` for a wildcard address, brackets around IPv6. */
export function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The address by which this machine reaches itself. */
export const LOCAL = '127.0.0.1'

export const isLocal = (host: string): boolean => host === 'localhost' || isLoopback(host)

/** Addresses of this machine. */
const ownAddresses = (): string[] => [
  LOCAL,
  '::1',
  ...Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .map(({ address }) => address),
]

/**
 * Refuses an address to forward ports on that this machine does not have.
 * @throws StartError
 */
export function requireOwnAddress(address: string, flag: string): void {
  if (isLocal(address) || address === '0.0.0.0' || ownAddresses().includes(address)) return
  throw new StartError(`${address} is not an address of this machine; choose one with ${flag}`)
}

/**
 * Refuses addresses of this machine as those of trusted proxies: guests reach it from there, and
 * could pass for a proxy.
 * @throws StartError
 */
export function requireProxiesElsewhere(trusted: BlockList | undefined): void {
  const own = ownAddresses().find((one) => trusted?.check(one, isIPv6(one) ? 'ipv6' : 'ipv4'))
  if (own === undefined) return
  throw new StartError(
    `--trust-proxy contains ${own}, an address of this machine, from which guests of the engine libvirt reach the server and could choose their addresses; let the proxy use --proxy-socket, or name only proxies on other machines`,
  )
}

/** Whether a server listens on a Unix socket. With a full queue or without rights, one may. */
async function isListenedOn(path: string): Promise<boolean> {
  const client = connect(path)
  try {
    await once(client, 'connect')
    return true
  } catch (error) {
    return errorCode(error) !== 'ECONNREFUSED'
  } finally {
    client.destroy()
  }
}

/**
 * Makes way for a Unix socket: removes the socket of a killed server.
 * @throws StartError if a server uses it, or there is another file
 */
export async function takeSocketPath(path: string): Promise<void> {
  const found = await lstat(path).catch(ifMissing(undefined))
  if (!found) return
  if (!found.isSocket()) throw new StartError(`there is another file at ${path} of --proxy-socket`)
  if (await isListenedOn(path)) {
    throw new StartError(
      `another server listens on ${path}; choose another path with --proxy-socket`,
    )
  }
  await rm(path, { force: true })
}

/** Host for plain HTTP: only this machine if TLS is enabled as well. */
export const plainHostOf = ({ host, tlsPort }: ServerConfig): string =>
  tlsPort === undefined || isLocal(host) ? host : LOCAL

/**
 * Converts a listening error into a StartError with one line, if the operator can solve it.
 * @param flag that chooses another port
 */
export function listenError(error: unknown, host: string, port: number, flag: string): unknown {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new StartError(
        `port ${port} on ${host} is in use; stop what runs there, or choose another with ${flag}`,
      )
    case 'EACCES':
      return new StartError(`this user may not listen on port ${port}; choose another with ${flag}`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(`${host} is not an address of this machine; choose one with --host`)
    default:
      return error
  }
}
