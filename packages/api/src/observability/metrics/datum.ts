/** Data types of measured values in the wire contract. */
import {
  boolean,
  dateTime,
  double,
  type Fields,
  int64,
  integer,
  list,
  named,
  numberOf,
  oneOf,
  record,
  type Schema,
  string,
  tagged,
  uint16,
  uint32,
  uint64,
  uint8,
} from '../../schema.ts'

interface NumberType {
  /** Name of the type within the names of schemas. */
  format: string
  schema: Schema
  /** Type of the sum of its values. */
  sum: Schema
}
const int = (format: string, schema: Schema): NumberType => ({ format, schema, sum: int64 })
const real = (format: string, schema: Schema): NumberType => ({ format, schema, sum: double })

const numberTypes: Record<string, NumberType> = {
  i8: int('int8', integer('int8', 'i8', -0x80, 0x7f)),
  u8: int('uint8', uint8),
  i16: int('int16', integer('int16', 'i16', -0x8000, 0x7fff)),
  u16: int('uint16', uint16),
  i32: int('int32', integer('int32', 'i32', -0x80000000, 0x7fffffff)),
  u32: int('uint32', uint32),
  i64: int('int64', int64),
  u64: int('uint64', uint64),
  f32: real('float', numberOf('float')),
  f64: real('double', double),
}
const cumulativeTypes = ['i64', 'u64', 'f32', 'f64'] as const

const five = { minItems: 5, maxItems: 5 }
const Quantile = record('Quantile', {
  desired_marker_positions: list(double, five),
  marker_heights: list(double, five),
  marker_positions: list(uint64, five),
  p: double,
})

function histogramOf({ format, schema, sum }: NumberType): Schema {
  const BinRange = named(
    `BinRange${format}`,
    tagged('type', {
      range_to: { end: schema },
      range: { end: schema, start: schema },
      range_from: { start: schema },
    }),
  )
  return record(`Histogram${format}`, {
    bins: list(record(`Bin${format}`, { count: uint64, range: BinRange })),
    max: schema,
    min: schema,
    n_samples: uint64,
    p50: Quantile,
    p90: Quantile,
    p99: Quantile,
    squared_mean: double,
    start_time: dateTime,
    sum_of_samples: sum,
  })
}

/** Schema of a value of each data type. */
const values: Record<string, Schema> = {
  bool: boolean,
  ...Object.fromEntries(Object.entries(numberTypes).map(([type, { schema }]) => [type, schema])),
  string,
  bytes: list(uint8),
  ...Object.fromEntries(
    cumulativeTypes.map((type) => {
      const { format, schema } = numberTypes[type]!
      return [
        `cumulative_${type}`,
        record(`Cumulative${format}`, { start_time: dateTime, value: schema }),
      ]
    }),
  ),
  ...Object.fromEntries(
    Object.entries(numberTypes).map(([type, number]) => [`histogram_${type}`, histogramOf(number)]),
  ),
}

export const DatumType = named('DatumType', oneOf(...Object.keys(values)))

const MissingDatum = record('MissingDatum', {
  datum_type: DatumType,
  start_time: dateTime.nullable().optional(),
})

export const Datum = named(
  'Datum',
  tagged(
    'type',
    Object.fromEntries(
      Object.entries({ ...values, missing: MissingDatum }).map(
        ([type, datum]): [string, Fields] => [type, { datum }],
      ),
    ),
  ),
)
