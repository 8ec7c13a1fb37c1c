import { instanceCannot, type InstanceState, instanceStates, instanceStops } from './rules.ts'
import { computing } from '../../rules/roles.ts'
import { networkReads } from '../../networking/reachability/rules.ts'
import type { Kind } from '../../kinds/kind.ts'

export const instance = {
  access: computing,
  parent: 'project',
  selectors: {
    both: 'when providing instance as an ID project should not be specified',
    neither: 'instance should either be UUID or project should be specified',
  },
  listed: true,
  reads: [
    'issue_list',
    'instance_briefing',
    'fleet_lights',
    'silo_lights',
    'sled_lights',
    'instance_failure',
    'instance_clone_view',
    'instance_sled_view',
    'instance_disk_list',
    'instance_external_ip_list',
    'instance_external_subnet_list',
    'instance_network_interface_list',
    'instance_anti_affinity_group_list',
    'instance_affinity_group_list',
    'disk_deletion',
    'project_deletion',
    'vpc_deletion',
    'vpc_subnet_deletion',
    'utilization_view',
    ...networkReads,
  ],
  bulk: ['start', 'stop', 'reboot', 'snapshot', 'delete'],
  deletion: {
    inProject: 'instance',
    after: [],
    cascades: ['disk', 'floating_ip', 'external_subnet', 'snapshot', 'image'],
    holdsData: true,
    states: instanceStates,
    obstacle({ state }) {
      const reason = instanceCannot('delete', state as InstanceState)
      const steps = instanceStops(state as InstanceState) ? (['stop'] as const) : []
      return reason ? { reason, steps } : undefined
    },
  },
} as const satisfies Kind
