import {
  answerMap,
  answerText,
  boolean,
  dateTime,
  double,
  int64,
  integer,
  list,
  longText,
  named,
  oneOf,
  record,
  type Schema,
  string,
  TagFilter,
  tagged,
  uint16,
  uint32,
  uint64,
  uint8,
  uuid,
} from '../../schema.ts'
import { DatumType } from '../metrics/datum.ts'
import { ip } from '../../network.ts'
import { TIMESERIES_NAME } from './names.ts'
import { changed } from '../../versions.ts'
import { joulesChange } from './upgrade.ts'
import { authzScopes, fieldSources, fieldTypes, units } from './vocabulary.ts'

const TimeseriesName = named('TimeseriesName', answerText({ pattern: TIMESERIES_NAME }))
const FieldSchema = record('FieldSchema', {
  name: string,
  field_type: named('FieldType', oneOf(...fieldTypes)),
  source: named('FieldSource', oneOf(...fieldSources)),
  description: string,
})
export const TimeseriesSchema = record('TimeseriesSchema', {
  timeseries_name: TimeseriesName,
  description: record('TimeseriesDescription', { target: string, metric: string }),
  field_schema: list(FieldSchema, { uniqueItems: true }),
  datum_type: DatumType,
  version: integer('uint8', 'a nonzero u8', 1, 0xff),
  authz_scope: named('AuthzScope', oneOf(...authzScopes)),
  units: changed(named('Units', oneOf(...units)), joulesChange),
  created: dateTime,
})

export const TimeseriesQuery = record('TimeseriesQuery', { query: longText })

export const TaggedTimeseriesQuery = record('TaggedTimeseriesQuery', {
  query: longText,
  /**
   * Only the series of resources that have all these tags now: those with their id in a field, such
   * as an instance or a disk.
   */
  tag_filter: TagFilter,
})

const fieldValues: Record<(typeof fieldTypes)[number], Schema> = {
  string,
  i8: integer('int8', 'i8', -0x80, 0x7f),
  u8: uint8,
  i16: integer('int16', 'i16', -0x8000, 0x7fff),
  u16: uint16,
  i32: integer('int32', 'i32', -0x80000000, 0x7fffffff),
  u32: uint32,
  i64: int64,
  u64: uint64,
  ip_addr: ip,
  uuid,
  bool: boolean,
}
const FieldValue = named(
  'FieldValue',
  tagged(
    'type',
    Object.fromEntries(Object.entries(fieldValues).map(([type, value]) => [type, { value }])),
  ),
)

const distribution = (type: string, value: Schema) =>
  record(`Distribution${type}`, {
    bins: list(value),
    counts: list(uint64),
    min: value.nullable().optional(),
    max: value.nullable().optional(),
    sum_of_samples: value,
    squared_mean: double,
    p50: double.nullable().optional(),
    p90: double.nullable().optional(),
    p99: double.nullable().optional(),
  })

const values = (value: Schema) => ({ values: list(value.nullable()) })
const ValueArray = named(
  'ValueArray',
  tagged('type', {
    integer: values(int64),
    double: values(double),
    boolean: values(boolean),
    string: values(string),
    integer_distribution: values(distribution('int64', int64)),
    double_distribution: values(distribution('double', double)),
  }),
)
const Values = record('Values', {
  metric_type: named('MetricType', oneOf('gauge', 'delta', 'cumulative')),
  values: ValueArray,
})
const Points = record('Points', {
  start_times: list(dateTime).nullable().optional(),
  timestamps: list(dateTime),
  values: list(Values),
})
const Timeseries = record('Timeseries', { fields: answerMap(FieldValue), points: Points })
const OxqlTable = record('OxqlTable', { name: string, timeseries: list(Timeseries) })
export const OxqlQueryResult = record('OxqlQueryResult', { tables: list(OxqlTable) })
