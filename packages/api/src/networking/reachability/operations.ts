import type { Operation } from '../../operation.ts'
import { NameOrId } from '../../schema.ts'
import {
  EffectiveFirewallRules,
  NetworkChange,
  NetworkChanges,
  NetworkView,
  Reachability,
  ReachabilityQuestion,
  SentPacket,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const tags = ['extensions']

export const reachabilityOperations = {
  reachability_test: {
    method: 'POST',
    path: '/x/v1/reachability',
    tags,
    summary: 'Test reachability, with every step of a packet and its answer',
    permission: { instance: 'read', network_interface: 'read', vpc: 'read' },
    query: { project: NameOrId.optional(), vpc: NameOrId.optional() },
    body: ReachabilityQuestion,
    audited: false,
    transaction: 'none',
    success: { status: 200, schema: Reachability },
  },
  reachability_packet_send: {
    method: 'POST',
    path: '/x/v1/reachability/packets',
    tags,
    summary: 'Send a real packet, and compare its fate with the answer of the model',
    // The packet reaches a guest, so its sender needs more rights than for a question.
    permission: { instance: 'modify', probe: 'modify', network_interface: 'read', vpc: 'read' },
    query: { project: NameOrId.optional(), vpc: NameOrId.optional() },
    body: ReachabilityQuestion,
    audited: { kind: 'instance', otherwise: 'probe' },
    // No transaction stays open while the packet is on its way.
    transaction: 'own',
    changes: [],
    success: { status: 200, schema: SentPacket },
  },
  reachability_changes: {
    method: 'POST',
    path: '/x/v1/reachability/changes',
    tags,
    summary: 'Preview the connections that a network change opens and closes',
    permission: {
      vpc: 'read',
      vpc_subnet: 'read',
      vpc_router: 'read',
      router_route: 'read',
      network_interface: 'read',
      instance: 'read',
      floating_ip: 'read',
      external_subnet: 'read',
      internet_gateway: 'read',
      internet_gateway_ip_pool: 'read',
      internet_gateway_ip_address: 'read',
      ip_pool: 'read',
    },
    query: {
      project: NameOrId.optional(),
      vpc: NameOrId.optional(),
      router: NameOrId.optional(),
      gateway: NameOrId.optional(),
      instance: NameOrId.optional(),
    },
    body: NetworkChange,
    audited: false,
    transaction: 'none',
    success: { status: 200, schema: NetworkChanges },
  },
  ...usual('instance')({
    instance_firewall_rules_view: {
      route: 'GET firewall-rules',
      extension: true,
      summary: 'Show the firewall rules that apply to an instance',
      answer: EffectiveFirewallRules,
    },
  }),
  ...usual('vpc')({
    vpc_network_view: {
      route: 'GET network',
      extension: true,
      summary: 'Show the network of a VPC',
      answer: NetworkView,
    },
  }),
  ...usual('project')({
    project_network_view: {
      route: 'GET network',
      extension: true,
      summary: 'Show the networks of a project',
      answer: NetworkView,
    },
  }),
} as const satisfies Record<string, Operation>
