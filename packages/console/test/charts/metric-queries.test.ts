/** Queries for the metrics of an instance, and the units of the answers. */
import type { OxqlQueryResult } from '@steading/api/client'
import { expect, test } from 'vitest'
import {
  cpuMetric,
  diskMetrics,
  firstPointOf,
  networkMetrics,
  queryOf,
  inReadableUnit,
  sumOf,
  ungroupedQueryOf,
  untimedQueryOf,
} from '../../src/compute/instances/metrics/metric-queries.ts'

const hour = {
  from: Date.parse('2024-01-01T00:00:00Z'),
  to: Date.parse('2024-01-01T01:00:00Z'),
}

test('an hour is queried in minutes, starting two minutes early', () => {
  expect(queryOf(cpuMetric('i', 'run'), hour)).toBe(
    'get virtual_machine:vcpu_usage | filter timestamp >= @2023-12-31T23:58:00.000 && ' +
      'timestamp < @2024-01-01T01:00:00.000 && instance_id == "i" && state == "run" | ' +
      'align mean_within(60s) | group_by [vcpu_id], sum',
  )
})

test('one disk or interface is not grouped, and windows are at least a sample long', () => {
  const minute = { from: hour.from, to: hour.from + 60_000 }
  expect(queryOf(diskMetrics('i', 'd')[0]!, minute)).toBe(
    'get virtual_disk:reads | filter timestamp >= @2023-12-31T23:59:50.000 && ' +
      'timestamp < @2024-01-01T00:01:00.000 && attached_instance_id == "i" && disk_id == "d" | ' +
      'align mean_within(5s)',
  )
  expect(queryOf(networkMetrics('i', undefined)[0]!, minute)).toMatch(
    /^get instance_network_interface:bytes_sent .*\| group_by \[instance_id\], sum$/,
  )
})

test('optional metrics are not grouped, and their series are summed alike', () => {
  const metric = cpuMetric('i', 'run')
  expect(`${ungroupedQueryOf(metric, hour)} | group_by [vcpu_id], sum`).toBe(queryOf(metric, hour))
  // The same virtual CPU before and after its machine has moved.
  const [table] = answer([0, 1, null], [0, null, 2], [0, 3, 3]).tables
  table!.timeseries[1]!.fields = table!.timeseries[0]!.fields
  expect(sumOf({ tables: [table!] }, metric.groupBy)).toMatchObject({
    values: [4, 5],
    seriesCount: 2,
  })
})

const answer = (...series: (number | null)[][]): OxqlQueryResult => ({
  tables: [
    {
      name: 'a:b',
      timeseries: series.map((values, vcpu) => ({
        // In the client's spelling.
        fields: { vcpuId: { type: 'u32', value: vcpu } },
        points: {
          startTimes: null,
          timestamps: values.map((_, index) => new Date(index * 1000)),
          values: [{ metricType: 'gauge', values: { type: 'double', values } }],
        },
      })),
    },
  ],
})

test('sums series, keeps common gaps and drops the first point', () => {
  expect(sumOf(answer([9, 1, null, null], [9, 2, 3, null]))).toEqual({
    times: [1000, 2000, 3000],
    values: [3, 3, null],
    seriesCount: 2,
  })
  expect(sumOf({ tables: [] })).toEqual({ times: [], values: [], seriesCount: 0 })
})

test('one raw point is no data, two are one point', () => {
  const metric = diskMetrics('i', undefined)[0]!
  expect(inReadableUnit(metric, answer([5])).data.times).toEqual([])
  expect(inReadableUnit(metric, answer([5, 7])).data).toMatchObject({
    times: [1000],
    series: [{ values: [7] }],
  })
  expect(inReadableUnit(metric, answer([5, null])).data.times).toEqual([])
})

test('CPU time is percent of all vCPUs', () => {
  const { data, unit, value } = inReadableUnit(cpuMetric('i', 'run'), answer([0, 5e9], [0, 2.5e9]))
  expect(data.series[0]!.values).toEqual([75])
  expect(unit).toBe('%')
  expect(value(75)).toBe('75%')
})

test.each([
  [500, 'Bytes', 500],
  [2048, 'KiB', 2],
  [3 * 1024 ** 3, 'GiB', 3],
  [5 * 1024 ** 5, 'TiB', 5 * 1024],
])('%d bytes are shown in %s', (bytes, unit, amount) => {
  const bytesRead = diskMetrics('i', undefined)[3]!
  const shown = inReadableUnit(bytesRead, answer([0, bytes]))
  expect(shown.unit).toBe(unit)
  expect(shown.data.series[0]!.values).toEqual([amount])
})

test('the explorer gets the query without its time range', () => {
  expect(untimedQueryOf(cpuMetric('i', 'run'), hour)).toBe(
    'get virtual_machine:vcpu_usage\n| filter instance_id == "i" && state == "run"\n' +
      '| align mean_within(60s)\n| group_by [vcpu_id], sum',
  )
})

test('charts state the basis of their values, and axes the unit', () => {
  const [, , , one] = diskMetrics('i', 'd')
  expect(one!.description).toBe('Per 10 seconds, this disk')
  const all = diskMetrics('i', undefined)[3]!
  expect(all.description).toBe('Per 10 seconds, all disks together')
  expect(networkMetrics('i', undefined)[0]!.description).toBe(
    'Per 10 seconds, all network interfaces together',
  )
  expect(cpuMetric('i', 'run').description).toMatch(/of all vCPUs together$/)
  expect(inReadableUnit(all, answer([0, 2048])).tick(2)).toBe('2 KiB')
  expect(inReadableUnit(cpuMetric('i', 'run'), answer([0, 5e9])).tick(20)).toBe('20%')
})

test('an instance without points tells the time of its first one', () => {
  const metric = diskMetrics('i', undefined)[0]!
  const since = new Date(hour.to - 30_000)
  // A sample every 10 seconds, and a complete window of a minute.
  expect(firstPointOf(metric, hour, since)).toBe(
    'Measured every 10 seconds. The first point of this range comes at ' +
      `${new Date(hour.to + 40_000).toLocaleTimeString(undefined, { timeStyle: 'medium' })}.`,
  )
  expect(firstPointOf(metric, hour, new Date(hour.to - 71_000))).toBeUndefined()
  expect(firstPointOf(metric, hour, undefined)).toBe(
    'Instances are measured while they are running.',
  )
})
