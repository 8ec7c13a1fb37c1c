/** The schemas of all time series, derived from the declarations of their targets. */
import { computeTargets } from './compute.ts'
import { hardwareTargets } from './hardware.ts'
import { routingTargets } from './routing.ts'
import { serviceTargets } from './services.ts'
import type {
  AuthzScope,
  DatumType,
  FieldDeclarations,
  FieldSource,
  FieldType,
  TargetDeclaration,
  Unit,
} from './vocabulary.ts'

export interface TimeseriesFact {
  /** `target:metric` */
  name: string
  description: { target: string; metric: string }
  /** Sorted by name. */
  fields: { name: string; fieldType: FieldType; source: FieldSource; description: string }[]
  datumType: DatumType
  units: Unit
  authzScope: AuthzScope
}

/** Creation time reported for every schema. */
export const TIMESERIES_CREATED = '2026-11-22T00:00:00.000Z'

const targets: readonly TargetDeclaration[] = [
  ...computeTargets,
  ...hardwareTargets,
  ...routingTargets,
  ...serviceTargets,
]

const byText = (a: string, b: string) => Number(a > b) - Number(a < b)

const fieldsOf = (declared: FieldDeclarations, source: FieldSource) =>
  Object.entries(declared).map(([name, { type, description }]) => ({
    name,
    fieldType: type,
    source,
    description,
  }))

/** All schemas, sorted by name. */
export const timeseriesFacts: readonly TimeseriesFact[] = targets
  .flatMap((target) =>
    Object.entries(target.metrics).map(([name, metric]) => ({
      name: `${target.name}:${name}`,
      description: { target: target.description, metric: metric.description },
      fields: [...fieldsOf(target.fields, 'target'), ...fieldsOf(metric.fields, 'metric')].toSorted(
        (a, b) => byText(a.name, b.name),
      ),
      datumType: metric.datum,
      units: metric.unit,
      authzScope: target.scope,
    })),
  )
  .toSorted((a, b) => byText(a.name, b.name))

export const timeseriesByName: ReadonlyMap<string, TimeseriesFact> = new Map(
  timeseriesFacts.map((fact) => [fact.name, fact]),
)
