import { type Literal, parse } from '@steading/oxql/syntax'
import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useFieldValues } from './field-values.ts'
import type { QueryScope } from './explorer-link.ts'
import { QueryText } from './query-text.tsx'
import { type Schema, schemaOf } from './schemas.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CheckboxInput } from '../../ui/checkbox-input.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { Listbox } from '../../ui/form/listbox-field.tsx'
import {
  type BuiltCondition,
  type BuiltQuery,
  canBeAligned,
  type Comparison,
  enteredOf,
  literalOf,
  printBuilt,
  readBuilt,
} from './built-query.ts'
import { Truncate } from '../../ui/text.tsx'

type QueryBuilderProps = {
  text: string
  onChange: (text: string) => void
  schemas: readonly Schema[]
  scope: QueryScope
  onShowText: () => void
  /** The query needs all points, so it is not limited to the first or last ones. */
  allPoints?: boolean
}

/** Builds a query by clicking. It follows the text as far as it can represent it. */
export function QueryBuilder(props: QueryBuilderProps) {
  const { text, onChange, schemas, scope, onShowText, allPoints = false } = props
  /** Includes input that is not in the text yet; valid only for that text. */
  const [own, setOwn] = useState<{ text: string; built: BuiltQuery }>()
  const built = own?.text === text ? own.built : readBuilt(text)
  if ('reason' in built) {
    return (
      <div className="flex min-h-19 flex-wrap items-center gap-3">
        <p className="text-secondary">
          This query cannot be built by clicking: {built.reason}. Edit its text instead.
        </p>
        <Button onClick={onShowText}>Edit the text</Button>
      </div>
    )
  }
  const change = (next: Partial<BuiltQuery>) => {
    const changed = { ...built, ...next }
    const printed = printBuilt(changed)
    setOwn({ text: printed, built: changed })
    onChange(printed)
  }
  const schema = schemaOf(schemas, built.metric)
  const choose = (metric: string) => {
    const chosen = schemaOf(schemas, metric)
    const has = (field: string) => chosen?.fieldSchema.some(({ name }) => name === field) ?? false
    const aligns = chosen !== undefined && canBeAligned(chosen)
    change({
      metric,
      conditions: built.conditions.filter(
        ({ identifier }) => isOfPoint(identifier) || has(identifier),
      ),
      period: aligns ? (built.period ?? { amount: 1, unit: 'm' }) : undefined,
      groupBy:
        aligns && built.groupBy
          ? { ...built.groupBy, fields: built.groupBy.fields.filter(has) }
          : undefined,
    })
  }
  return (
    <div className="flex flex-col gap-5">
      <MetricField metric={built.metric} schemas={schemas} onChoose={choose} />
      {built.metric && (
        <>
          <Conditions
            conditions={built.conditions}
            schema={schema}
            metric={built.metric}
            scope={scope}
            onChange={(conditions) => change({ conditions })}
          />
          <Merging built={built} schema={schema} allPoints={allPoints} onChange={change} />
          <pre className="rounded-control border bg-sunken p-3 font-mono text-xs/5 break-words whitespace-pre-wrap">
            <QueryText text={text} />
          </pre>
        </>
      )}
    </div>
  )
}

type MetricFieldProps = {
  metric: string
  schemas: readonly Schema[]
  onChoose: (metric: string) => void
}

function MetricField({ metric, schemas, onChoose }: MetricFieldProps) {
  const { control } = useForm({ values: { metric } })
  return (
    <ComboboxField
      control={control}
      name="metric"
      label="Metric"
      placeholder="Choose a metric"
      loading={schemas.length === 0}
      options={schemas.map(({ timeseriesName, description }) => ({
        value: timeseriesName,
        label: timeseriesName,
        found: `${timeseriesName} ${description.metric}`,
        content: (
          <>
            <Truncate text={timeseriesName} className="font-mono text-xs" />
            <Truncate text={description.metric} className="text-xs text-tertiary" />
          </>
        ),
      }))}
      onChange={(next) => schemaOf(schemas, next) && onChoose(next)}
    />
  )
}

const comparisons: Readonly<Record<Comparison, string>> = {
  '==': 'is',
  '!=': 'is not',
  '~=': 'matches',
  '>': 'is more than',
  '>=': 'is at least',
  '<': 'is less than',
  '<=': 'is at most',
}
const isOfPoint = (identifier: string) =>
  identifier === 'datum' || identifier === 'timestamp' || identifier === 'start_time'

type ConditionsProps = {
  conditions: readonly BuiltCondition[]
  schema: Schema | undefined
  metric: string
  scope: QueryScope
  onChange: (conditions: readonly BuiltCondition[]) => void
}

function Conditions({ conditions, schema, metric, scope, onChange }: ConditionsProps) {
  const fields = [...(schema?.fieldSchema.map(({ name }) => name) ?? []), 'datum']
  const replace = (at: number, next: BuiltCondition) => onChange(conditions.with(at, next))
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 font-medium">Filters</legend>
      {conditions.map((condition, at) => (
        <ConditionRow
          key={at}
          number={at + 1}
          condition={condition}
          fields={fields}
          schema={schema}
          metric={metric}
          scope={scope}
          onChange={(next) => replace(at, next)}
          onRemove={() => onChange(conditions.toSpliced(at, 1))}
        />
      ))}
      <div>
        <Button
          size="sm"
          icon={<Plus size={14} strokeWidth={1.5} aria-hidden />}
          onClick={() =>
            onChange([
              ...conditions,
              { identifier: fields[0]!, comparison: '==', literal: undefined, entered: '' },
            ])
          }
        >
          Add filter
        </Button>
      </div>
    </fieldset>
  )
}

type ConditionRowProps = Omit<ConditionsProps, 'conditions' | 'onChange'> & {
  number: number
  condition: BuiltCondition
  fields: readonly string[]
  onChange: (condition: BuiltCondition) => void
  onRemove: () => void
}

function ConditionRow(props: ConditionRowProps) {
  const { number, condition, fields, schema, metric, scope, onChange, onRemove } = props
  const { identifier, comparison, literal, entered } = condition
  const typeOf = (field: string) =>
    schema?.fieldSchema.find(({ name }) => name === field)?.fieldType
  const type = typeOf(identifier)
  const values = useFieldValues(
    scope,
    isOfPoint(identifier) ? undefined : { names: [metric], field: identifier },
  )
  const { control } = useForm({ values: { value: entered } })
  const shown = fields.includes(identifier) ? fields : [...fields, identifier]
  const isPattern = type === 'string'
  const offered = (Object.keys(comparisons) as Comparison[]).filter(
    (one) => one === comparison || one !== '~=' || isPattern,
  )
  const enter = (next: string) =>
    onChange({ ...condition, entered: next, literal: literalOf(next, comparison, type) })
  const isWrong = entered !== '' && literal === undefined
  return (
    <div
      role="group"
      aria-label={`Filter ${number}`}
      className="flex flex-wrap items-start gap-2 max-sm:border-b max-sm:pb-3"
    >
      <Listbox
        aria-label="Field"
        className="w-52"
        options={shown.map((field) => ({ value: field, label: field }))}
        value={identifier}
        onChange={(field) =>
          onChange({
            identifier: field,
            comparison: comparison === '~=' && typeOf(field) !== 'string' ? '==' : comparison,
            literal: undefined,
            entered: '',
          })
        }
      />
      <Listbox
        aria-label="Comparison"
        className="w-36"
        options={offered.map((one) => ({ value: one, label: comparisons[one] }))}
        value={comparison}
        onChange={(next) =>
          onChange({
            ...condition,
            comparison: next as Comparison,
            literal: literalOf(entered, next as Comparison, type),
          })
        }
      />
      <div className="min-w-48 flex-1 [&>div>div:first-child]:sr-only">
        <ComboboxField
          control={control}
          name="value"
          label={`Value of filter ${number}`}
          placeholder={isOfPoint(identifier) ? 'A value' : 'Choose or enter a value'}
          allowCustom
          options={values.options.map((one) => {
            const value = enteredOf(literalIn(one.text))
            return {
              value,
              label: value,
              found: `${one.label} ${value}`,
              ...(one.label !== one.text && {
                content: (
                  <>
                    <Truncate text={one.label} />
                    <Truncate text={value} className="font-mono text-xs text-tertiary" />
                  </>
                ),
              }),
            }
          })}
          loading={values.loading}
          onChange={enter}
        />
        {isWrong && (
          <p role="alert" className="mt-1 text-xs text-red-text">
            This is no value of {identifier}
            {type && ` (${type})`}, so the filter is left out
          </p>
        )}
      </div>
      <IconButton
        label={`Remove filter ${number}`}
        icon={<X size={16} strokeWidth={1.5} aria-hidden />}
        onClick={onRemove}
      />
    </div>
  )
}

/** Parses a literal of a query. */
function literalIn(text: string): Literal {
  const [, filter] = parse(`get a:b | filter c == ${text}`).operations
  if (filter?.kind !== 'filter' || filter.expression.kind !== 'comparison') {
    throw new Error(`${text} is no literal`)
  }
  return filter.expression.literal
}

const periods = ['5s', '10s', '30s', '1m', '5m', '10m', '30m', '1h', '6h', '1d']
const NONE = 'none'

type MergingProps = Pick<QueryBuilderProps, 'allPoints'> & {
  built: BuiltQuery
  schema: Schema | undefined
  onChange: (next: Partial<BuiltQuery>) => void
}

function Merging({ built, schema, allPoints, onChange }: MergingProps) {
  const { period, groupBy, limit } = built
  const id = useId()
  const aligned = period && `${period.amount}${period.unit}`
  const offered = aligned && !periods.includes(aligned) ? [aligned, ...periods] : periods
  const aligns = !schema || canBeAligned(schema) || period !== undefined
  const setPeriod = (text: string) => {
    const [, amount, unit] = /^(\d+)(\w+)$/.exec(text) ?? []
    onChange(
      amount
        ? { period: { amount: Number(amount), unit: unit as 'm' } }
        : { period: undefined, groupBy: undefined },
    )
  }
  const setReducer = (reducer: string) =>
    onChange(
      reducer === NONE
        ? { groupBy: undefined }
        : {
            groupBy: { fields: groupBy?.fields ?? [], reducer: reducer as 'mean' | 'sum' },
            // Merging requires alignment.
            period: period ?? { amount: 1, unit: 'm' },
          },
    )
  const limits = ['last 1', 'last 10', 'last 100', 'first 10']
  const limited = limit && `${limit.kind} ${limit.count}`
  const setLimit = (text: string) => {
    const [kind, count] = text.split(' ')
    onChange({ limit: count ? { kind: kind as 'last', count: Number(count) } : undefined })
  }
  return (
    <>
      <div className="flex flex-wrap gap-4">
        {aligns ? (
          <>
            <Choice
              label="Average over windows of"
              value={aligned ?? NONE}
              options={[
                { value: NONE, label: 'No windows' },
                ...offered.map((one) => ({ value: one, label: one })),
              ]}
              onChange={setPeriod}
            />
            <Choice
              label="Merge series"
              value={groupBy?.reducer ?? NONE}
              options={[
                { value: NONE, label: 'Keep each series' },
                { value: 'sum', label: 'Sum' },
                { value: 'mean', label: 'Mean' },
              ]}
              onChange={setReducer}
            />
          </>
        ) : (
          <p className="self-center text-secondary">
            This metric has no numbers that could be averaged and merged.
          </p>
        )}
        {(!allPoints || limit) && (
          <Choice
            label="Points of each series"
            value={limited ?? NONE}
            options={[
              { value: NONE, label: 'All points' },
              ...[...new Set([...limits, ...(limited ? [limited] : [])])].map((one) => ({
                value: one,
                label: one,
              })),
            ]}
            onChange={setLimit}
          />
        )}
      </div>
      {groupBy && (
        <fieldset className="min-w-0">
          <legend className="mb-1.5 font-medium">One series for each</legend>
          <div className="flex flex-wrap gap-x-5 gap-y-2">
            {[
              ...new Set([
                ...(schema?.fieldSchema.map(({ name }) => name) ?? []),
                ...groupBy.fields,
              ]),
            ].map((field) => (
              <label key={field} className="flex items-center gap-2" htmlFor={`${id}-${field}`}>
                <CheckboxInput
                  id={`${id}-${field}`}
                  checked={groupBy.fields.includes(field)}
                  onChange={({ target }) =>
                    onChange({
                      groupBy: {
                        ...groupBy,
                        fields: target.checked
                          ? [...groupBy.fields, field]
                          : groupBy.fields.filter((one) => one !== field),
                      },
                    })
                  }
                />
                <span className="font-mono text-xs">{field}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </>
  )
}

type ChoiceProps = {
  label: string
  value: string
  options: { value: string; label: string }[]
  onChange: (value: string) => void
}

function Choice({ label, ...rest }: ChoiceProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <span id={id} className="font-medium">
        {label}
      </span>
      <Listbox aria-labelledby={id} className="w-48" {...rest} />
    </div>
  )
}
