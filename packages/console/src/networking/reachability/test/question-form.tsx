import type { Instance } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { ArrowUpDown } from 'lucide-react'
import { useEffect } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { choicesOf } from '../../../data/reads.ts'
import { projectInstancesQuery } from '../../../compute/instances/queries.ts'
import { projectVpcsQuery } from '../../vpcs/queries.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { RadioField } from '../../../ui/form/choice-fields.tsx'
import { ComboboxField } from '../../../ui/form/combobox-field.tsx'
import { ListboxField } from '../../../ui/form/listbox-field.tsx'
import { useLiveErrors } from '../../../ui/form/form-state.tsx'
import type { Option } from '../../../ui/form/options.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { INTERNET_END, instanceEnd, readInstance } from '../ends.ts'
import { endProblem, icmpProblem, portProblem } from '../question.ts'
import { type QuestionSearch, readQuestionSearch } from '../search.ts'

const AUTOMATIC = 'automatic'
const ANY_VPC = 'any'

const textOf = (value: number | undefined): string => (value === undefined ? '' : String(value))
/** Parses a number; any other text becomes -1, which is out of every range. */
const numberOf = (text: string): number | undefined =>
  text === '' ? undefined : /^\d{1,5}$/.test(text) ? Number(text) : -1

const valuesOf = (search: QuestionSearch) => ({
  from: search.from ?? '',
  to: search.to ?? '',
  protocol: search.protocol ?? ('tcp' as const),
  port: textOf(search.port),
  type: textOf(search.type),
  code: textOf(search.code),
  version: search.version ?? AUTOMATIC,
  vpc: search.vpc ?? ANY_VPC,
})
type Values = ReturnType<typeof valuesOf>

const searchOf = (values: Values): QuestionSearch => {
  const { from, to, protocol, port, type, code, version, vpc } = values
  const numbers = protocol === 'icmp' ? { type, code } : { port }
  return readQuestionSearch({
    from,
    to,
    protocol,
    ...Object.fromEntries(Object.entries(numbers).map(([name, text]) => [name, numberOf(text)])),
    version,
    ...(needsVpc(from, to) && vpc !== ANY_VPC ? { vpc } : {}),
  })
}

/** Whether the VPC of private addresses must be chosen. */
const needsVpc = (from: string, to: string): boolean =>
  Boolean(from && to) && !readInstance(from) && !readInstance(to)

const protocolItems = [
  { value: 'tcp', label: 'TCP' },
  { value: 'udp', label: 'UDP' },
  { value: 'icmp', label: 'ICMP' },
]
const versionItems = [
  { value: AUTOMATIC, label: 'Automatic' },
  { value: 'v4', label: 'IPv4' },
  { value: 'v6', label: 'IPv6' },
]

const internet: Option = { value: INTERNET_END, label: 'The internet' }
const instanceOption = ({ name }: Instance): Option => ({ value: instanceEnd(name), label: name })

/** Extra option for an end in the URL that is an interface of an instance. */
function optionOf(end: string): Option[] {
  const named = readInstance(end)
  return named?.nic ? [{ value: end, label: `${named.instance} (${named.nic})` }] : []
}

/** The end for typed text, which may be the label of an option. */
function endOf(typed: string, options: readonly Option[]): string {
  const text = typed.trim()
  const named = options.find(
    ({ value, label }) => value === text || label.toLowerCase() === text.toLowerCase(),
  )
  return named?.value ?? text
}

type Props = {
  project: string
  search: QuestionSearch
  onAsk: (search: QuestionSearch) => void
  children?: React.ReactNode
}

export function QuestionForm({ project, search, onAsk, children }: Props) {
  const form = useForm({ defaultValues: valuesOf(search) })
  useLiveErrors(form)
  const { control, reset, getValues, setValue } = form
  // Browser navigation may change the question in the URL.
  const asked = JSON.stringify(search)
  useEffect(() => reset(valuesOf(JSON.parse(asked) as QuestionSearch)), [reset, asked])
  const [protocol, from, to] = useWatch({ control, name: ['protocol', 'from', 'to'] })
  const instanceList = useQuery(projectInstancesQuery(project))
  const { options: instances, ...reading } = choicesOf(instanceList, instanceOption)
  const vpcs = useQuery({ ...projectVpcsQuery(project), enabled: needsVpc(from, to) })
  const { options: vpcOptions, ...vpcReading } = choicesOf(vpcs, ({ name }) => ({
    value: name,
    label: name,
  }))
  const options = [
    internet,
    ...instances,
    ...[search.from, search.to].flatMap((end) => optionOf(end ?? '')),
  ]
  const ask = (values: Values) =>
    onAsk(searchOf({ ...values, from: endOf(values.from, options), to: endOf(values.to, options) }))
  const end = (name: 'from' | 'to', label: string) => (
    <ComboboxField
      name={name}
      label={label}
      control={control}
      allowCustom
      placeholder="Instance, IP address or the internet"
      options={options}
      {...reading}
      validate={(value: string) => endProblem(endOf(value, options), label)}
    />
  )
  const swap = () => {
    const { from: a, to: b } = getValues()
    setValue('from', b)
    setValue('to', a)
  }
  return (
    <form
      aria-label="Reachability"
      autoComplete="off"
      noValidate
      onSubmit={(event) => void form.handleSubmit(ask)(event)}
      className="flex flex-col gap-4"
    >
      {end('from', 'From')}
      <div className="-my-2 flex justify-center">
        <IconButton
          label="Swap the ends"
          size="sm"
          icon={<ArrowUpDown size={16} strokeWidth={1.5} aria-hidden />}
          onClick={swap}
        />
      </div>
      {end('to', 'To')}
      <RadioField name="protocol" label="Protocol" control={control} items={protocolItems} />
      {protocol === 'icmp' ? (
        <div className="grid grid-cols-2 gap-4">
          <TextField
            name="type"
            label="ICMP type"
            placeholder="8, echo request"
            control={control}
            validate={(type) => icmpProblem(numberOf(type))}
          />
          <TextField
            name="code"
            label="ICMP code"
            placeholder="0"
            control={control}
            validate={(code, { type: of }) =>
              icmpProblem(numberOf(code)) ?? (code && !of ? 'Enter the type as well' : undefined)
            }
          />
        </div>
      ) : (
        <TextField
          name="port"
          label="Port"
          required
          placeholder="443"
          control={control}
          validate={(port) => portProblem(numberOf(port))}
        />
      )}
      <RadioField name="version" label="IP version" control={control} items={versionItems} />
      {needsVpc(from, to) && (
        <ListboxField
          name="vpc"
          label="VPC of private addresses"
          control={control}
          required={false}
          options={[{ value: ANY_VPC, label: 'None' }, ...vpcOptions]}
          {...vpcReading}
        />
      )}
      <div className="flex items-center gap-2">
        <Button type="submit" variant="primary" calls="reachabilityTest">
          Test reachability
        </Button>
        {children}
      </div>
    </form>
  )
}
