/** Time series about the control plane itself. */
import {
  address,
  counts,
  double,
  histogram,
  type TargetDeclaration,
  text,
  u16,
  u32,
  u64,
  uuid,
} from './vocabulary.ts'

const producer = {
  base_route: text('Path at which samples of the producer are collected'),
  producer_id: uuid('ID of the producer'),
  producer_ip: address('Address of the producer'),
  producer_port: u16('Port of the producer'),
}
const sink = { collector_sink: text('Destination of the collector') }

export const serviceTargets = [
  {
    name: 'http_service',
    scope: 'fleet',
    description: 'A server that serves HTTP requests',
    fields: { name: text('Name of the service'), id: uuid('ID of the server') },
    metrics: {
      request_latency_histogram: histogram('nanoseconds', 'Latency of calls', {
        operation_id: text('Operation of the API'),
        status_code: u16('Status of the answer'),
      }),
    },
  },
  {
    name: 'database_transaction',
    scope: 'fleet',
    description: 'A database transaction that may be retried',
    fields: { name: text('Purpose of the transaction') },
    metrics: {
      retry_data: double('seconds', 'Duration of an attempt that had to be retried', {
        attempt: u32('Number of the attempt'),
      }),
    },
  },
  {
    name: 'kstat_sampler',
    scope: 'fleet',
    description: 'The program that samples the kernel counters of a sled',
    fields: { hostname: text('Name of the host that the program runs on') },
    metrics: counts(
      {
        samples_dropped: 'Samples dropped because they were not collected in time',
        expired_targets: 'Targets abandoned because they could not be sampled',
      },
      { target_id: u64('Number of the target'), target_name: text('Name of the target') },
    ),
  },
  {
    name: 'oximeter_collector',
    scope: 'fleet',
    description: 'The part of a server that collects samples',
    fields: {
      collector_id: uuid('ID of the collector'),
      collector_ip: address('Address of the collector'),
      collector_port: u16('Port of the collector'),
    },
    metrics: {
      ...counts(
        {
          collections: 'Sample collection rounds',
          samples_collected: 'Collected samples',
        },
        producer,
      ),
      ...counts(
        { failed_collections: 'Failed rounds' },
        { ...producer, reason: text('Reason for the failure') },
      ),
      ...counts({ database_samples_dropped: 'Samples that could not be stored' }, sink),
      database_queue_depth: histogram('count', 'Rounds waiting to be stored', sink),
    },
  },
] as const satisfies readonly TargetDeclaration[]
