import {
  asSentence,
  GiB,
  isVariableName,
  TEMPLATE_CHOICES_MAX,
  templateMessages,
  templateVariableTypes,
  type TemplateVariableType,
} from '@steading/api/rules'
import {
  newVariable,
  type TemplateValue,
  type TemplateVariable,
  templateValueProblem,
  templateVariableProblem,
} from '@steading/api/templates'
import { useForm, useWatch } from 'react-hook-form'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { typeLabels } from './labels.ts'

type Values = {
  name: string
  label: string
  description: string
  type: TemplateVariableType
  required: boolean
  default: string
  choices: string
  min: string
  max: string
}

const hasBounds = (type: TemplateVariableType) =>
  type === 'text' || type === 'number' || type === 'size'
const hasChoices = (type: TemplateVariableType) =>
  type === 'choice' || type === 'number' || type === 'size'

/** A value as it is typed: sizes in GiB. */
function typed(type: TemplateVariableType, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (type === 'size') return String(Number(value) / GiB)
  return String(value)
}

/** The value of a text; undefined if it is none of this type. */
function read(type: TemplateVariableType, text: string): TemplateValue | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (type === 'number') return /^-?\d+$/.test(trimmed) ? Number(trimmed) : undefined
  if (type === 'size') {
    return /^\d+(\.\d+)?$/.test(trimmed) ? Math.round(Number(trimmed) * GiB) : undefined
  }
  if (type === 'boolean')
    return ({ true: true, false: false } as Record<string, boolean | undefined>)[
      trimmed.toLowerCase()
    ]
  return type === 'text' ? text : trimmed
}

/** The typed choices; undefined stands for one of another type. */
const listOf = (type: TemplateVariableType, text: string): (TemplateValue | undefined)[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => read(type, line.trim()) ?? undefined)

const bound = (type: TemplateVariableType, text: string): number | null => {
  const value = read(type === 'text' ? 'number' : type, text)
  return typeof value === 'number' ? value : null
}

const valuesOf = (variable: TemplateVariable): Values => {
  const { name, label, description, type, required, choices, min, max } = variable
  const boundType = type === 'text' ? 'number' : type
  return {
    name,
    label,
    description,
    type,
    required,
    default: typed(type, variable.default),
    choices: choices.map((choice) => typed(type, choice)).join('\n'),
    min: typed(boundType, min),
    max: typed(boundType, max),
  }
}

const variableOf = (values: Values): TemplateVariable => {
  const { name, label, description, type, required } = values
  return newVariable({
    name,
    label: label.trim(),
    description,
    type,
    required,
    default: read(type, values.default) ?? null,
    choices: hasChoices(type)
      ? listOf(type, values.choices).filter((choice) => choice !== undefined)
      : [],
    min: hasBounds(type) ? bound(type, values.min) : null,
    max: hasBounds(type) ? bound(type, values.max) : null,
  })
}

type Props = {
  /** Undefined adds a variable. */
  variable?: TemplateVariable
  /** Names of the other variables. */
  taken: readonly string[]
  /** Whether the instance can be read, so that a new name of the variable gets into it. */
  canRename: boolean
  onSave: (variable: TemplateVariable) => void
  onDismiss: () => void
}

/** The form of one variable of a template. */
export default function VariableModal(props: Props) {
  const { variable, taken, canRename, onSave, onDismiss } = props
  const form = useForm<Values>({
    defaultValues: valuesOf(variable ?? newVariable({ name: '', label: '', type: 'text' })),
  })
  const { control } = form
  const type = useWatch({ control, name: 'type' })
  const inGiB = type === 'size' ? ' (GiB)' : ''
  const isBound = (text: unknown, values: Values) =>
    read(values.type === 'text' ? 'number' : values.type, text as string) === undefined
      ? 'Must be a number'
      : undefined
  return (
    <ModalForm
      form={form}
      title={variable ? `Variable ${variable.name}` : 'Add variable'}
      submitLabel={variable ? 'Update variable' : 'Add variable'}
      sends={false}
      loading={false}
      submitError={null}
      onDismiss={onDismiss}
      onSubmit={(values) => {
        onSave(variableOf(values))
        onDismiss()
      }}
    >
      <TextField
        name="name"
        required
        mono
        disabled={variable && !canRename}
        description={
          variable && !canRename
            ? 'Can be changed once the instance is valid JSON'
            : 'As in ${name}: lower-case letters, digits and underscores'
        }
        control={control}
        validate={(name: string) => {
          if (!isVariableName(name)) return asSentence(templateMessages.variableName)
          return taken.includes(name) ? asSentence(templateMessages.twice(name)) : undefined
        }}
      />
      {!variable && (
        <ListboxField
          name="type"
          control={control}
          options={templateVariableTypes.map((value) => ({ value, label: typeLabels[value] }))}
        />
      )}
      <TextField
        name="label"
        required
        control={control}
        validate={(_, values) => {
          // The choices and the default have problems of their own fields.
          const alone = { ...variableOf(values), default: null, choices: [] as TemplateValue[] }
          const choices = values.type === 'choice' ? ['x'] : []
          return values.label.trim() === ''
            ? 'Label is required'
            : asSentence(templateVariableProblem({ ...alone, choices }))
        }}
      />
      <TextField name="description" control={control} />
      {hasChoices(type) && (
        <TextField
          name="choices"
          label={`Choices${inGiB}`}
          description={
            type === 'choice' ? 'One in each line' : 'One in each line; without any, all values'
          }
          rows={4}
          required={type === 'choice'}
          control={control}
          validate={(text: string, values) => {
            const choices = listOf(values.type, text)
            if (choices.length > TEMPLATE_CHOICES_MAX)
              return asSentence(templateMessages.tooManyChoices)
            if (choices.includes(undefined)) return asSentence(templateMessages.choiceType)
            return values.type === 'choice' && choices.length === 0
              ? 'Choices are required'
              : undefined
          }}
        />
      )}
      {hasBounds(type) && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            name="min"
            label={type === 'text' ? 'Minimum length' : `Minimum${inGiB}`}
            control={control}
            validate={isBound}
          />
          <TextField
            name="max"
            label={type === 'text' ? 'Maximum length' : `Maximum${inGiB}`}
            control={control}
            validate={isBound}
          />
        </div>
      )}
      <TextField
        name="default"
        label={`Default${inGiB}`}
        description={type === 'boolean' ? 'true or false' : undefined}
        control={control}
        validate={(text: string, values) => {
          const value = read(values.type, text)
          if (value === null) return undefined
          return asSentence(templateValueProblem(variableOf(values), value))
        }}
      />
      <CheckboxField
        name="required"
        control={control}
        description="Without a value, the field is left out of the request"
      >
        Required
      </CheckboxField>
    </ModalForm>
  )
}
