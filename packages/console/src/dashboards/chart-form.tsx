import {
  CHART_TITLE_MAX,
  chartDisplays,
  chartWidths,
  dashboardMessages,
  dashboardVariables,
} from '@steading/api/rules'
import { maskVariables, variablesOf } from '@steading/oxql/syntax'
import { useQuery } from '@tanstack/react-query'
import { useController, useForm } from 'react-hook-form'
import { syntaxProblem } from '../timeseries/problem.ts'
import { QueryEditor } from '../timeseries/query-editor.tsx'
import type { QueryScope } from '../timeseries/query-scope.ts'
import { schemasQuery } from '../timeseries/schemas.ts'
import { RadioField } from '../ui/form/choice-fields.tsx'
import { SideModalForm } from '../ui/form/side-modal-form.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Mono } from '../ui/text.tsx'
import type { Chart } from './queries.ts'

const displayWords: Record<Chart['display'], string> = {
  line: 'Lines',
  table: 'Table',
  number: 'Last value',
}
const widthWords: Record<Chart['width'], string> = { third: 'A third', half: 'Half', full: 'Full' }

type ChartFormProps = {
  scope: QueryScope
  chart: Chart
  isNew: boolean
  onSubmit: (chart: Chart) => void
  onDismiss: () => void
}

/** What is wrong with the query of a chart, whatever its variables stand for. */
function queryProblem(scope: QueryScope, query: string): string | undefined {
  if (query.trim() === '') return 'Query is required'
  const known: readonly string[] = dashboardVariables[scope === 'system' ? 'system' : 'project']
  const unknown = variablesOf(query).find((name) => !known.includes(name))
  if (unknown) return dashboardMessages.unknownVariable(unknown, known)
  return syntaxProblem(maskVariables(query, known))?.message
}

/** A chart of a dashboard that is being edited; it is saved with the dashboard. */
export function ChartForm({ scope, chart, isNew, onSubmit, onDismiss }: ChartFormProps) {
  const form = useForm<Chart>({ defaultValues: chart })
  const { control } = form
  const schemas = useQuery(schemasQuery(scope)).data ?? []
  const variables = dashboardVariables[scope === 'system' ? 'system' : 'project']
  const { field, fieldState } = useController({
    control,
    name: 'query',
    rules: { validate: (query) => queryProblem(scope, query) },
  })
  return (
    <SideModalForm
      form={form}
      formType={isNew ? 'create' : 'edit'}
      resource="chart"
      title={isNew ? 'Add chart' : 'Edit chart'}
      submitLabel={isNew ? 'Add chart' : 'Update chart'}
      onSubmit={(values) => onSubmit({ ...values, title: values.title.trim() })}
      onDismiss={onDismiss}
      loading={false}
      submitError={null}
      sends={false}
    >
      <TextField
        name="title"
        control={control}
        required
        validate={(title: string) => {
          if (title.trim() === '') return 'Title is required'
          return title.length > CHART_TITLE_MAX
            ? `Must be ${CHART_TITLE_MAX} characters or fewer`
            : undefined
        }}
      />
      <div className="flex flex-col gap-2">
        <QueryEditor
          value={field.value}
          onChange={field.onChange}
          schemas={schemas}
          scope={scope}
          variables={variables}
          error={fieldState.error?.message}
        />
        <p className="text-xs text-secondary">
          The range of time of the page is added.{' '}
          {variables.map((name, index) => (
            <span key={name}>
              {index > 0 && ' and '}
              <Mono>${name}</Mono>
            </span>
          ))}{' '}
          {variables.length > 1 ? 'stand' : 'stands'} for the ID of what is chosen on the page.
        </p>
      </div>
      <RadioField
        name="display"
        control={control}
        label="Shown as"
        items={chartDisplays.map((value) => ({ value, label: displayWords[value] }))}
      />
      <RadioField
        name="width"
        control={control}
        items={chartWidths.map((value) => ({ value, label: widthWords[value] }))}
      />
    </SideModalForm>
  )
}
