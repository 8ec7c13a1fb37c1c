/** Ready-made dashboards. */
import type { DashboardSource } from '@steading/api/rules'
import { type Content, readyMadeNames } from './queries.ts'

export type ReadyMade = Content & {
  /** Id in the address. */
  id: string
  source: DashboardSource
}

const line = (title: string, query: string, width: 'half' | 'full' = 'half') =>
  ({ title, query, display: 'line', width }) as const

const perInstance = (name: string, condition = '') =>
  `get ${name}${condition && ` | filter ${condition}`} | align mean_within(1m) | group_by [instance_id], sum`

export const readyMade: readonly ReadyMade[] = [
  {
    id: 'instances',
    source: 'project',
    name: readyMadeNames.project.instances,
    description: 'Activity of each instance, to find the busy one',
    charts: [
      line('CPU time', perInstance('virtual_machine:vcpu_usage', 'state == "run"'), 'full'),
      line('Bytes received', perInstance('instance_network_interface:bytes_received')),
      line('Bytes sent', perInstance('instance_network_interface:bytes_sent')),
      line(
        'Bytes read from disks',
        'get virtual_disk:bytes_read | align mean_within(1m) | group_by [attached_instance_id], sum',
      ),
      line(
        'Bytes written to disks',
        'get virtual_disk:bytes_written | align mean_within(1m) | group_by [attached_instance_id], sum',
      ),
    ],
  },
  {
    id: 'instance',
    source: 'project',
    name: readyMadeNames.project.instance,
    description: 'CPU, network and disks of the chosen instance',
    charts: [
      line(
        'CPU time by state',
        'get virtual_machine:vcpu_usage | filter instance_id == $instance | align mean_within(1m) | group_by [state], sum',
        'full',
      ),
      line(
        'Bytes received',
        'get instance_network_interface:bytes_received | filter instance_id == $instance | align mean_within(1m)',
      ),
      line(
        'Bytes sent',
        'get instance_network_interface:bytes_sent | filter instance_id == $instance | align mean_within(1m)',
      ),
      line(
        'Bytes read',
        'get virtual_disk:bytes_read | filter attached_instance_id == $instance | align mean_within(1m)',
      ),
      line(
        'Bytes written',
        'get virtual_disk:bytes_written | filter attached_instance_id == $instance | align mean_within(1m)',
      ),
    ],
  },
  {
    id: 'disk',
    source: 'project',
    name: readyMadeNames.project.disk,
    description: 'Requests and bytes of the chosen disk',
    charts: (
      [
        ['Reads', 'reads'],
        ['Writes', 'writes'],
        ['Bytes read', 'bytes_read'],
        ['Bytes written', 'bytes_written'],
      ] as const
    ).map(([title, metric]) =>
      line(title, `get virtual_disk:${metric} | filter disk_id == $disk | align mean_within(1m)`),
    ),
  },
  {
    id: 'sleds',
    source: 'system',
    name: readyMadeNames.system.sleds,
    description: 'CPUs, heat, fans, power and traffic',
    charts: [
      line(
        'CPU time by state',
        'get sled_cpu:cpu_nsec | align mean_within(1m) | group_by [state], sum',
        'full',
      ),
      line(
        'Temperature of sleds',
        'get hardware_component:temperature | filter chassis_kind == "sled" | align mean_within(1m) | group_by [chassis_serial]',
      ),
      line(
        'Fans',
        'get hardware_component:fan_speed | align mean_within(1m) | group_by [chassis_serial]',
      ),
      line(
        'Input power',
        'get hardware_component:input_power | align mean_within(1m) | group_by [chassis_kind], sum',
      ),
      line(
        'Bytes sent',
        'get sled_data_link:bytes_sent | align mean_within(1m) | group_by [sled_serial], sum',
      ),
    ],
  },
  {
    id: 'control-plane',
    source: 'system',
    name: readyMadeNames.system['control-plane'],
    description: 'Latency of calls, and collected samples',
    charts: [
      {
        title: 'Latency of calls',
        query: 'get http_service:request_latency_histogram | last 1',
        display: 'table',
        width: 'full',
      },
      line(
        'Samples collected',
        'get oximeter_collector:samples_collected | align mean_within(1m) | group_by [base_route], sum',
      ),
      line(
        'Failed collections',
        'get oximeter_collector:failed_collections | align mean_within(1m) | group_by [base_route], sum',
      ),
    ],
  },
]

export const readyMadeFor = (source: DashboardSource): readonly ReadyMade[] =>
  readyMade.filter((one) => one.source === source)
