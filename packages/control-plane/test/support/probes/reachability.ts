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
  reachability_packet_send: {
    args: () => ({
      body: {
        from: { type: 'instance', instance: ids.box },
        to: { type: 'internet' },
        protocol: 'icmp',
      },
    }),
    about: ['instance'],
    bodyNames: true,
    // The simulated rack carries no packets.
    passes: 501,
  },
  reachability_changes: {
    'of rules': {
      args: () => ({
        query: { ...parents, vpc: 'default' },
        body: { type: 'firewall_rules', update: { rules: [] } },
      }),
      about: ['vpc'],
    },
    'of a route': {
      args: () => ({
        query: { ...parents, vpc: 'default', router: 'system' },
        body: {
          type: 'route_update',
          route: 'default-v4',
          update: {
            destination: { type: 'ip_net', value: '0.0.0.0/0' },
            target: { type: 'drop' },
          },
        },
      }),
      about: ['vpc_router', 'router_route'],
    },
    'of a subnet': {
      args: () => ({
        body: { type: 'subnet_router', subnet: ids.subnet, custom_router: null },
      }),
      about: ['vpc_subnet'],
      bodyNames: true,
    },
    'of an interface': {
      args: () => ({
        body: { type: 'network_interface_delete', interface: ids.nic },
      }),
      about: ['network_interface'],
      bodyNames: true,
    },
    'of a floating IP': {
      args: () => ({
        body: { type: 'floating_ip_attach', floating_ip: ids.floatingIp, parent: ids.box },
      }),
      about: ['floating_ip', 'instance'],
      bodyNames: true,
    },
    'of an external subnet': {
      args: () => ({
        body: { type: 'external_subnet_detach', external_subnet: ids.externalSubnet },
      }),
      about: ['external_subnet'],
      bodyNames: true,
    },
    'of a gateway': {
      args: () => ({
        query: { ...parents, vpc: 'default', gateway: 'default' },
        body: { type: 'internet_gateway_delete' },
      }),
      about: ['internet_gateway'],
    },
    'of a pool of a gateway': {
      args: () => ({
        query: { ...parents, vpc: 'default', gateway: 'default' },
        body: { type: 'internet_gateway_ip_pool_create', ip_pool: 'default' },
      }),
      about: ['internet_gateway', 'ip_pool'],
    },
  },
  instance_firewall_rules_view: { args: () => ({ params: { instance: 'box' }, query: parents }) },
  instance_network_view: { args: () => ({ params: { instance: 'box' }, query: parents }) },
  vpc_network_view: {
    'by name': { args: () => ({ params: { vpc: 'default' }, query: parents }) },
    'by id': { args: () => ({ params: { vpc: ids.vpc } }) },
  },
  vpc_network_status_view: { args: () => ({ params: { vpc: 'default' }, query: parents }) },
  vpc_firewall_use_view: { args: () => ({ params: { vpc: 'default' }, query: parents }) },
  instance_denied_packets_view: { args: () => ({ params: { instance: 'box' }, query: parents }) },
  project_network_view: { args: () => ({ params: parents }) },
} satisfies Partial<Probes>
