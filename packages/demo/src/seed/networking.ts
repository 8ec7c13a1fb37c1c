import { type Cloud, must } from './cloud.ts'
import {
  externalSubnets,
  floatingIps,
  ipPools,
  subnetPools,
  type VpcSeed,
  vpcs,
} from './networks.ts'
import type { Moment } from './timeline.ts'

/** Age of the pools shared by all projects. */
const POOLS_DAYS_AGO = 210

async function poolAppears({ api }: Cloud, pool: (typeof ipPools)[number]): Promise<void> {
  const { name, description, ipVersion, first, last, silo, isDefault } = pool
  const path = { pool: name }
  must(await api.systemIpPoolCreate({ body: { name, description, ipVersion } }))
  must(await api.systemIpPoolRangeAdd({ path, body: { first, last } }))
  if (silo) must(await api.systemIpPoolSiloLink({ path, body: { silo, isDefault } }))
}

async function subnetPoolAppears({ api }: Cloud, pool: (typeof subnetPools)[number]) {
  const { name, description, ipVersion, member, isDefault } = pool
  const path = { pool: name }
  must(await api.systemSubnetPoolCreate({ body: { name, description, ipVersion } }))
  must(await api.systemSubnetPoolMemberAdd({ path, body: member }))
  must(await api.systemSubnetPoolSiloLink({ path, body: { silo: 'main', isDefault } }))
}

async function vpcAppears({ api }: Cloud, seed: VpcSeed): Promise<void> {
  const { project, name: vpc, description, gateway, router, subnets, rules } = seed
  const query = { project, vpc }
  must(await api.vpcCreate({ query: { project }, body: { name: vpc, description, dnsName: vpc } }))
  if (gateway) {
    const { pool, ...body } = gateway
    must(await api.internetGatewayCreate({ query, body }))
    must(
      await api.internetGatewayIpPoolCreate({
        query: { ...query, gateway: gateway.name },
        body: { name: pool, description: '', ipPool: pool },
      }),
    )
  }
  if (router) {
    const { routes, ...body } = router
    must(await api.vpcRouterCreate({ query, body }))
    for (const route of routes) {
      const within = { ...query, router: router.name }
      must(await api.vpcRouterRouteCreate({ query: within, body: route }))
    }
  }
  must(await api.vpcSubnetDelete({ path: { subnet: 'default' }, query }))
  for (const { router: customRouter, ...body } of subnets) {
    must(await api.vpcSubnetCreate({ query, body: { ...body, customRouter } }))
  }
  must(await api.vpcFirewallRulesUpdate({ query, body: { rules } }))
}

const named = (pool: string) => ({ type: 'explicit', pool }) as const

export const networkMoments: Moment[] = [
  ...ipPools.map((pool) => ({
    daysAgo: POOLS_DAYS_AGO,
    happen: (cloud: Cloud) => poolAppears(cloud, pool),
  })),
  ...subnetPools.map((pool) => ({
    daysAgo: POOLS_DAYS_AGO,
    happen: (cloud: Cloud) => subnetPoolAppears(cloud, pool),
  })),
  ...vpcs.map((vpc) => ({
    daysAgo: vpc.daysAgo,
    happen: (cloud: Cloud) => vpcAppears(cloud, vpc),
  })),
  ...floatingIps.map(({ project, name, description, daysAgo, pool, instance }) => ({
    daysAgo,
    happen: async ({ api }: Cloud) => {
      const query = { project }
      const addressAllocator = { type: 'auto', poolSelector: named(pool) } as const
      must(await api.floatingIpCreate({ query, body: { name, description, addressAllocator } }))
      if (!instance) return
      const body = { kind: 'instance', parent: instance } as const
      must(await api.floatingIpAttach({ path: { floatingIp: name }, query, body }))
    },
  })),
  ...externalSubnets.map(({ project, name, description, daysAgo, pool, instance, ...size }) => ({
    daysAgo,
    happen: async ({ api }: Cloud) => {
      const query = { project }
      const allocator = { type: 'auto', ...size, poolSelector: named(pool) } as const
      must(await api.externalSubnetCreate({ query, body: { name, description, allocator } }))
      if (!instance) return
      const path = { externalSubnet: name }
      must(await api.externalSubnetAttach({ path, query, body: { instance } }))
    },
  })),
]
