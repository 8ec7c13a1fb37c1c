import { namesIn, schemaOf, type Schema } from '../timeseries/schemas.ts'
import { Tag } from '../../ui/tag.tsx'

const datumTypes: Readonly<Record<string, string>> = {
  bool: 'yes or no',
  i64: 'integer',
  u64: 'integer',
  f32: 'number',
  f64: 'number',
  cumulative_u64: 'counter',
  cumulative_f64: 'counter',
  histogram_u64: 'distribution',
  histogram_f64: 'distribution',
}

/** Facts about a query's metrics: type, unit and fields. */
export function MetricInfo({ text, schemas }: { text: string; schemas: readonly Schema[] }) {
  const named = namesIn(text).flatMap((name) => schemaOf(schemas, name) ?? [])
  if (named.length === 0) return null
  return (
    <div className="flex flex-col gap-2 px-(--gutter)">
      {named.map(({ timeseriesName, description, datumType, units, fieldSchema }) => (
        <details key={timeseriesName} className="rounded-card border bg-raised px-4 py-2.5">
          <summary className="rounded-sm [&>*]:me-2">
            <span className="ms-1 font-mono text-xs">{timeseriesName}</span>
            <Tag>{datumTypes[datumType] ?? datumType}</Tag>
            <Tag>{units === 'none' ? 'no unit' : units.replace('_', ' ')}</Tag>
            <span className="text-secondary">{description.metric}</span>
          </summary>
          <p className="mt-3 text-secondary">{description.target}. Its fields:</p>
          <dl className="mt-2 grid grid-cols-[auto_auto_1fr] gap-x-4 gap-y-1 text-xs max-sm:grid-cols-1">
            {fieldSchema.map((field) => (
              <div key={field.name} className="contents">
                <dt className="font-mono">{field.name}</dt>
                <dd className="text-tertiary">{field.fieldType}</dd>
                <dd className="text-secondary max-sm:mb-2">{field.description}</dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </div>
  )
}
