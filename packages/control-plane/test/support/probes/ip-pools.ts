import { plain, type Probes } from './probe.ts'
import { fresh, parents, server } from './world.ts'

/** A new pool. */
async function freshPool() {
  const { name } = await server.admin.call('system_ip_pool_create', {
    body: { name: fresh(), description: '' },
  })
  return name
}
const aboutFresh = async () => ({ params: { pool: await freshPool() } })
/** A range used by nothing else, in a new pool. */
let block = 0
const freshRange = () => {
  block++
  return { first: `198.19.${block}.1`, last: `198.19.${block}.9` }
}

async function linked() {
  const pool = await freshPool()
  const silo = 'main'
  await server.admin.call('system_ip_pool_silo_link', {
    params: { pool },
    body: { silo, is_default: false },
  })
  return { params: { pool, silo } }
}

export const ipPoolsProbes = {
  ip_pool_list: plain,
  project_ip_pool_list: { args: () => ({ params: parents }) },
  ip_pool_view: { args: () => ({ params: { pool: 'default' } }) },
  system_ip_pool_list: plain,
  system_ip_pool_search: plain,
  system_ip_pool_create: { args: () => ({ body: { name: fresh(), description: '' } }) },
  system_ip_pool_deletion: { args: () => ({ params: { pool: 'default' } }) },
  system_ip_pool_view: { args: () => ({ params: { pool: 'default' } }) },
  system_ip_pool_update: { args: async () => ({ ...(await aboutFresh()), body: {} }) },
  system_ip_pool_delete: { args: aboutFresh },
  system_ip_pool_assign: {
    args: async () => ({ ...(await aboutFresh()), body: { assignment: 'system_services' } }),
  },
  system_ip_pool_range_list: { args: () => ({ params: { pool: 'default' } }) },
  system_ip_pool_range_add: {
    args: async () => ({ ...(await aboutFresh()), body: freshRange() }),
  },
  system_ip_pool_range_remove: {
    args: async () => {
      const pool = await aboutFresh()
      const body = freshRange()
      await server.admin.call('system_ip_pool_range_add', { ...pool, body })
      return { ...pool, body }
    },
  },
  system_ip_pool_silo_list: { args: () => ({ params: { pool: 'default' } }) },
  system_ip_pool_silo_link: {
    args: async () => ({ ...(await aboutFresh()), body: { silo: 'main', is_default: false } }),
    bodyNames: true,
  },
  system_ip_pool_silo_update: {
    args: async () => ({ ...(await linked()), body: { is_default: false } }),
  },
  system_ip_pool_silo_unlink: { args: linked },
  system_ip_pool_forecast: { args: () => ({ params: { pool: 'default' } }) },
  system_ip_pool_utilization_view: { args: () => ({ params: { pool: 'default' } }) },
  system_ip_pool_address_list: { args: () => ({ params: { pool: 'default' } }) },
  silo_ip_pool_list: { args: () => ({ params: { silo: 'main' } }) },
  ip_pool_service_view: plain,
  ip_pool_service_range_list: plain,
  ip_pool_service_range_add: { args: () => ({ body: freshRange() }) },
  // That pool does not have it.
  ip_pool_service_range_remove: { args: () => ({ body: freshRange() }), passes: 400 },
} satisfies Partial<Probes>
