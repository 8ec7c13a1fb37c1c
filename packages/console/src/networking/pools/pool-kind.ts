import type { IpVersion } from '@steading/api/client'
import { ipVersionName } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { Boxes, Grid3x3 } from 'lucide-react'
import { ALL_ITEMS, apiQuery, PAGE_SIZE } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

/** Properties shared by IP pools and subnet pools. */
export type Pool = {
  id: string
  name: string
  description: string
  ipVersion: IpVersion
  poolType?: 'unicast' | 'multicast'
}

/**
 * A kind of pool: the differences between IP pools and subnet pools. Their operations have similar
 * names and take the same arguments.
 */
export type PoolKind = typeof ipPoolKind | typeof subnetPoolKind

export const ipPoolKind = {
  /** The noun within a sentence, at its beginning, and as the title of the list. */
  words: 'IP pool',
  Words: 'IP pool',
  title: 'IP Pools',
  /** An article before `words`. */
  article: 'an',
  icon: Grid3x3,
  /** Users of a silo allocate these from a pool. */
  gives: 'IPs',
  /** The contents of a pool, and the unit operators add. */
  holds: 'IPs',
  takes: 'range',
  thing: 'system_ip_pool',
  list: 'systemIpPoolList',
  view: 'systemIpPoolView',
  utilization: 'systemIpPoolUtilizationView',
  silos: 'systemIpPoolSiloList',
  ofSilo: 'siloIpPoolList',
  own: 'ipPoolList',
  link: 'systemIpPoolSiloLink',
  updateLink: 'systemIpPoolSiloUpdate',
  unlink: 'systemIpPoolSiloUnlink',
  create: 'systemIpPoolCreate',
  creation: {
    label: 'New IP Pool',
    quickLabel: 'New IP pool',
    path: '/system/networking/ip-pools-new',
  },
  update: 'systemIpPoolUpdate',
  remove: 'systemIpPoolDelete',
  forecast: 'systemIpPoolForecast',
  /** Excludes pools of system services, which have no page: silos cannot use them. */
  listed: { assignment: 'silos' },
  /** Fixed properties of a new pool. */
  made: { poolType: 'unicast' },
  paths: {
    list: '/system/networking/ip-pools',
    page: '/system/networking/ip-pools/$pool',
    edit: '/system/networking/ip-pools/$pool/edit',
    ofSilo: '/system/silos/$silo/ip-pools',
  },
} as const

export const subnetPoolKind = {
  words: 'subnet pool',
  Words: 'Subnet pool',
  title: 'Subnet Pools',
  article: 'a',
  icon: Boxes,
  gives: 'external subnets',
  holds: 'addresses',
  takes: 'member',
  thing: 'system_subnet_pool',
  list: 'systemSubnetPoolList',
  view: 'systemSubnetPoolView',
  utilization: 'systemSubnetPoolUtilizationView',
  silos: 'systemSubnetPoolSiloList',
  ofSilo: 'siloSubnetPoolList',
  own: 'subnetPoolList',
  link: 'systemSubnetPoolSiloLink',
  updateLink: 'systemSubnetPoolSiloUpdate',
  unlink: 'systemSubnetPoolSiloUnlink',
  create: 'systemSubnetPoolCreate',
  creation: {
    label: 'New Subnet Pool',
    quickLabel: 'New subnet pool',
    path: '/system/networking/subnet-pools-new',
  },
  update: 'systemSubnetPoolUpdate',
  remove: 'systemSubnetPoolDelete',
  forecast: 'systemSubnetPoolForecast',
  listed: {},
  made: {},
  paths: {
    list: '/system/networking/subnet-pools',
    page: '/system/networking/subnet-pools/$pool',
    edit: '/system/networking/subnet-pools/$pool/edit',
    ofSilo: '/system/silos/$silo/subnet-pools',
  },
} as const

export const ipPoolListDefinition: ListDefinition<PoolKind['list']> = {
  kind: 'system_ip_pool',
  id: 'system-ip-pools',
  operation: 'systemIpPoolList',
  filters: { version: ['v4', 'v6'], type: ['unicast', 'multicast'] },
}

export const subnetPoolListDefinition: ListDefinition<PoolKind['list']> = {
  kind: 'system_subnet_pool',
  id: 'system-subnet-pools',
  operation: 'systemSubnetPoolList',
  filters: { version: ['v4', 'v6'] },
}

/** The slot in which a silo has one default: `IPv4 unicast pool`, `IPv4 subnet pool`. */
export const slotOf = ({ ipVersion, poolType }: Pick<Pool, 'ipVersion' | 'poolType'>): string =>
  `${ipVersionName[ipVersion]} ${poolType ?? 'subnet'} pool`

export const poolQuery = (kind: PoolKind, pool: string) => apiQuery(kind.view, { path: { pool } })

export const utilizationQuery = (kind: PoolKind, pool: string) =>
  apiQuery(kind.utilization, { path: { pool } })

/** Polled because operators get no events about addresses allocated within silos. */
export const POLL_MS = 10_000

/** The route parameter of the pool's page: its name or ID. */
export const usePoolParam = (): string => useParams({ strict: false }).pool ?? ''

const all = { limit: ALL_ITEMS }

export const linksQuery = (kind: PoolKind, pool: string) =>
  apiQuery(kind.silos, { path: { pool }, query: all })

/** The pools linked to a silo. */
export const poolsOfSiloQuery = (kind: PoolKind, silo: string) =>
  apiQuery(kind.ofSilo, { path: { silo }, query: all })

/** The pools that can be linked to silos. */
export const linkablePoolsQuery = (kind: PoolKind) =>
  apiQuery(kind.list, { query: { ...all, ...kind.listed } })

export const allSilosQuery = apiQuery('siloList', { query: all })

/** The current default of a silo in the slot of another pool. */
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

/** The ranges of an IP pool, by page. */
export const rangesQuery = (pool: string, pageToken?: string) =>
  apiQuery('systemIpPoolRangeList', { path: { pool }, query: { limit: PAGE_SIZE, pageToken } })

/** The members of a subnet pool, by page. */
export const membersQuery = (pool: string, pageToken?: string) =>
  apiQuery('systemSubnetPoolMemberList', { path: { pool }, query: { limit: PAGE_SIZE, pageToken } })
