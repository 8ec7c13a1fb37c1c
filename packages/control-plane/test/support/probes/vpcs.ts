import type { Probes } from './probe.ts'
import { fresh, ids, parents, server } from './world.ts'

let blocks = 0
/** A block that no subnet has yet. */
const freshBlock = () => `10.${blocks >> 8}.${blocks++ & 255}.0/24`

const freshVpc = async () => {
  const body = { name: fresh(), description: '', dns_name: 'yard' }
  return (await server.admin.call('vpc_create', { query: parents, body })).id
}

export const vpcsProbes = {
  vpc_list: { args: () => ({ query: parents }) },
  vpc_search: { args: () => ({ query: parents }) },
  vpc_create: {
    args: () => ({ query: parents, body: { name: fresh(), description: '', dns_name: 'yard' } }),
  },
  // A new VPC, because other calls name the default one.
  vpc_update: {
    args: async () => ({ params: { vpc: await freshVpc() }, body: { description: fresh() } }),
  },
  vpc_deletion: { args: () => ({ params: { vpc: ids.vpc } }) },
  vpc_view: {
    'by name': { args: () => ({ params: { vpc: 'default' }, query: parents }) },
    'by id': { args: () => ({ params: { vpc: ids.vpc } }) },
  },
  vpc_subnet_list: {
    'by name': { args: () => ({ query: { ...parents, vpc: 'default' } }) },
    'by id': { args: () => ({ query: { vpc: ids.vpc } }) },
  },
  vpc_subnet_view: {
    'by name': {
      args: () => ({ params: { subnet: 'default' }, query: { ...parents, vpc: 'default' } }),
    },
    'by id': { args: () => ({ params: { subnet: ids.subnet } }) },
  },
  vpc_subnet_search: { args: () => ({ query: { ...parents, vpc: 'default' } }) },
  vpc_subnet_create: {
    args: () => ({
      query: { ...parents, vpc: 'default' },
      body: { name: fresh(), description: '', ipv4_block: freshBlock() },
    }),
  },
  vpc_subnet_update: {
    args: () => ({ params: { subnet: ids.subnet }, body: { description: fresh() } }),
  },
  vpc_subnet_list_network_interfaces: { args: () => ({ params: { subnet: ids.subnet } }) },
  // Not empty, so neither can be deleted.
  vpc_delete: { args: () => ({ params: { vpc: 'default' }, query: parents }), passes: 400 },
  vpc_subnet_deletion: { args: () => ({ params: { subnet: ids.subnet } }) },
  vpc_subnet_delete: { args: () => ({ params: { subnet: ids.subnet } }), passes: 400 },
} satisfies Partial<Probes>
