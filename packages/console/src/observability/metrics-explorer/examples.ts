/** Sample queries. */
import type { QueryScope } from '../timeseries/explorer-link.ts'

export type Example = { title: string; description: string; query: string }

const project: readonly Example[] = [
  {
    title: 'CPU by instance',
    description: 'Running time of virtual CPUs, by instance',
    query:
      'get virtual_machine:vcpu_usage\n| filter state == "run"\n| align mean_within(1m)\n| group_by [instance_id], sum',
  },
  {
    title: 'Waiting for a CPU',
    description: 'How long virtual CPUs wait for a CPU of the sled',
    query:
      'get virtual_machine:vcpu_usage\n| filter state == "waiting"\n| align mean_within(1m)\n| group_by [instance_id], sum',
  },
  {
    title: 'Writes by disk',
    description: 'Bytes that are written to each disk',
    query: 'get virtual_disk:bytes_written\n| align mean_within(1m)\n| group_by [disk_id], sum',
  },
  {
    title: 'Latency of disks',
    description: 'Percentiles of how long reads and writes take',
    query: 'get virtual_disk:io_latency\n| last 30',
  },
  {
    title: 'Reads beside writes',
    description: 'Two metrics of all disks as one table',
    query: '{ get virtual_disk:reads; get virtual_disk:writes }\n| align mean_within(1m)\n| join',
  },
  {
    title: 'Network by instance',
    description: 'Bytes that each instance receives',
    query:
      'get instance_network_interface:bytes_received\n| align mean_within(1m)\n| group_by [instance_id], sum',
  },
]

const system: readonly Example[] = [
  {
    title: 'Temperatures of sleds',
    description: 'The average over all sensors of each sled',
    query:
      'get hardware_component:temperature\n| filter chassis_kind == "sled"\n| align mean_within(1m)\n| group_by [chassis_serial]',
  },
  {
    title: 'Power of the rack',
    description: 'Power drawn by each part of the hardware',
    query:
      'get hardware_component:input_power\n| align mean_within(1m)\n| group_by [chassis_kind], sum',
  },
  {
    title: 'CPUs of sleds',
    description: 'Time in each state, over all CPUs',
    query: 'get sled_cpu:cpu_nsec\n| align mean_within(1m)\n| group_by [state], sum',
  },
  {
    title: 'Traffic of links',
    description: 'Bytes that sleds send, by link',
    query:
      'get sled_data_link:bytes_sent\n| align mean_within(1m)\n| group_by [sled_serial, link_name], sum',
  },
  {
    title: 'Latency of the API',
    description: 'Percentiles of requests, by operation',
    query: 'get http_service:request_latency_histogram\n| filter timestamp > @now() - 5m\n| last 5',
  },
  {
    title: 'Used storage',
    description: 'Bytes that are allocated of each pool',
    query: 'get zfs_pool:bytes_allocated\n| align mean_within(5m)\n| group_by [pool_name], sum',
  },
]

export const examplesOf = (scope: QueryScope): readonly Example[] =>
  scope === 'system' ? system : project
