import type { Probes } from './probe.ts'
import { fresh, parents, server } from './world.ts'

const inVpc = { ...parents, vpc: 'default' }
const inGateway = { ...inVpc, gateway: 'default' }

const poolBody = () => ({ name: fresh(), description: '', ip_pool: 'default' })
const addressBody = () => ({ name: fresh(), description: '', address: '192.0.2.1' })

/** A gateway for one call. */
const freshGateway = async () => {
  const body = { name: fresh(), description: '' }
  return (await server.admin.call('internet_gateway_create', { query: inVpc, body })).id
}

export const internetGatewaysProbes = {
  internet_gateway_list: { args: () => ({ query: inVpc }) },
  internet_gateway_search: { args: () => ({ query: inVpc }) },
  internet_gateway_create: {
    args: () => ({ query: inVpc, body: { name: fresh(), description: '' } }),
  },
  internet_gateway_view: {
    'by name': { args: () => ({ params: { gateway: 'default' }, query: inVpc }) },
    'by id': { args: async () => ({ params: { gateway: await freshGateway() } }) },
  },
  internet_gateway_delete: { args: async () => ({ params: { gateway: await freshGateway() } }) },
  internet_gateway_deletion: { args: () => ({ params: { gateway: 'default' }, query: inVpc }) },
  internet_gateway_ip_pool_list: {
    'by name': { args: () => ({ query: inGateway }) },
    'by id': { args: async () => ({ query: { gateway: await freshGateway() } }) },
  },
  internet_gateway_ip_pool_create: { args: () => ({ query: inGateway, body: poolBody() }) },
  internet_gateway_ip_pool_delete: {
    async args() {
      const query = { gateway: await freshGateway() }
      const body = poolBody()
      const { id } = await server.admin.call('internet_gateway_ip_pool_create', { query, body })
      return { params: { pool: id } }
    },
  },
  internet_gateway_ip_address_list: { args: () => ({ query: inGateway }) },
  internet_gateway_ip_address_create: { args: () => ({ query: inGateway, body: addressBody() }) },
  internet_gateway_ip_address_delete: {
    async args() {
      const query = { gateway: await freshGateway() }
      const body = addressBody()
      const { id } = await server.admin.call('internet_gateway_ip_address_create', { query, body })
      return { params: { address: id } }
    },
  },
} satisfies Partial<Probes>
