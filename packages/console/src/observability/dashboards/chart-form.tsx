import {
  CHART_TITLE_MAX,
  chartDisplays,
  chartWidths,
  dashboardMessages,
  dashboardVariables,
} from '@steading/api/rules'
import { maskVariables, variablesOf } from '@steading/oxql/syntax'
import { useForm } from 'react-hook-form'
import { syntaxProblem } from '../timeseries/problem.ts'
import { QueryField } from '../timeseries/query-field.tsx'
import type { QueryScope } from '../timeseries/explorer-link.ts'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Mono } from '../../ui/text.tsx'
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

/** Syntax error in a chart's query, independent of its variables' values. */
function queryProblem(query: string, known: readonly string[]): string | undefined {
  const unknown = variablesOf(query).find((name) => !known.includes(name))
  if (unknown) return dashboardMessages.unknownVariable(unknown, known)
  return syntaxProblem(maskVariables(query, known))?.message
}

/** Form of a dashboard's chart; it is saved with the dashboard. */
export function ChartForm({ scope, chart, isNew, onSubmit, onDismiss }: ChartFormProps) {
  const form = useForm<Chart>({ defaultValues: chart })
  const { control } = form
  const variables = dashboardVariables[scope === 'system' ? 'system' : 'project']
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
      // The dashboard itself reports others' changes when it is saved.
      meanwhile={undefined}
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
      <QueryField
        name="query"
        control={control}
        scope={scope}
        variables={variables}
        validate={(query: string) => queryProblem(query, variables)}
        description={
          <>
            In OxQL. The range of time of the page is added.{' '}
            {variables.map((name, index) => (
              <span key={name}>
                {index > 0 && ' and '}
                <Mono>${name}</Mono>
              </span>
            ))}{' '}
            {variables.length > 1 ? 'stand' : 'stands'} for the ID chosen on the page.
          </>
        }
      />
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
