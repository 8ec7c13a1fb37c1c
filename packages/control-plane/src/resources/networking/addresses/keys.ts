/** Keys of addresses: fixed-width hex, so that text order is address order. */
import { type Address, formatAddress, type IpVersion } from '@steading/api/rules'

const keyLength = { v4: 8, v6: 32 } as const

const keyOf = (value: bigint, length: number): string => value.toString(16).padStart(length, '0')

export const addressKey = ({ version, value }: Address): string => keyOf(value, keyLength[version])

export const addressOfKey = (key: string, version: IpVersion): string =>
  formatAddress({ version, value: BigInt(`0x${key}`) })

const moved = (key: string, by: bigint): string => keyOf(BigInt(`0x${key}`) + by, key.length)
export const nextKey = (key: string): string => moved(key, 1n)
export const previousKey = (key: string): string => moved(key, -1n)

/** Number of bits after a prefix of some length. */
const restOf = (key: string, length: number): bigint => BigInt(key.length * 4 - length)

/** The first address of the network of this length that contains an address. */
export function maskedKey(key: string, length: number): string {
  const rest = restOf(key, length)
  return keyOf((BigInt(`0x${key}`) >> rest) << rest, key.length)
}

/** The sibling of a network: the other half of the network with a prefix one bit shorter. */
export const flippedKey = (key: string, length: number): string =>
  keyOf(BigInt(`0x${key}`) ^ (1n << restOf(key, length)), key.length)

export const versionOfKey = (key: string): IpVersion => (key.length === keyLength.v4 ? 'v4' : 'v6')
export const ipVersionOf = ({ ip_key }: { ip_key: string }): IpVersion => versionOfKey(ip_key)

/** The number of addresses from one to another, including both. */
export const keysBetween = (first: string, last: string): bigint =>
  BigInt(`0x${last}`) - BigInt(`0x${first}`) + 1n

/** The order of keys of both versions: IPv4 first. */
export const byAddress = (a: string, b: string): number =>
  a.length - b.length || (a < b ? -1 : Number(a > b))
