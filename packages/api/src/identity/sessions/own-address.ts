/** The address that a caller has for the server, and whether instances would see the same. */
import { isPublicAddress } from '../../rules/public-addresses.ts'

export const addressDoubts = ['unknown', 'proxied', 'private'] as const
/** Why instances may see another address than the server. */
export type AddressDoubt = (typeof addressDoubts)[number]

/** Explanations of doubts, for the person whose address it is. */
export const addressDoubtMessages: Record<AddressDoubt, (address: string) => string> = {
  unknown: () => 'The server does not know your address. Type it instead.',
  proxied: (address) =>
    `Your connection goes through a proxy: the server sees ${address}, which is not yours. Type your address instead, or have the operator trust the proxy.`,
  private: (address) =>
    `The server sees ${address}, which is not a public address: instances may see another one. Type the address or network instead.`,
}

/** An element of `x-forwarded-for` without its port and brackets. */
const withoutPort = (element: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(element)?.[1] ?? element.replace(/^([\d.]+):\d+$/, '$1')

/**
 * Doubt about the address of a caller; null if there is none.
 * @param address as the host knows it; empty if it does not
 * @param forwardedFor the header `x-forwarded-for`, whose first element is the caller: with another
 *   address, a proxy stands between that the host does not trust
 */
export function addressDoubt(address: string, forwardedFor: string | null): AddressDoubt | null {
  if (address === '') return 'unknown'
  const [first = ''] = forwardedFor?.split(',') ?? []
  if (forwardedFor?.trim() && withoutPort(first.trim()) !== address) return 'proxied'
  return isPublicAddress(address) ? null : 'private'
}
