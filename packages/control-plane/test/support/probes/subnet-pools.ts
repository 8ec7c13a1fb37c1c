import { plain, type Probes } from './probe.ts'
import { fresh, parents, server } from './world.ts'

/** A new pool. */
async function freshPool() {
  const { name } = await server.admin.call('system_subnet_pool_create', {
    body: { name: fresh(), description: '', ip_version: 'v4' },
  })
  return name
}
const aboutFresh = async () => ({ params: { pool: await freshPool() } })
/** A network used by nothing else. */
let block = 0
const freshMember = () => ({ subnet: `198.18.${block++}.0/24` })

async function linked() {
  const pool = await freshPool()
  const silo = 'main'
  await server.admin.call('system_subnet_pool_silo_link', {
    params: { pool },
    body: { silo, is_default: false },
  })
  return { params: { pool, silo } }
}

export const subnetPoolsProbes = {
  subnet_pool_list: plain,
  project_subnet_pool_list: { args: () => ({ params: parents }) },
  subnet_pool_view: { args: () => ({ params: { pool: 'networks' } }) },
  system_subnet_pool_list: plain,
  system_subnet_pool_search: plain,
  system_subnet_pool_create: {
    args: () => ({ body: { name: fresh(), description: '', ip_version: 'v4' } }),
  },
  system_subnet_pool_deletion: { args: () => ({ params: { pool: 'networks' } }) },
  system_subnet_pool_view: { args: () => ({ params: { pool: 'networks' } }) },
  system_subnet_pool_update: { args: async () => ({ ...(await aboutFresh()), body: {} }) },
  system_subnet_pool_delete: { args: aboutFresh },
  system_subnet_pool_member_list: { args: () => ({ params: { pool: 'networks' } }) },
  system_subnet_pool_member_add: {
    args: async () => ({ ...(await aboutFresh()), body: freshMember() }),
  },
  system_subnet_pool_member_remove: {
    args: async () => {
      const pool = await aboutFresh()
      const body = freshMember()
      await server.admin.call('system_subnet_pool_member_add', { ...pool, body })
      return { ...pool, body }
    },
  },
  system_subnet_pool_silo_list: { args: () => ({ params: { pool: 'networks' } }) },
  system_subnet_pool_silo_link: {
    args: async () => ({ ...(await aboutFresh()), body: { silo: 'main', is_default: false } }),
    bodyNames: true,
  },
  system_subnet_pool_silo_update: {
    args: async () => ({ ...(await linked()), body: { is_default: false } }),
  },
  system_subnet_pool_silo_unlink: { args: linked },
  system_subnet_pool_forecast: { args: () => ({ params: { pool: 'networks' } }) },
  system_subnet_pool_utilization_view: { args: () => ({ params: { pool: 'networks' } }) },
  silo_subnet_pool_list: { args: () => ({ params: { silo: 'main' } }) },
} satisfies Partial<Probes>
