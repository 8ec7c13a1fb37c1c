import type { Probes } from './probe.ts'
import { ids, parents } from './world.ts'

export const reachabilityProbes = {
  reachability_test: {
    'between instances': {
      args: () => ({
        body: {
          from: { type: 'instance', instance: ids.box },
          to: { type: 'internet' },
          protocol: 'icmp',
        },
      }),
      about: ['instance'],
      bodyNames: true,
    },
    'by names': {
      args: () => ({
        query: { ...parents, vpc: 'default' },
        body: {
          from: { type: 'instance', instance: 'box', interface: 'net0' },
          to: { type: 'address', address: '172.30.0.5' },
          protocol: 'tcp',
          port: 22,
        },
      }),
    },
  },
  vpc_network_view: {
    'by name': { args: () => ({ params: { vpc: 'default' }, query: parents }) },
    'by id': { args: () => ({ params: { vpc: ids.vpc } }) },
  },
  project_network_view: { args: () => ({ params: parents }) },
} satisfies Partial<Probes>
