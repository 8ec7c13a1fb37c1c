import type { VpcFirewallRuleTarget } from '@steading/api/client'
import {
  cidrFieldProblem,
  FIREWALL_PARTS_MAX,
  type FirewallHostType,
  firewallHostTypes,
  ipFieldProblem,
  nameFieldProblem,
} from '@steading/api/rules'
import { type EntryList, useListEntry } from '../../forms/list-entry.ts'
import { Banner } from '../../ui/banner.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { MiniTable } from '../../ui/form/mini-table.tsx'
import type { Choices } from '../../ui/form/options.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Mono } from '../../ui/text.tsx'
import { SubForm } from '../../forms/sub-form.tsx'
import { hostTypeNames, TOO_MANY_PARTS } from './labels.ts'

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

/** Removes leading zeros of a prefix length, which the API rejects. */
const normal = (type: FirewallHostType, value: string) =>
  type === 'ip_net' ? value.replace(/\/0+(?=\d)/, '/') : value

type HostEntry = { type: FirewallHostType; value: string }

const hostOf = ({ type, value }: HostEntry) => ({ type, value: normal(type, value) }) as Host

/** The lists of targets and host filters; duplicates are not added. */
export const hostList: EntryList<Host, HostEntry> = {
  blank: { type: 'vpc', value: '' },
  isBlank: ({ value }) => value === '',
  clearable: ({ value }) => value !== '',
  problems: { value: (value, { type }) => problems[type](value) },
  add: (hosts, entry) => {
    const host = hostOf(entry)
    const isThere = hosts.some((each) => each.type === host.type && each.value === host.value)
    return isThere ? [...hosts] : [...hosts, host]
  },
  cleared: ({ type }) => ({ type, value: '' }),
  max: FIREWALL_PARTS_MAX,
  full: TOO_MANY_PARTS,
}

const sections = {
  targets: {
    entry: 'targetEntry',
    label: 'Targets',
    type: 'Target type',
    add: 'Add target',
    help: 'Targets select the instances that a rule applies to. They are additive: the rule applies to an instance that matches any of them.',
  },
  hosts: {
    entry: 'hostEntry',
    label: 'Host filters',
    type: 'Host type',
    add: 'Add host filter',
    help: 'Host filters match the other end of the traffic: the source of inbound traffic, or the destination of outbound traffic. Traffic must match one of them.',
  },
} as const

type Props = {
  section: keyof typeof sections
  /** Suggestions of each kind; other names can be typed. */
  choices: Record<'vpc' | 'subnet' | 'instance', Choices>
}

/** Field for targets or host filters of a rule. */
export function HostsField({ section, choices }: Props) {
  const words = sections[section]
  const { items, entry, round, control, startWith, remove, field, subForm } = useListEntry(
    hostList,
    section,
    words.entry,
  )
  const { type } = entry
  const common = { ...field('value'), label: valueLabels[type] }
  const isAdded = (name: string) => items.some((host) => host.type === type && host.value === name)

  return (
    <div className="flex flex-col gap-4">
      <h3 className="text-base font-semibold">{words.label}</h3>
      <Banner>{words.help}</Banner>
      <SubForm addLabel={words.add} {...subForm}>
        <ListboxField
          name={`${words.entry}.type`}
          label={words.type}
          control={control}
          options={firewallHostTypes.map((each) => ({ value: each, label: hostTypeNames[each] }))}
          onChange={(next) => startWith({ type: next as FirewallHostType, value: '' })}
        />
        {type === 'ip' || type === 'ip_net' ? (
          <TextField key={type} {...common} required placeholder={placeholders[type]} />
        ) : (
          <ComboboxField
            // A new key for each type and entry, so that typed text does not carry over.
            key={`${type} ${round}`}
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
        items={items}
        rowKey={(host) => `${host.type} ${host.value}`}
        onRemove={remove}
      />
    </div>
  )
}
