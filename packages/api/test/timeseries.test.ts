import { expect, test } from 'vitest'
import { timeseriesFacts } from '../src/observability/timeseries/index.ts'
import { collectionSeconds } from '../src/observability/timeseries/rules.ts'
import { TIMESERIES_NAME } from '../src/observability/timeseries/names.ts'

/**
 * The table of the specification: target and scope, its fields, and its metrics with their fields.
 */
const sledWithoutRack = 'sled_id:uuid sled_model:string sled_revision:u32 sled_serial:string'
const sled = `rack_id:uuid ${sledWithoutRack}`
const switches =
  'switch_id:uuid switch_model:string switch_revision:u32 switch_serial:string switch_slot:u16'
const asic =
  'asic_fab:string asic_lot:string asic_wafer:u8 asic_wafer_loc_x:i16 asic_wafer_loc_y:i16'
const host = 'hostname:string rack_id:uuid sled_id:uuid'
const port = 'port_id:string link_id:u8'
const failure = 'failure_reason:string'
const six = (fields = '') => [
  `bytes_sent bytes_received = cumulative_u64 bytes ${fields}`,
  `packets_sent packets_received errors_sent errors_received = cumulative_u64 count ${fields}`,
]
const producer = 'base_route:string producer_id:uuid producer_ip:ip_addr producer_port:u16'

const table: Record<string, [fields: string, ...metrics: string[]]> = {
  'virtual_machine project': [
    `instance_id:uuid project_id:uuid silo_id:uuid ${sledWithoutRack}`,
    'vcpu_usage = cumulative_u64 nanoseconds state:string vcpu_id:u32',
    'reset pv_panic_guest_handled pv_panic_host_handled = cumulative_u64 count',
  ],
  'virtual_machine fleet': [
    'rack_id:uuid nexus_id:uuid instance_id:uuid silo_id:uuid project_id:uuid vmm_id:uuid sled_agent_id:uuid sled_agent_ip:ip_addr sled_agent_port:u16',
    'check = cumulative_u64 count state:string reason:string',
    `incomplete_check = cumulative_u64 count ${failure}`,
  ],
  'virtual_disk project': [
    'attached_instance_id:uuid disk_id:uuid project_id:uuid silo_id:uuid block_size:u32',
    'bytes_read bytes_written bytes_discarded = cumulative_u64 bytes',
    'reads writes discards flushes = cumulative_u64 count',
    `failed_reads failed_writes failed_discards failed_flushes = cumulative_u64 count ${failure}`,
    'io_latency = histogram_u64 nanoseconds io_kind:string',
    'io_size = histogram_u64 bytes io_kind:string',
  ],
  'instance_network_interface project': [
    'interface_id:uuid instance_id:uuid project_id:uuid silo_id:uuid',
    ...six(),
    'packets_dropped = cumulative_u64 count',
  ],
  'collection_target fleet': [
    'id:uuid',
    'virtual_disk_space_provisioned ram_provisioned = i64 bytes',
    'cpus_provisioned = i64 count',
  ],
  'hardware_component fleet': [
    'rack_id:uuid slot:u32 chassis_kind:string chassis_serial:string chassis_model:string chassis_revision:u32 hubris_archive_id:string gateway_id:uuid component_kind:string component_id:string description:string',
    'temperature = f32 degrees_celsius sensor:string',
    'current input_current = f32 amps sensor:string',
    'voltage input_voltage = f32 volts sensor:string',
    'power input_power = f32 watts sensor:string',
    'input_energy output_energy = f32 joules sensor:string',
    'fan_speed = f32 rpm sensor:string',
    'pwm amd_cpu_tctl = f32 none sensor:string',
    'sensor_error_count = cumulative_u64 count sensor:string error:string sensor_kind:string',
    'poll_error_count = cumulative_u64 count error:string',
  ],
  'sled_cpu fleet': [sled, 'cpu_nsec = cumulative_u64 nanoseconds cpu_id:u32 state:string'],
  'sled_data_link fleet': [`kind:string link_name:string zone_name:string ${sled}`, ...six()],
  'switch_data_link fleet': [
    `kind:string model:string network:string ${sled} ${switches} ${asic}`,
    ...six(port),
    `receive_crc_error_drops receive_buffer_full_drops pcs_bad_sync_headers pcs_errored_blocks pcs_block_lock_loss pcs_high_ber pcs_valid_errors pcs_invalid_errors pcs_unknown_errors pcs_sync_loss fec_corrected_blocks fec_uncorrected_blocks = cumulative_u64 count ${port}`,
    `link_up link_enabled fec_high_symbol_errors fec_sync_aligned = bool none ${port}`,
    `link_fsm = cumulative_u64 count ${port} state:string`,
    `fec_symbol_errors = cumulative_u64 count ${port} lane:u8`,
  ],
  'switch_port_control_data_link fleet': [
    `kind:string model:string network:string link_name:string ${sled} ${switches} ${asic}`,
    ...six(),
  ],
  'management_network_data_link fleet': [
    `kind:string model:string network:string link_name:string ${sled} ${switches}`,
    ...six(),
  ],
  'switch_table fleet': [
    `rack_id:uuid sled_id:uuid ${switches} ${asic} table:string`,
    'capacity occupancy = u64 count',
    'collisions deletes delete_misses exhaustion inserts updates update_misses = cumulative_u64 count',
  ],
  'switch_rib fleet': [host, 'active_routes = u64 count'],
  'dendrite fleet': [sled, `sample_collection_duration = f64 seconds ${switches} ${asic}`],
  'opte_port fleet': [
    `port_name:string interface_kind:string zone_name:string interface_id:uuid parent_id:uuid ${sled}`,
    'in_uft_hits in_uft_misses in_uft_evictions out_uft_hits out_uft_misses out_uft_evictions route_cache_hits route_cache_misses route_cache_table_full = cumulative_u64 count',
    'in_uft_flows out_uft_flows route_cache_occupancy = u64 count',
  ],
  'ddm_router fleet': [
    host,
    'originated_tunnel_endpoints originated_underlay_prefixes = u64 count',
  ],
  'ddm_session fleet': [
    `${host} interface:string`,
    'advertisements_received advertisements_sent solicitations_received solicitations_sent updates_received updates_sent update_send_fail peer_address_changes peer_expirations peer_sessions_established = cumulative_u64 count',
    'imported_tunnel_endpoints imported_underlay_prefixes = u64 count',
  ],
  'bgp_session fleet': [
    `${host} local_asn:u32 peer:ip_addr`,
    'active_connections_accepted passive_connections_accepted connection_retries hold_timer_expirations idle_hold_timer_expirations keepalives_received keepalives_sent keepalive_send_failures opens_received opens_sent open_handle_failures open_send_failures notification_send_failures prefixes_advertised prefixes_imported transition_to_idle transition_to_connect transition_to_active transition_to_open_sent transition_to_open_confirm transition_to_session_setup transition_to_established unexpected_keepalive_messages unexpected_open_messages unexpected_update_messages updates_received updates_sent update_send_failures update_nexthop_missing = cumulative_u64 count',
  ],
  'bfd_session fleet': [
    `${host} peer:ip_addr`,
    'control_packets_sent control_packets_received control_packet_send_failures message_receive_error timeout_expired transition_to_down transition_to_init transition_to_up = cumulative_u64 count',
  ],
  'static_routing_config fleet': [host, 'static_routes static_nexthops = cumulative_u64 seconds'],
  'mg_lower fleet': [host, 'routes_blocked_by_link_state = u64 count'],
  'http_service fleet': [
    'name:string id:uuid',
    'request_latency_histogram = histogram_u64 nanoseconds operation_id:string status_code:u16',
  ],
  'database_transaction fleet': ['name:string', 'retry_data = f64 seconds attempt:u32'],
  'kstat_sampler fleet': [
    'hostname:string',
    'samples_dropped expired_targets = cumulative_u64 count target_id:u64 target_name:string',
  ],
  'oximeter_collector fleet': [
    'collector_id:uuid collector_ip:ip_addr collector_port:u16',
    `collections samples_collected = cumulative_u64 count ${producer}`,
    `failed_collections = cumulative_u64 count ${producer} reason:string`,
    'database_samples_dropped = cumulative_u64 count collector_sink:string',
    'database_queue_depth = histogram_u64 count collector_sink:string',
  ],
  'zfs_dataset fleet': [
    sled,
    'bytes_used = u64 bytes dataset_name:string dataset_kind:string pool_kind:string zone_name:string pool_id:uuid dataset_id:uuid',
  ],
  'zfs_pool fleet': [
    sled,
    'bytes_allocated bytes_total = u64 bytes pool_name:string pool_kind:string pool_id:uuid',
  ],
  'zone fleet': [
    sled,
    'cpu_nsec = cumulative_u64 nanoseconds zone_name:string zone_type:string state:string zone_id:uuid',
  ],
}

const words = (text: string) => text.split(' ').filter((word) => word !== '')

/** One line per schema: name, scope, datum, unit and sorted fields. */
const lines = Object.entries(table)
  .flatMap(([target, [fields, ...metrics]]) => {
    const [name, scope] = words(target)
    return metrics.flatMap((metric) => {
      const [names, rest] = metric.split(' = ')
      const [datum, unit, ...more] = words(rest!)
      const all = [
        ...words(fields).map((field) => `${field}:target`),
        ...more.map((field) => `${field}:metric`),
      ].toSorted()
      return words(names!).map((one) => `${name}:${one} ${scope} ${datum} ${unit} ${all.join(' ')}`)
    })
  })
  .toSorted()

test('the schemas match the specification', () => {
  const declared = timeseriesFacts.map(({ name, authzScope, datumType, units, fields }) => {
    const all = fields.map((field) => `${field.name}:${field.fieldType}:${field.source}`)
    return `${name} ${authzScope} ${datumType} ${units} ${all.toSorted().join(' ')}`
  })
  expect(declared).toEqual(lines)
})

test('names are unique, sorted and well-formed, and everything has a description', () => {
  const names = timeseriesFacts.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual(names.toSorted())
  expect(names.filter((name) => !new RegExp(TIMESERIES_NAME).test(name))).toEqual([])
  for (const { name, description, fields } of timeseriesFacts) {
    const texts = [description.target, description.metric, ...fields.map((one) => one.description)]
    expect(
      texts.filter((text) => !/^[A-Z].*[^.]$/.test(text)),
      name,
    ).toEqual([])
  }
})

test('every time series except per-event ones has a collection interval of whole rounds', () => {
  const without = timeseriesFacts.filter(({ name }) => !((collectionSeconds(name) ?? 1) % 5 === 0))
  expect(without.map(({ name }) => name)).toEqual(['database_transaction:retry_data'])
  expect(collectionSeconds('virtual_machine:vcpu_usage')).toBe(5)
  expect(collectionSeconds('virtual_machine:check')).toBe(60)
  expect(collectionSeconds('theirs:unknown')).toBeUndefined()
})
