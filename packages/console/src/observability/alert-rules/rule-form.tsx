import type {
  AlertComparison,
  AlertRule,
  AlertRuleCreate,
  AlertSeverity,
} from '@steading/api/client'
import {
  alertComparisons,
  type AlertRulePreset,
  alertRulePresets,
  alertRuleProblem,
  alertSeverities,
  asSentence,
  fromStep,
  inStep,
  NO_DATA_DURATION_MIN,
  RULE_DURATION_MAX,
  shortStep,
  tagFilterProblem,
  type UnitStep,
  unitSteps,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { BellPlus } from 'lucide-react'
import { type ComponentProps, Suspense, useId, useState } from 'react'
import { type Control, useController, useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { useCapability } from '../../data/capabilities.ts'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { PageForm, type Saving } from '../../forms/page-form.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { type EditedFields, namedFields, useEditForm } from '../../forms/use-edit-form.tsx'
import type { QueryScope } from '../timeseries/explorer-link.ts'
import { syntaxProblem } from '../timeseries/problem.ts'
import { schemasQuery, unitsIn } from '../timeseries/schemas.ts'
import { DocsPopover, PageHeader } from '../../ui/page-header.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { Listbox, ListboxField } from '../../ui/form/listbox-field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { doneToast } from '../../ui/toasts.tsx'
import {
  ruleDocs,
  listPath,
  type RuleOwner,
  rulePath,
  ruleQuery,
  useRuleParams,
} from './queries.ts'
import { type Condition, type Refused, Trial } from './trial.tsx'

type Values = {
  name: string
  description: string
  query: string
  comparison: AlertComparison
  threshold: number
  duration: number
  /** Tags separated by commas. */
  tagFilter: string
  severity: AlertSeverity
}

const comparisonLabels: Record<AlertComparison, string> = {
  above: 'The value is above the threshold',
  below: 'The value is below the threshold',
  no_data: 'There are no values',
}

const EXAMPLE =
  'get virtual_machine:vcpu_usage | filter state == "run" | align mean_within(1m) | group_by [instance_id], mean'

const scopeOf = (owner: RuleOwner): QueryScope =>
  owner === undefined ? 'system' : { project: owner }

/** Default units of thresholds. */
const usual: readonly string[] = ['%', 'MiB', 'MiB/s', 'ms']
const usualIn = (steps: readonly UnitStep[]) =>
  steps.find(({ unit }) => usual.includes(unit)) ?? steps[0]!

/** Maximum threshold, in any unit. */
const MOST = 1e18

/** `env=prod, backup` → `env:prod,backup`. */
const tagFilterOf = (text: string): string | null =>
  text
    .split(',')
    .map((tag) => tag.trim().replace('=', ':'))
    .filter(Boolean)
    .join(',') || null

const conditionOf = ({ query, comparison, threshold, duration, tagFilter }: Values): Condition => ({
  query,
  comparison,
  threshold: comparison === 'no_data' || Number.isNaN(threshold) ? null : threshold,
  duration: Number.isNaN(duration) ? 0 : duration,
  tagFilter: tagFilterOf(tagFilter),
})

const bodyOf = (values: Values): AlertRuleCreate => ({
  name: values.name,
  description: values.description,
  severity: values.severity,
  ...conditionOf(values),
})

type TrialOfProps = {
  owner: RuleOwner
  control: Control<Values>
  onRefused: (refused: Refused | undefined) => void
}

/** The trial, once the condition is complete enough. */
function TrialOf({ owner, control, onRefused }: TrialOfProps) {
  const condition = conditionOf(useWatch({ control }) as Values)
  return (
    <Trial
      owner={owner}
      onRefused={onRefused}
      condition={
        alertRuleProblem(condition) || syntaxProblem(condition.query)
          ? { ...condition, query: '' }
          : condition
      }
    />
  )
}

/** The threshold in a chosen unit; the rule stores it in the measured one. */
function ThresholdField({ owner, control }: { owner: RuleOwner; control: Control<Values> }) {
  const query = useWatch({ control, name: 'query' })
  const { field } = useController({ control, name: 'threshold' })
  const { data: schemas = [] } = useQuery(schemasQuery(scopeOf(owner)))
  const units = unitsIn(query, schemas)
  const steps = unitSteps(units)
  const [chosen, setChosen] = useState<UnitStep>()
  const step =
    steps.find(({ unit }) => unit === chosen?.unit) ??
    (Number.isNaN(field.value) ? usualIn(steps) : shortStep(units, field.value))
  // While the number is typed, its unit does not switch.
  const keep = () => setChosen(step)
  return (
    <div className="flex flex-wrap items-start gap-2" onFocus={keep}>
      <NumberField
        name="threshold"
        label="Threshold"
        units={steps.length === 1 ? step.unit : undefined}
        control={control}
        min={-MOST}
        max={MOST}
        size={step.size}
        decimals
      />
      {steps.length > 1 && (
        <Listbox
          aria-label="Unit of the threshold"
          className="mt-6.5 w-28"
          options={steps.map(({ unit }) => ({ value: unit, label: unit }))}
          value={step.unit}
          onChange={(unit) => {
            const next = steps.find((one) => one.unit === unit)!
            setChosen(next)
            // Changing the unit keeps the number as typed.
            field.onChange(fromStep(inStep(field.value, step), next))
          }}
        />
      )}
    </div>
  )
}

const Told = lazyPart(async () => ({ default: (await import('./told.tsx')).Told }))

const BuiltQueryField = lazyPart(async () => ({
  default: (await import('../timeseries/built-query-field.tsx')).BuiltQueryField,
}))
type QueryControl = ComponentProps<typeof BuiltQueryField>['control']

type TagControl = ComponentProps<typeof CompletedTags>['control']
const CompletedTags = lazyPart(() => import('./completed-tags.tsx'))

/** The tags of the resources that the rule is about; completed once that part has loaded. */
function TagFilterField({ owner, control }: { owner: RuleOwner; control: Control<Values> }) {
  const supported = useCapability('tagFilters')
  if (!supported) return null
  const field = {
    name: 'tagFilter',
    label: 'Only resources with the tags',
    description:
      'One tag, or several separated by commas, all of which are required. A key alone stands for all its values. Sums cover only the resources with these tags.',
    required: false,
    placeholder: 'All resources',
    validate: (text: string) => {
      const filter = tagFilterOf(text)
      return filter === null ? undefined : asSentence(tagFilterProblem(filter))
    },
  } as const
  return (
    <Suspense fallback={<TextField {...field} control={control} />}>
      <CompletedTags {...field} owner={owner} control={control as unknown as TagControl} />
    </Suspense>
  )
}

type ConditionFieldsProps = {
  owner: RuleOwner
  control: Control<Values>
  /** Reason why the control plane refuses the query. */
  refused: Refused | undefined
}

function ConditionFields({ owner, control, refused }: ConditionFieldsProps) {
  const query = useWatch({ control, name: 'query' })
  const problemOf = (text: string) =>
    syntaxProblem(text)?.message ?? (refused?.query === text ? refused.message : undefined)
  const comparison = useWatch({ control, name: 'comparison' })
  const missing = comparison === 'no_data'
  return (
    <>
      {/* About as high as an empty one. */}
      <Suspense fallback={<div className="h-40" />}>
        <BuiltQueryField
          name="query"
          control={control as unknown as QueryControl}
          scope={scopeOf(owner)}
          validate={(text: string) => problemOf(text)}
          problem={refused?.query === query ? refused.message : undefined}
          description="An OxQL query that returns one number per point. Leave out time filters."
          placeholder={EXAMPLE}
        />
      </Suspense>
      <RadioField
        name="comparison"
        label="Fires when"
        column
        control={control}
        items={alertComparisons.map((value) => ({ value, label: comparisonLabels[value] }))}
      />
      {!missing && <ThresholdField owner={owner} control={control} />}
      <NumberField
        name="duration"
        label="Duration"
        description={
          missing
            ? `Minimum time without values, at least ${NO_DATA_DURATION_MIN} seconds`
            : 'How long the condition must hold'
        }
        control={control}
        units="seconds"
        max={RULE_DURATION_MAX}
        validate={(duration) => {
          const threshold = missing ? null : 0
          return alertRuleProblem({ comparison, threshold, duration: duration as number })?.message
        }}
      />
      <TagFilterField owner={owner} control={control} />
      <ListboxField
        name="severity"
        label="Severity"
        control={control}
        options={alertSeverities.map((value) => ({ value, label: value }))}
      />
    </>
  )
}

type PresetsProps = { owner: RuleOwner; form: UseFormReturn<Values> }

/** Sample conditions, offered until a query is written. */
function Presets({ owner, form }: PresetsProps) {
  const { control, setValue, getValues } = form
  const query = useWatch({ control, name: 'query' })
  const presets = owner === undefined ? alertRulePresets.system : alertRulePresets.project
  const [chosen, setChosen] = useState<AlertRulePreset>()
  const id = useId()
  if (query.trim() !== '' && !presets.some((preset) => preset.query === query)) return null
  const take = (preset: AlertRulePreset) => {
    const { title, description, ...condition } = preset
    const own = (name: 'name' | 'description', text: string, before: string | undefined) => {
      const value = getValues(name)
      // Typed text stays.
      if (value === '' || value === before) setValue(name, text, { shouldDirty: true })
    }
    own('name', nameOfPreset(title), chosen && nameOfPreset(chosen.title))
    own('description', description, chosen?.description)
    for (const [name, value] of Object.entries({
      ...condition,
      threshold: condition.threshold ?? Number.NaN,
    })) {
      setValue(name as keyof Values, value, { shouldDirty: true })
    }
    form.clearErrors()
    setChosen(preset)
  }
  return (
    <div className="flex flex-col gap-1">
      <span id={id} className="font-medium">
        Preset <span className="text-sm font-normal text-tertiary">(Optional)</span>
      </span>
      <Listbox
        aria-labelledby={id}
        placeholder="Choose a condition to begin with"
        options={presets.map(({ title }) => ({ value: title, label: title }))}
        value={chosen?.query === query ? chosen.title : null}
        onChange={(title) => take(presets.find((preset) => preset.title === title)!)}
      />
    </div>
  )
}

/** `CPU above 90%` → `cpu-above-90`. */
const nameOfPreset = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')

const valuesOf = (rule: AlertRule): Values => ({
  name: rule.name,
  description: rule.description,
  query: rule.query,
  comparison: rule.comparison,
  threshold: rule.threshold ?? Number.NaN,
  duration: rule.duration,
  tagFilter: rule.tagFilter ?? '',
  severity: rule.severity,
})

const editedFields: EditedFields<Values> = {
  ...namedFields,
  query: 'Query',
  comparison: 'Comparison',
  threshold: 'Threshold',
  duration: 'Duration in seconds',
  tagFilter: 'Tags',
  severity: 'Severity',
}

function useSaved(owner: RuleOwner) {
  const navigate = useNavigate()
  // The guard must be off before the page is left, so navigation waits for a render.
  const [done, setDone] = useState(false)
  return {
    done,
    saved: (what: string) => ({
      onSuccess: ({ name }: AlertRule) => {
        setDone(true)
        doneToast('Alert rule', name, what)
        void navigate({ to: rulePath(owner, name) as '/', ignoreBlocker: true })
      },
    }),
  }
}

type FormProps = {
  owner: RuleOwner
  title: string
  submit: string
  back: string
  /** Offers sample conditions. */
  presets?: boolean
  form: UseFormReturn<Values>
  saving: Saving<Values>
  done: boolean
}

function RuleForm({ owner, title, presets, ...props }: FormProps) {
  const { form } = props
  const { control } = form
  const [refused, setRefused] = useState<Refused>()
  return (
    <>
      <PageHeader title={title} icon={<BellPlus strokeWidth={1.5} aria-hidden />}>
        <DocsPopover {...ruleDocs} />
      </PageHeader>
      <PageForm
        {...props}
        preview={<TrialOf owner={owner} control={control} onRefused={setRefused} />}
      >
        {presets && <Presets owner={owner} form={form} />}
        <NameField control={control} />
        <DescriptionField control={control} />
        <ConditionFields owner={owner} control={control} refused={refused} />
        <Suspense>
          <Told owner={owner} />
        </Suspense>
      </PageForm>
    </>
  )
}

export function RuleCreatePage() {
  const { owner } = useRuleParams()
  const { query = '' } = useSearch({ strict: false }) as { query?: string }
  const { done, saved } = useSaved(owner)
  const own = useApiForm(
    'alertRuleCreate',
    (values: Values) => ({ query: { project: owner! }, body: bodyOf(values) }),
    saved('created'),
  )
  const system = useApiForm(
    'systemAlertRuleCreate',
    (values: Values) => ({ body: bodyOf(values) }),
    saved('created'),
  )
  const form = useForm<Values>({
    defaultValues: {
      name: '',
      description: '',
      query,
      comparison: 'above',
      threshold: Number.NaN,
      duration: 300,
      tagFilter: '',
      severity: 'warning',
    },
  })
  return (
    <RuleForm
      owner={owner}
      title="New alert rule"
      submit="Create alert rule"
      back={listPath(owner)}
      form={form}
      presets
      saving={owner === undefined ? system : own}
      done={done}
    />
  )
}

export function RuleEditPage() {
  const { owner, name } = useRuleParams()
  const { done, saved } = useSaved(owner)
  const path = { alertRule: name }
  const { form, opened, ...saving } = useEditForm(
    owner === undefined ? 'systemAlertRuleUpdate' : 'alertRuleUpdate',
    {
      resource: 'alert rule',
      read: ruleQuery(owner, name),
      valuesOf,
      fields: editedFields,
      argsOf: (values) => ({
        path,
        ...(owner && { query: { project: owner } }),
        body: bodyOf(values),
      }),
      ...saved('updated'),
    },
  )
  return (
    <RuleForm
      owner={owner}
      title={`Edit ${opened.name}`}
      submit="Update alert rule"
      back={rulePath(owner, name)}
      form={form}
      saving={saving}
      done={done}
    />
  )
}
