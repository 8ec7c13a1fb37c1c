import type { Probes } from './probe.ts'
import { fresh, freshInstance, ids, parents } from './world.ts'

export const networkInterfacesProbes = {
  instance_network_interface_list: {
    'by name': { args: () => ({ query: { ...parents, instance: 'box' } }) },
    'by id': { args: () => ({ query: { instance: ids.box } }) },
  },
  instance_network_interface_view: {
    'by name': {
      args: () => ({ params: { interface: 'net0' }, query: { ...parents, instance: 'box' } }),
    },
    'by id': { args: () => ({ params: { interface: ids.nic } }) },
  },
  instance_network_interface_create: {
    args: async () => ({
      query: { ...parents, instance: await freshInstance() },
      body: { name: 'net0', description: '', vpc_name: 'default', subnet_name: 'default' },
    }),
  },
  instance_network_interface_update: {
    args: () => ({ params: { interface: ids.nic }, body: { description: fresh() } }),
  },
  instance_network_interface_delete: {
    args: async () => ({
      params: { interface: 'net0' },
      query: { ...parents, instance: await freshInstance({}) },
    }),
  },
} satisfies Partial<Probes>
