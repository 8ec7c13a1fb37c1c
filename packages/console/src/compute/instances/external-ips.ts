import type { ExternalIp } from '@steading/api/client'

const order = { floating: 0, ephemeral: 1, snat: 2 }

/** Floating, ephemeral, SNAT. */
export const sortExternalIps = (ips: ExternalIp[]): ExternalIp[] =>
  ips.toSorted((a, b) => order[a.kind] - order[b.kind])

/** Addresses the instance can be reached at, the most lasting first. */
export const reachableIps = (ips: ExternalIp[]): ExternalIp[] =>
  sortExternalIps(ips.filter(({ kind }) => kind !== 'snat'))

export const ipVersion = (ip: string): 'v4' | 'v6' => (ip.includes(':') ? 'v6' : 'v4')

export const ipUrl = (ip: string): string => `https://${ip.includes(':') ? `[${ip}]` : ip}`
