/** Listening addresses of a server. */
import { networkInterfaces } from 'node:os'
import { errorCode } from '@steading/files'
import type { ServerConfig } from './config.ts'
import { StartError } from './errors.ts'

/** URL to print: `localhost` for a wildcard address, brackets around IPv6. */
export function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const LOCAL = '127.0.0.1'

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')

/**
 * Refuses an address to forward ports on that this machine does not have.
 * @throws StartError
 */
export function requireOwnAddress(address: string, flag: string): void {
  if (isLoopback(address) || address === '0.0.0.0') return
  const own = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  if (own.some((one) => one.address === address)) return
  throw new StartError(`${address} is not an address of this machine; choose one with ${flag}`)
}

/** Host for plain HTTP: only this machine if TLS is enabled as well. */
export const plainHostOf = ({ host, tlsPort }: ServerConfig): string =>
  tlsPort === undefined || isLoopback(host) ? host : LOCAL

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
