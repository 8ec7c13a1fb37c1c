import type { Probes } from './probe.ts'
import { fresh, ids, parents } from './world.ts'

export const floatingIpsProbes = {
  floating_ip_list: { args: () => ({ query: parents }) },
  floating_ip_create: {
    args: () => ({ query: parents, body: { name: fresh(), description: '' } }),
  },
  floating_ip_view: {
    'by name': { args: () => ({ params: { floating_ip: 'front' }, query: parents }) },
    'by id': { args: () => ({ params: { floating_ip: ids.floatingIp } }) },
  },
  floating_ip_update: {
    args: () => ({ params: { floating_ip: ids.floatingIp }, body: { description: fresh() } }),
  },
  // Attached, so it cannot be deleted.
  floating_ip_delete: {
    args: () => ({ params: { floating_ip: ids.floatingIp } }),
    passes: 400,
  },
  floating_ip_attach: {
    args: () => ({
      params: { floating_ip: ids.floatingIp },
      body: { kind: 'instance', parent: ids.box },
    }),
  },
  floating_ip_detach: { args: () => ({ params: { floating_ip: 'loose' }, query: parents }) },
  floating_ip_search: { args: () => ({ query: parents }) },
} satisfies Partial<Probes>
