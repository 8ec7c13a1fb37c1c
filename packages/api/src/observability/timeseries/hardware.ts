/** Measurements of sleds, switches and power shelves, and of the storage of sleds. */
import { asic, rack, sled, switchFields } from './fields.ts'
import {
  counter,
  counts,
  double,
  flag,
  level,
  single,
  type TargetDeclaration,
  text,
  traffic,
  u32,
  u8,
  type Unit,
  uuid,
} from './vocabulary.ts'

const sensor = { sensor: text('Name of the sensor') }
const reading = (unit: Unit, description: string) => single(unit, description, sensor)

/** Identity of the links within a rack. */
const link = {
  kind: text('Kind of link'),
  model: text('Model of the hardware that the link belongs to'),
  network: text('Network that the link belongs to'),
}
const linkName = { link_name: text('Name of the link') }
const zoneName = { zone_name: text('Name of the zone; "global" for the sled itself') }

const port = {
  port_id: text('Port of the switch'),
  link_id: u8('Number of the link at its port'),
}

export const hardwareTargets = [
  {
    name: 'hardware_component',
    scope: 'fleet',
    description: 'A part of a sled, a switch or a power shelf that has sensors',
    fields: {
      ...rack,
      slot: u32('Slot of the sled, switch or power shelf'),
      chassis_kind: text('Parent of the part: sled, switch or power'),
      chassis_serial: text('Serial number of the sled, switch or power shelf'),
      chassis_model: text('Part number of the sled, switch or power shelf'),
      chassis_revision: u32('Revision of the sled, switch or power shelf'),
      hubris_archive_id: text('ID of the firmware of the service processor'),
      gateway_id: uuid('ID of the program that read the sensor'),
      component_kind: text('Kind of part'),
      component_id: text('Name of the part'),
      description: text('Type of the part'),
    },
    metrics: {
      temperature: reading('degrees_celsius', 'Temperature at the sensor'),
      current: reading('amps', 'Current at the output'),
      input_current: reading('amps', 'Current at the input'),
      voltage: reading('volts', 'Voltage at the output'),
      input_voltage: reading('volts', 'Voltage at the input'),
      power: reading('watts', 'Power at the output'),
      input_power: reading('watts', 'Power at the input'),
      input_energy: reading('joules', 'Energy input'),
      output_energy: reading('joules', 'Energy output'),
      fan_speed: reading('rpm', 'Speed of the fan'),
      pwm: reading('none', 'Duty cycle of the fan, in percent'),
      amd_cpu_tctl: reading('none', 'CPU temperature for cooling control'),
      ...counts(
        { sensor_error_count: 'Errors reported by the sensor' },
        {
          ...sensor,
          error: text('Error'),
          sensor_kind: text('Quantity measured by the sensor'),
        },
      ),
      ...counts(
        { poll_error_count: 'Failed attempts to read the sensors of the part' },
        { error: text('Error') },
      ),
    },
  },
  {
    name: 'sled_cpu',
    scope: 'fleet',
    description: 'The CPUs of a sled',
    fields: sled,
    metrics: {
      cpu_nsec: counter('nanoseconds', 'Time of a CPU in a state', {
        cpu_id: u32('Number of the CPU'),
        state: text('State of the CPU: idle, intr, kernel or user'),
      }),
    },
  },
  {
    name: 'sled_data_link',
    scope: 'fleet',
    description: 'A network link of a sled',
    fields: { kind: link.kind, ...linkName, ...zoneName, ...sled },
    metrics: traffic('link'),
  },
  {
    name: 'switch_data_link',
    scope: 'fleet',
    description: 'A link of a switch, to a sled or to the network outside',
    fields: { ...link, ...sled, ...switchFields, ...asic },
    metrics: {
      ...traffic('link', port),
      ...counts(
        {
          receive_crc_error_drops: 'Packets dropped because of a wrong checksum',
          receive_buffer_full_drops: 'Packets dropped because the buffer was full',
          pcs_bad_sync_headers: 'Invalid synchronization headers (PCS)',
          pcs_errored_blocks: 'Blocks with errors (PCS)',
          pcs_block_lock_loss: 'Losses of the block lock (PCS)',
          pcs_high_ber: 'Periods with a high rate of bit errors (PCS)',
          pcs_valid_errors: 'Valid error events (PCS)',
          pcs_invalid_errors: 'Invalid error events (PCS)',
          pcs_unknown_errors: 'Error events of an unknown kind (PCS)',
          pcs_sync_loss: 'Losses of synchronization (PCS)',
          fec_corrected_blocks: 'Blocks that forward error correction has repaired',
          fec_uncorrected_blocks: 'Blocks that forward error correction could not repair',
        },
        port,
      ),
      link_up: { ...flag('Whether the link is up'), fields: port },
      link_enabled: { ...flag('Whether the link is enabled'), fields: port },
      fec_high_symbol_errors: { ...flag('Whether many symbols have errors'), fields: port },
      fec_sync_aligned: { ...flag('Whether the lanes of the link are aligned'), fields: port },
      ...counts(
        { link_fsm: 'Transitions into a state of the state machine that brings the link up' },
        { ...port, state: text('Entered state') },
      ),
      ...counts(
        { fec_symbol_errors: 'Symbols with errors on a lane of the link' },
        { ...port, lane: u8('Number of the lane') },
      ),
    },
  },
  {
    name: 'switch_port_control_data_link',
    scope: 'fleet',
    description: 'A link that controls the ports of a switch',
    fields: { ...link, ...linkName, ...sled, ...switchFields, ...asic },
    metrics: traffic('link'),
  },
  {
    name: 'management_network_data_link',
    scope: 'fleet',
    description: 'A link of the management network of a rack',
    fields: { ...link, ...linkName, ...sled, ...switchFields },
    metrics: traffic('link'),
  },
  {
    name: 'switch_table',
    scope: 'fleet',
    description: 'A table of a switch chip, such as the routing table',
    fields: {
      ...rack,
      sled_id: sled.sled_id,
      ...switchFields,
      ...asic,
      table: text('Name of the table'),
    },
    metrics: {
      capacity: level('count', 'Capacity of the table in entries'),
      occupancy: level('count', 'Entries in the table'),
      ...counts({
        collisions: 'Entries refused because their key already existed',
        deletes: 'Deleted entries',
        delete_misses: 'Deletions of nonexistent entries',
        exhaustion: 'Entries refused because the table was full',
        inserts: 'Inserted entries',
        updates: 'Changed entries',
        update_misses: 'Changes of nonexistent entries',
      }),
    },
  },
  {
    name: 'dendrite',
    scope: 'fleet',
    description: 'The driver program of a switch chip',
    fields: sled,
    metrics: {
      sample_collection_duration: double('seconds', 'Duration of a round of samples', {
        ...switchFields,
        ...asic,
      }),
    },
  },
  {
    name: 'opte_port',
    scope: 'fleet',
    description: 'A virtual network port on a sled, connected to a network interface',
    fields: {
      port_name: text('Name of the port'),
      interface_kind: text('Owner of the interface: instance or service'),
      ...zoneName,
      interface_id: uuid('ID of the interface'),
      parent_id: uuid('ID of the owner of the interface'),
      ...sled,
    },
    metrics: {
      ...counts({
        in_uft_hits: 'Incoming packets of known flows',
        in_uft_misses: 'Incoming packets of new flows',
        in_uft_evictions: 'Evicted incoming flows',
        out_uft_hits: 'Outgoing packets of known flows',
        out_uft_misses: 'Outgoing packets of new flows',
        out_uft_evictions: 'Evicted outgoing flows',
        route_cache_hits: 'Packets with a cached route',
        route_cache_misses: 'Packets without a cached route',
        route_cache_table_full: 'Routes not cached for lack of space',
      }),
      in_uft_flows: level('count', 'Known incoming flows'),
      out_uft_flows: level('count', 'Known outgoing flows'),
      route_cache_occupancy: level('count', 'Routes in the cache'),
    },
  },
  {
    name: 'zfs_dataset',
    scope: 'fleet',
    description: 'The datasets of a sled',
    fields: sled,
    metrics: {
      bytes_used: level('bytes', 'Bytes used by the dataset', {
        dataset_name: text('Name of the dataset'),
        dataset_kind: text('Purpose of the dataset'),
        pool_kind: text('Kind of pool: internal or external'),
        ...zoneName,
        pool_id: uuid('ID of the pool'),
        dataset_id: uuid('ID of the dataset'),
      }),
    },
  },
  {
    name: 'zfs_pool',
    scope: 'fleet',
    description:
      'The storage pools of a sled, and those in file systems, whose fields of a sled are empty',
    fields: sled,
    metrics: Object.fromEntries(
      Object.entries({
        bytes_allocated: 'Allocated bytes of the pool',
        bytes_total: 'Size of the pool',
      }).map(([name, description]) => [
        name,
        level('bytes', description, {
          pool_name: text('Name of the pool'),
          pool_kind: text('Kind of pool: internal or external'),
          pool_id: uuid('ID of the pool'),
        }),
      ]),
    ),
  },
  {
    name: 'zone',
    scope: 'fleet',
    description: 'The zones of a sled, which contain its programs',
    fields: sled,
    metrics: {
      cpu_nsec: counter('nanoseconds', 'CPU time of the zone', {
        ...zoneName,
        zone_type: text('Purpose of the zone'),
        state: text('State of the CPU: system, user or waitrq'),
        zone_id: uuid('ID of the zone'),
      }),
    },
  },
] as const satisfies readonly TargetDeclaration[]
