import { asSentence, GiB } from '@steading/api/rules'
import {
  type TemplateValue,
  type TemplateVariable,
  templateValueProblem,
} from '@steading/api/templates'
import { useQuery } from '@tanstack/react-query'
import { type Control, useWatch } from 'react-hook-form'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { choicesOf } from '../../data/reads.ts'
import { projectVpcsQuery } from '../../networking/vpcs/queries.ts'
import { vpcSubnetsQuery } from '../../networking/subnets/queries.ts'
import { SiloImagesRefused } from '../../storage/image-policy/silo-images-refused.tsx'
import { projectImagesQuery, siloImagesQuery } from '../../storage/images/queries.ts'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { type Stored, vpcBeside } from './places.ts'
import { valueLabels } from './labels.ts'

export type UseValues = {
  name: string
  count: number
  firstNumber: number
  /** Values by the name of the variable: texts, numbers, booleans; choices by their position. */
  values: Record<string, string | number | boolean>
}

type Props = {
  variable: TemplateVariable
  project: string
  instance: Stored
  control: Control<UseValues>
}

/** The common properties of the field of a variable. */
const common = ({ variable, control }: Props) => ({
  name: `values.${variable.name}` as const,
  label: variable.label,
  description: variable.description || undefined,
  required: variable.required,
  control,
})

/** Refuses a value that the control plane would. */
const rule = ({ variable }: Props) => ({
  validate(value: unknown) {
    const none = value === '' || Number.isNaN(value)
    if (none) return variable.required ? `${variable.label} is required` : undefined
    return asSentence(templateValueProblem(variable, value))
  },
})

function ChoiceField(props: Props) {
  const { choices, type } = props.variable
  return (
    <ListboxField
      {...common(props)}
      placeholder={props.variable.required ? undefined : 'None'}
      options={choices.map((choice, index) => ({
        value: String(index),
        label: valueLabels(type, choice),
      }))}
      validate={(value: unknown) =>
        props.variable.required && value === '' ? `${props.variable.label} is required` : undefined
      }
    />
  )
}

type Named = { id: string; name: string }
/** The default may be a name; others are chosen by their ID. */
const byId =
  (preset: unknown) =>
  ({ id, name }: Named) => ({ value: name === preset ? name : id, label: name })
const byName = ({ name }: Named) => ({ value: name, label: name })

function ImageField(props: Props) {
  const own = useQuery(projectImagesQuery(props.project))
  const silo = useQuery(siloImagesQuery(props.project))
  const option = byId(props.variable.default)
  const { description } = common(props)
  const ofProject = choicesOf(own, option)
  const ofSilo = choicesOf(silo, option)
  const options = [...ofProject.options, ...ofSilo.options]
  return (
    <ComboboxField
      {...common(props)}
      {...ofProject}
      loading={ofProject.loading || ofSilo.loading}
      failure={ofProject.failure ?? ofSilo.failure}
      options={options.filter(
        ({ value }, index) => options.findIndex((one) => one.value === value) === index,
      )}
      empty="No images"
      description={
        ofSilo.refused ? (
          <>
            {description} <SiloImagesRefused />
          </>
        ) : (
          description
        )
      }
    />
  )
}

const ownKeysQuery = apiQuery('currentUserSshKeyList', { query: { limit: ALL_ITEMS } })

function KeyField(props: Props) {
  const keys = useQuery(ownKeysQuery)
  return (
    <ComboboxField {...common(props)} {...choicesOf(keys, byName)} empty="You have no SSH keys" />
  )
}

function VpcField(props: Props) {
  const vpcs = useQuery(projectVpcsQuery(props.project))
  return <ComboboxField {...common(props)} {...choicesOf(vpcs, byName)} empty="No VPCs" />
}

function SubnetField(props: Props) {
  const { project, instance, variable, control } = props
  const beside = vpcBeside(instance, variable.name)
  const values = useWatch({ control, name: 'values' })
  const chosen = beside && 'variable' in beside ? values[beside.variable] : beside?.name
  const vpc = typeof chosen === 'string' ? chosen : ''
  const subnets = useQuery({ ...vpcSubnetsQuery({ project, vpc }), enabled: vpc !== '' })
  return vpc === '' ? (
    <TextField {...common(props)} {...rule(props)} />
  ) : (
    <ComboboxField {...common(props)} {...choicesOf(subnets, byName)} empty="No subnets" />
  )
}

/** The field that asks for a variable. */
export function VariableField(props: Props) {
  const { variable } = props
  const { type, choices, min, max, required } = variable
  if (choices.length > 0) return <ChoiceField {...props} />
  switch (type) {
    case 'boolean':
      return (
        <CheckboxField
          name={`values.${variable.name}`}
          control={props.control}
          description={variable.description || undefined}
        >
          {variable.label}
        </CheckboxField>
      )
    case 'number':
      return (
        <NumberField
          {...common(props)}
          {...rule(props)}
          required={required}
          min={min ?? Number.MIN_SAFE_INTEGER}
          max={max ?? undefined}
        />
      )
    case 'size':
      return (
        <NumberField
          {...common(props)}
          {...rule(props)}
          required={required}
          units="GiB"
          size={GiB}
          decimals
          min={(min ?? 0) / GiB}
          max={max === null ? undefined : max / GiB}
        />
      )
    case 'image':
      return <ImageField {...props} />
    case 'ssh_key':
      return <KeyField {...props} />
    case 'vpc':
      return <VpcField {...props} />
    case 'subnet':
      return <SubnetField {...props} />
    case 'text':
    case 'choice':
      return <TextField {...common(props)} {...rule(props)} />
  }
}

/** The initial value of the field of a variable. */
export function initialValue({ type, choices, default: preset }: TemplateVariable) {
  if (choices.length > 0) {
    const index = choices.indexOf(preset!)
    return index === -1 ? '' : String(index)
  }
  if (type === 'boolean') return preset === true
  if (type === 'number' || type === 'size') return (preset as number | null) ?? Number.NaN
  return (preset as string | null) ?? ''
}

/** The values to send: without those that are left empty. */
export function sentValues(
  variables: readonly TemplateVariable[],
  values: UseValues['values'],
): Record<string, TemplateValue> {
  return Object.fromEntries(
    variables.flatMap(({ name, choices }): [string, TemplateValue][] => {
      const value = values[name]
      if (value === undefined || value === '' || Number.isNaN(value)) return []
      return [[name, choices.length > 0 ? choices[Number(value)]! : value]]
    }),
  )
}
