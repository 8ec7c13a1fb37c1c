import type { VpcFirewallRuleTarget } from '@steading/api/client'
import {
  cidrFieldProblem,
  FIREWALL_PARTS_MAX,
  type FirewallHostType,
  firewallHostTypes,
  ipFieldProblem,
  nameFieldProblem,
} from '@steading/api/rules'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Banner } from '../ui/banner.tsx'
import { ComboboxField } from '../ui/form/combobox-field.tsx'
import { ListboxField } from '../ui/form/listbox-field.tsx'
import { MiniTable } from '../ui/form/mini-table.tsx'
import type { Choices } from '../ui/form/options.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Tag } from '../ui/tag.tsx'
import { Mono } from '../ui/text.tsx'
import { SubForm } from '../forms/sub-form.tsx'
import { hostTypeNames } from './words.ts'

type Host = VpcFirewallRuleTarget

const valueLabels: Record<FirewallHostType, string> = {
  vpc: 'VPC name',
  subnet: 'Subnet name',
  instance: 'Instance name',
  ip: 'IP address',
  ip_net: 'IP network',
}

const nameProblem = (type: FirewallHostType) => (name: string) =>
  name === '' ? undefined : nameFieldProblem(name, valueLabels[type])

const problems: Record<FirewallHostType, (text: string) => string | undefined> = {
  vpc: nameProblem('vpc'),
  subnet: nameProblem('subnet'),
  instance: nameProblem('instance'),
  ip: ipFieldProblem,
  ip_net: cidrFieldProblem,
}

const placeholders = { ip: 'Enter an IP address', ip_net: 'Enter an IP network' }

/** The width of a network may be typed with zeros in front, which the API does not take. */
const normal = (type: FirewallHostType, value: string) =>
  type === 'ip_net' ? value.replace(/\/0+(?=\d)/, '/') : value

const initial = { type: 'vpc' as FirewallHostType, value: '' }

const sections = {
  targets: {
    label: 'Targets',
    type: 'Target type',
    add: 'Add target',
    help: 'Targets say to which instances a rule applies. They are additive: the rule applies to an instance that matches any of them.',
  },
  hosts: {
    label: 'Host filters',
    type: 'Host type',
    add: 'Add host filter',
    help: 'Host filters say who is at the other end of the traffic: its source if it is inbound, its destination if it is outbound. Traffic has to match one of them.',
  },
} as const

type Props = {
  section: keyof typeof sections
  value: Host[]
  onChange: (hosts: Host[]) => void
  /** The things of each kind that can be chosen; others can be typed. */
  choices: Record<'vpc' | 'subnet' | 'instance', Choices>
}

/** Which instances a rule applies to, or who is at the other end of the traffic. */
export function HostsField({ section, value: hosts, onChange, choices }: Props) {
  const words = sections[section]
  const form = useForm({ defaultValues: initial })
  const { control, handleSubmit, reset } = form
  const [type, text] = useWatch({ control, name: ['type', 'value'] })
  const [renewals, setRenewals] = useState(0)
  const renew = () => setRenewals((count) => count + 1)
  const startWith = (kind: FirewallHostType) => reset({ type: kind, value: '' })

  const add = handleSubmit((wanted) => {
    const host = { type: wanted.type, value: normal(wanted.type, wanted.value) } as Host
    const isThere = hosts.some((each) => each.type === host.type && each.value === host.value)
    if (!isThere) onChange([...hosts, host])
    startWith('vpc')
    renew()
  })
  const common = {
    name: 'value',
    control,
    label: valueLabels[type],
    validate: problems[type],
  } as const
  const isAdded = (name: string) => hosts.some((host) => host.type === type && host.value === name)

  return (
    <div className="flex flex-col gap-4">
      <h3 className="text-base font-semibold">{words.label}</h3>
      <Banner>{words.help}</Banner>
      <SubForm
        addLabel={words.add}
        addable={text !== ''}
        clearable={text !== ''}
        onAdd={() => void add()}
        onClear={() => {
          startWith(type)
          renew()
        }}
        full={
          hosts.length >= FIREWALL_PARTS_MAX
            ? `A rule has at most ${FIREWALL_PARTS_MAX} of these.`
            : undefined
        }
      >
        <ListboxField
          name="type"
          label={words.type}
          control={control}
          options={firewallHostTypes.map((each) => ({ value: each, label: hostTypeNames[each] }))}
          onChange={(next) => startWith(next as FirewallHostType)}
        />
        {type === 'ip' || type === 'ip_net' ? (
          <TextField key={type} {...common} required placeholder={placeholders[type]} />
        ) : (
          <ComboboxField
            // What was typed into it is its own.
            key={`${type} ${renewals}`}
            {...common}
            allowCustom
            {...choices[type]}
            options={choices[type].options.filter(({ value }) => !isAdded(value))}
          />
        )}
      </SubForm>
      <MiniTable
        label={words.label}
        columns={[
          { id: 'type', header: 'Type', cell: (host: Host) => <Tag>{host.type}</Tag> },
          { id: 'value', header: 'Value', cell: (host: Host) => <Mono>{host.value}</Mono> },
        ]}
        items={hosts}
        rowKey={(host) => `${host.type} ${host.value}`}
        onRemove={(host) => onChange(hosts.filter((each) => each !== host))}
      />
    </div>
  )
}
