import { plain, type Probes } from './probe.ts'
import { parents } from './world.ts'

const body = { query: 'get virtual_machine:vcpu_usage | filter timestamp >= @now()-1m' }

export const timeseriesProbes = {
  system_timeseries_schema_list: plain,
  system_timeseries_query: {
    args: () => ({ body: { query: 'get http_service:request_latency_histogram' } }),
  },
  system_tagged_timeseries_query: {
    args: () => ({ body: { ...body, tag_filter: 'env:prod' } }),
  },
  tagged_timeseries_query: {
    args: () => ({ query: parents, body: { ...body, tag_filter: 'env:prod' } }),
  },
  timeseries_query: { args: () => ({ query: parents, body }) },
} satisfies Partial<Probes>
