/** Vocabulary of the declarations of targets and metrics. */

export const fieldTypes = [
  'string',
  'i8',
  'u8',
  'i16',
  'u16',
  'i32',
  'u32',
  'i64',
  'u64',
  'ip_addr',
  'uuid',
  'bool',
] as const
export type FieldType = (typeof fieldTypes)[number]

/** Data types used by schemas here; the contract has more. */
export type DatumType =
  | 'bool'
  | 'i64'
  | 'u64'
  | 'f32'
  | 'f64'
  | 'cumulative_u64'
  | 'cumulative_f64'
  | 'histogram_u64'
  | 'histogram_f64'

export const units = [
  'count',
  'bytes',
  'seconds',
  'nanoseconds',
  'volts',
  'amps',
  'watts',
  'degrees_celsius',
  'joules',
  'none',
  'rpm',
] as const
export type Unit = (typeof units)[number]

export const authzScopes = ['fleet', 'silo', 'project', 'viewable_to_all'] as const
/** Readers of a time series, besides viewers of the fleet. */
export type AuthzScope = (typeof authzScopes)[number]

export const fieldSources = ['target', 'metric'] as const
export type FieldSource = (typeof fieldSources)[number]

export interface FieldDeclaration {
  type: FieldType
  description: string
}
export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>

export interface MetricDeclaration {
  datum: DatumType
  unit: Unit
  description: string
  /** Fields that identify the series of a target. */
  fields: FieldDeclarations
}

/** A target and its metrics. Two targets may share a name if they have no metric in common. */
export interface TargetDeclaration {
  name: string
  scope: AuthzScope
  description: string
  fields: FieldDeclarations
  metrics: Readonly<Record<string, MetricDeclaration>>
}

const fieldOf =
  (type: FieldType) =>
  (description: string): FieldDeclaration => ({ type, description })

export const text = fieldOf('string')
export const uuid = fieldOf('uuid')
export const address = fieldOf('ip_addr')
export const u8 = fieldOf('u8')
export const u16 = fieldOf('u16')
export const u32 = fieldOf('u32')
export const u64 = fieldOf('u64')
export const i16 = fieldOf('i16')

const metricOf =
  (datum: DatumType) =>
  (unit: Unit, description: string, fields: FieldDeclarations = {}): MetricDeclaration => ({
    datum,
    unit,
    description,
    fields,
  })

/** A counter, which only increases until it restarts. */
export const counter = metricOf('cumulative_u64')
/** A histogram, whose counts only increase as well. */
export const histogram = metricOf('histogram_u64')
/** A gauge: the current whole number. */
export const level = metricOf('u64')
export const signedLevel = metricOf('i64')
/** The current boolean. */
export const flag = (description: string) => metricOf('bool')('none', description)
export const single = metricOf('f32')
export const double = metricOf('f64')

/** Counters of events, each with its description. */
export const counts = <Name extends string>(
  descriptions: Readonly<Record<Name, string>>,
  fields: FieldDeclarations = {},
): Record<Name, MetricDeclaration> =>
  Object.fromEntries(
    Object.entries<string>(descriptions).map(([name, description]) => [
      name,
      counter('count', description, fields),
    ]),
  ) as Record<Name, MetricDeclaration>

/** Traffic counters of an interface or a link. */
export const traffic = (of: string, fields: FieldDeclarations = {}) => ({
  bytes_sent: counter('bytes', `Bytes sent by the ${of}`, fields),
  bytes_received: counter('bytes', `Bytes received by the ${of}`, fields),
  ...counts(
    {
      packets_sent: `Packets sent by the ${of}`,
      packets_received: `Packets received by the ${of}`,
      errors_sent: `Errors when the ${of} sent packets`,
      errors_received: `Errors when the ${of} received packets`,
    },
    fields,
  ),
})
