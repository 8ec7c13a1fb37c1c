import type { IpVersion } from '@steading/api/client'
import { type ConsolePath, ipVersionName } from '@steading/api/rules'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'

/** What pools of addresses and pools of subnets have in common. */
export type Pool = {
  id: string
  name: string
  description: string
  ipVersion: IpVersion
  poolType?: 'unicast' | 'multicast'
}

/**
 * A kind of pool: what differs between pools of addresses and pools of subnets. Their operations are
 * called alike; those of the one stand for those of the other.
 */
export type PoolKind = {
  /** What sentences call a pool, and the beginning of one. */
  words: 'IP pool' | 'subnet pool'
  Words: 'IP pool' | 'Subnet pool'
  /** What the users of a silo get of a pool. */
  gives: string
  /** What a pool holds, and what operators add to it. */
  holds: 'IPs' | 'addresses'
  takes: 'range' | 'member'
  thing: 'system_ip_pool'
  list: 'systemIpPoolList'
  view: 'systemIpPoolView'
  silos: 'systemIpPoolSiloList'
  ofSilo: 'siloIpPoolList'
  link: 'systemIpPoolSiloLink'
  update: 'systemIpPoolSiloUpdate'
  unlink: 'systemIpPoolSiloUnlink'
  /** The page of a pool, and where a silo lists its pools. */
  page: ConsolePath
  siloTab: ConsolePath
  create: { calls: 'systemIpPoolCreate'; path: ConsolePath }
}

export const ipPoolKind: PoolKind = {
  words: 'IP pool',
  Words: 'IP pool',
  gives: 'IPs',
  holds: 'IPs',
  takes: 'range',
  thing: 'system_ip_pool',
  list: 'systemIpPoolList',
  view: 'systemIpPoolView',
  silos: 'systemIpPoolSiloList',
  ofSilo: 'siloIpPoolList',
  link: 'systemIpPoolSiloLink',
  update: 'systemIpPoolSiloUpdate',
  unlink: 'systemIpPoolSiloUnlink',
  page: '/system/networking/ip-pools/$pool',
  siloTab: '/system/silos/$silo/ip-pools',
  create: { calls: 'systemIpPoolCreate', path: '/system/networking/ip-pools-new' },
}

export const subnetPoolKind = {
  words: 'subnet pool',
  Words: 'Subnet pool',
  gives: 'external subnets',
  holds: 'addresses',
  takes: 'member',
  thing: 'system_subnet_pool',
  list: 'systemSubnetPoolList',
  view: 'systemSubnetPoolView',
  silos: 'systemSubnetPoolSiloList',
  ofSilo: 'siloSubnetPoolList',
  link: 'systemSubnetPoolSiloLink',
  update: 'systemSubnetPoolSiloUpdate',
  unlink: 'systemSubnetPoolSiloUnlink',
  page: '/system/networking/subnet-pools/$pool',
  siloTab: '/system/silos/$silo/subnet-pools',
  create: { calls: 'systemSubnetPoolCreate', path: '/system/networking/subnet-pools-new' },
} as unknown as PoolKind

/** Of what a silo has one default: `IPv4 unicast pool`, `IPv4 subnet pool`. */
export const slotOf = ({ ipVersion, poolType }: Pick<Pool, 'ipVersion' | 'poolType'>): string =>
  `${ipVersionName[ipVersion]} ${poolType ?? 'subnet'} pool`

const all = { limit: ALL_ITEMS }

export const linksQuery = (kind: PoolKind, pool: string) =>
  apiQuery(kind.silos, { path: { pool }, query: all })

/** The pools that a silo has. */
export const poolsOfSiloQuery = (kind: PoolKind, silo: string) =>
  apiQuery(kind.ofSilo, { path: { silo }, query: all })

/** The pools that can be linked to silos. */
export const linkablePoolsQuery = (kind: PoolKind) =>
  apiQuery(kind.list, {
    query: { ...all, ...(kind.list === 'systemIpPoolList' ? { assignment: 'silos' } : {}) },
  })

export const allSilosQuery = apiQuery('siloList', { query: all })

/** The pool that is the default of a silo where another one would be. */
export const defaultBeside = <P extends Pool & { isDefault: boolean }>(
  pools: readonly P[] | undefined,
  pool: Pool,
): P | undefined =>
  pools?.find(
    (each) =>
      each.isDefault &&
      each.id !== pool.id &&
      each.ipVersion === pool.ipVersion &&
      each.poolType === pool.poolType,
  )
