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
  base_route: text('Path at which the producer is asked for samples'),
  producer_id: uuid('ID of the producer'),
  producer_ip: address('Address of the producer'),
  producer_port: u16('Port of the producer'),
}
const sink = { collector_sink: text('Where the collector writes to') }

export const serviceTargets = [
  {
    name: 'http_service',
    scope: 'fleet',
    description: 'A server that serves HTTP requests',
    fields: { name: text('Name of the service'), id: uuid('ID of the server') },
    metrics: {
      request_latency_histogram: histogram('nanoseconds', 'Time that calls took to be answered', {
        operation_id: text('Operation of the API that was called'),
        status_code: u16('Status of the answer'),
      }),
    },
  },
  {
    name: 'database_transaction',
    scope: 'fleet',
    description: 'A database transaction that may be retried',
    fields: { name: text('What the transaction was for') },
    metrics: {
      retry_data: double('seconds', 'Time that an attempt took which had to be repeated', {
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
        samples_dropped: 'Samples that were dropped because they were not collected in time',
        expired_targets: 'Targets that were given up because they could not be sampled',
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
          samples_collected: 'Samples that were collected',
        },
        producer,
      ),
      ...counts(
        { failed_collections: 'Rounds that failed' },
        { ...producer, reason: text('Why it failed') },
      ),
      ...counts({ database_samples_dropped: 'Samples that could not be stored' }, sink),
      database_queue_depth: histogram('count', 'Rounds that waited to be stored', sink),
    },
  },
] as const satisfies readonly TargetDeclaration[]
