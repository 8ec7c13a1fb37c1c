/** Page of all time series schemas, generated from their declarations. */
import { timeseriesDocs } from '../../packages/api/src/rules.ts'
import {
  type TimeseriesFact,
  timeseriesFacts,
} from '../../packages/api/src/observability/timeseries/index.ts'
import { code, escape, table } from './html.ts'

const scopes: Record<TimeseriesFact['authzScope'], string> = {
  fleet: 'users with a role on the fleet',
  silo: 'users of the silo',
  project: 'members of the project',
  viewable_to_all: 'all users',
}

type Field = TimeseriesFact['fields'][number]

const fieldTable = (fields: readonly Field[]): string =>
  fields.length === 0
    ? ''
    : table(
        ['field', 'type', 'meaning'],
        fields.map(({ name, fieldType, description }) => [
          code(name),
          escape(fieldType),
          escape(description),
        ]),
      )

function describeMetric({ name, description, datumType, units, fields }: TimeseriesFact): string {
  const [, anchor] = timeseriesDocs(name).split('#')
  const facts = [`type ${code(datumType)}`, ...(units === 'none' ? [] : [`unit ${code(units)}`])]
  return `<h3 id="${anchor}">${escape(name)}</h3>
<p>${escape(description.metric)} (${facts.join(', ')})</p>
${fieldTable(fields.filter(({ source }) => source === 'metric'))}`
}

function describeTarget(metrics: readonly TimeseriesFact[]): string {
  const [{ name, description, authzScope, fields }] = metrics as [TimeseriesFact]
  const target = name.split(':')[0]!
  return `<h2 id="${target}-${authzScope}">${escape(target)}</h2>
<p>${escape(description.target)}. It can be read by ${scopes[authzScope]}${authzScope === 'fleet' ? '' : ', and by viewers of the fleet'}. All its time series have these fields:</p>
${fieldTable(fields.filter(({ source }) => source === 'target'))}
${metrics.map(describeMetric).join('\n')}`
}

/** All schemas by target. A name may be measured in two scopes. */
export function timeseriesPage(): { file: string; title: string; html: string } {
  const targets = Map.groupBy(
    timeseriesFacts,
    ({ name, authzScope }) => `${name.split(':')[0]} ${authzScope}`,
  )
  return {
    file: 'timeseries-schemas',
    title: 'Time series',
    html: `<p>All metrics, with their types, units, and the fields that identify their series. Values of “cumulative” types only grow until they restart; queries turn them into differences.</p>
${[...targets.values()].map(describeTarget).join('\n')}`,
  }
}
