/** Addresses as keys: fixed-width hex, so that text order is address order. */
import { type Address, formatAddress, type IpVersion } from '@steading/api/rules'

const keyLength = { v4: 8, v6: 32 } as const

export const addressKey = ({ version, value }: Address): string =>
  value.toString(16).padStart(keyLength[version], '0')

export const addressOfKey = (key: string, version: IpVersion): string =>
  formatAddress({ version, value: BigInt(`0x${key}`) })

const moved = (key: string, by: bigint): string =>
  (BigInt(`0x${key}`) + by).toString(16).padStart(key.length, '0')
export const nextKey = (key: string): string => moved(key, 1n)
export const previousKey = (key: string): string => moved(key, -1n)

export const ipVersionOf = ({ ip_key }: { ip_key: string }): IpVersion =>
  ip_key.length === keyLength.v4 ? 'v4' : 'v6'
