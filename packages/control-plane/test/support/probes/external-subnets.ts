import type { Probes } from './probe.ts'
import { box, fresh, ids, parents } from './world.ts'

export const externalSubnetsProbes = {
  external_subnet_list: { args: () => ({ query: parents }) },
  external_subnet_create: {
    args: () => ({
      query: parents,
      body: {
        name: fresh(),
        description: '',
        allocator: {
          type: 'auto',
          prefix_length: 64,
          pool_selector: { type: 'explicit', pool: 'networks' },
        },
      },
    }),
  },
  external_subnet_view: {
    'by name': { args: () => ({ params: { external_subnet: 'net' }, query: parents }) },
    'by id': { args: () => ({ params: { external_subnet: ids.externalSubnet } }) },
  },
  external_subnet_update: {
    args: () => ({
      params: { external_subnet: ids.externalSubnet },
      body: { description: fresh() },
    }),
  },
  // Attached, so it cannot be deleted.
  external_subnet_delete: {
    args: () => ({ params: { external_subnet: ids.externalSubnet } }),
    passes: 400,
  },
  external_subnet_attach: {
    args: () => ({
      params: { external_subnet: ids.externalSubnet },
      body: { instance: ids.box },
    }),
  },
  // Not attached.
  external_subnet_detach: {
    args: () => ({ params: { external_subnet: 'loose' }, query: parents }),
    passes: 400,
  },
  external_subnet_search: { args: () => ({ query: parents }) },
  instance_external_subnet_list: { args: () => box },
} satisfies Partial<Probes>
