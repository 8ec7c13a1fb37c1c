import type { Operation } from '../../operation.ts'
import { DeniedPackets, SystemNetworks, VpcFirewallUse, VpcNetworkStatus } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const vpcNetworkOperations = {
  ...usual('vpc')({
    vpc_network_status_view: {
      route: 'GET network-status',
      extension: true,
      summary: 'Show whether the network of a VPC is in effect on all hosts',
      answer: VpcNetworkStatus,
    },
    vpc_firewall_use_view: {
      route: 'GET firewall-use',
      extension: true,
      summary: 'Show how many packets each firewall rule of a VPC has decided about',
      answer: VpcFirewallUse,
    },
  }),
  ...usual('instance')({
    instance_denied_packets_view: {
      route: 'GET denied-packets',
      extension: true,
      summary: 'List the last packets from and to an instance that were denied',
      answer: DeniedPackets,
    },
  }),
  system_networks_view: {
    method: 'GET',
    path: '/x/v1/system/networks',
    tags: ['extensions'],
    summary: 'Show the state of what carries the networks of VPCs',
    permission: { fleet: 'read' },
    success: { status: 200, schema: SystemNetworks },
  },
} as const satisfies Record<string, Operation>
