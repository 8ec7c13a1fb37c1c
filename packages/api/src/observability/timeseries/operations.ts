import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId, resultsPage } from '../../schema.ts'
import {
  OxqlQueryResult,
  TaggedTimeseriesQuery,
  TimeseriesQuery,
  TimeseriesSchema,
} from './schemas.ts'

/** A query is a read, although it is a POST. It depends on measurements, not on rows. */
const query = {
  method: 'POST',
  body: TimeseriesQuery,
  audited: false,
  transaction: 'none',
  success: { status: 200, schema: OxqlQueryResult },
} as const

export const timeseriesOperations = {
  system_timeseries_schema_list: {
    method: 'GET',
    path: '/v1/system/timeseries/schemas',
    tags: ['system/metrics'],
    summary: 'List the schemas of all time series',
    permission: { fleet: 'read' },
    ...paged('none'),
    success: { status: 200, schema: resultsPage(TimeseriesSchema) },
  },
  system_timeseries_query: {
    ...query,
    path: '/v1/system/timeseries/query',
    tags: ['system/metrics'],
    summary: 'Query all time series with OxQL',
    permission: { fleet: 'read' },
  },
  timeseries_query: {
    ...query,
    path: '/v1/timeseries/query',
    tags: ['experimental'],
    summary: 'Query the time series of a project with OxQL',
    permission: { project: 'read' },
    query: { project: NameOrId },
  },
  system_tagged_timeseries_query: {
    ...query,
    path: '/x/v1/system/timeseries/query',
    tags: ['extensions'],
    summary: 'Query the time series of resources of the system with some tags',
    permission: { fleet: 'read' },
    body: TaggedTimeseriesQuery,
  },
  tagged_timeseries_query: {
    ...query,
    path: '/x/v1/timeseries/query',
    tags: ['extensions'],
    summary: 'Query the time series of resources of a project with some tags',
    permission: { project: 'read' },
    query: { project: NameOrId },
    body: TaggedTimeseriesQuery,
  },
} as const satisfies Record<string, Operation>
