import type { Operation } from '../operation.ts'
import { NameOrId } from '../schema.ts'
import {
  EffectiveFirewallRules,
  NetworkChange,
  NetworkChanges,
  NetworkView,
  Reachability,
  ReachabilityQuestion,
} from './schemas.ts'

const tags = ['extensions']

export const reachabilityOperations = {
  reachability_test: {
    method: 'POST',
    path: '/x/v1/reachability',
    tags,
    summary: 'Tell whether one end reaches another, with the whole way of a packet and its answer',
    permission: { instance: 'read', network_interface: 'read', vpc: 'read' },
    query: { project: NameOrId.optional(), vpc: NameOrId.optional() },
    body: ReachabilityQuestion,
    audited: false,
    transaction: 'none',
    success: { status: 200, schema: Reachability },
  },
  reachability_changes: {
    method: 'POST',
    path: '/x/v1/reachability/changes',
    tags,
    summary: 'Tell which connections a change of a network would open and close',
    permission: {
      vpc: 'read',
      vpc_subnet: 'read',
      vpc_router: 'read',
      router_route: 'read',
      network_interface: 'read',
    },
    query: {
      project: NameOrId.optional(),
      vpc: NameOrId.optional(),
      router: NameOrId.optional(),
      instance: NameOrId.optional(),
    },
    body: NetworkChange,
    audited: false,
    transaction: 'none',
    success: { status: 200, schema: NetworkChanges },
  },
  instance_firewall_rules_view: {
    method: 'GET',
    path: '/x/v1/instances/{instance}/firewall-rules',
    tags,
    summary: 'Show the firewall rules that apply to an instance',
    permission: { instance: 'read' },
    params: { instance: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 200, schema: EffectiveFirewallRules },
  },
  vpc_network_view: {
    method: 'GET',
    path: '/x/v1/vpcs/{vpc}/network',
    tags,
    summary: 'Show everything that is connected to a VPC',
    permission: { vpc: 'read' },
    params: { vpc: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 200, schema: NetworkView },
  },
  project_network_view: {
    method: 'GET',
    path: '/x/v1/projects/{project}/network',
    tags,
    summary: 'Show everything that is connected to the VPCs of a project',
    permission: { project: 'read' },
    params: { project: NameOrId },
    success: { status: 200, schema: NetworkView },
  },
} as const satisfies Record<string, Operation>
