import type { VpcFirewallRuleProtocol } from '@steading/api/client'
import {
  FIREWALL_PARTS_MAX,
  firewallProtocolNames,
  type FirewallProtocolType,
  firewallProtocols,
  icmpCodeFieldProblem,
  type IcmpProtocol,
  icmpTypeFieldProblem,
  icmpTypes,
  isIcmp,
  typedIcmpCode,
} from '@steading/api/rules'
import { useFormContext } from 'react-hook-form'
import { type EntryList, useListEntry } from '../../forms/list-entry.ts'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { MiniTable } from '../../ui/form/mini-table.tsx'
import type { Option } from '../../ui/form/options.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Tag } from '../../ui/tag.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import { SubForm } from '../../forms/sub-form.tsx'
import { icmpTypeText, TOO_MANY_PARTS } from './labels.ts'

type Protocol = VpcFirewallRuleProtocol
type ProtocolEntry = { protocol: FirewallProtocolType | ''; icmpType: string; code: string }

const initial: ProtocolEntry = { protocol: '', icmpType: '', code: '' }

/** The option for all types, whose value in the form is empty. */
const ALL_TYPES = 'all'

const typeOptions = (protocol: IcmpProtocol): Option[] => [
  { value: ALL_TYPES, label: 'All types' },
  ...icmpTypes[protocol].map(([type]) => {
    const text = icmpTypeText(protocol, type)
    return { value: String(type), label: String(type), found: text, content: text }
  }),
]

function protocolOf({ protocol, icmpType, code }: ProtocolEntry): Protocol {
  const type = protocol as FirewallProtocolType
  if (!isIcmp(type)) return { type }
  if (icmpType.trim() === '') return { type, value: null }
  const filter = { icmpType: Number(icmpType.trim()) }
  return { type, value: code.trim() ? { ...filter, code: code.trim() } : filter }
}

const filterOf = (protocol: Protocol) => ('value' in protocol ? protocol.value : null)
const keyOf = (protocol: Protocol) => {
  const filter = filterOf(protocol)
  return [protocol.type, filter?.icmpType ?? '', filter?.code ?? ''].join(' ')
}

/** `TCP`, `ICMPv4 (All types)`, `ICMPv4 3 - Destination Unreachable | Code 0`. */
function wholeText(protocol: Protocol): string {
  const { type } = protocol
  if (!isIcmp(type)) return firewallProtocolNames[type]
  const filter = filterOf(protocol)
  if (!filter) return `${firewallProtocolNames[type]} (All types)`
  const code = filter.code ? ` | Code ${filter.code}` : ''
  return `${firewallProtocolNames[type]} ${icmpTypeText(type, filter.icmpType)}${code}`
}

const Every = ({ what }: { what: string }) => (
  <span className="text-tertiary" {...tooltip(`Matches all ${what} traffic`)}>
    —
  </span>
)

const TypeCell = (protocol: Protocol) => {
  const { type } = protocol
  const filter = filterOf(protocol)
  return filter ? (
    icmpTypeText(type as IcmpProtocol, filter.icmpType)
  ) : (
    <Every what={firewallProtocolNames[type]} />
  )
}

const CodeCell = (protocol: Protocol) => {
  const filter = filterOf(protocol)
  const name = firewallProtocolNames[protocol.type]
  return filter?.code ?? <Every what={filter ? `${name} type ${filter.icmpType}` : name} />
}

/** Only ICMP has fields for type and code. */
export const protocolList: EntryList<Protocol, ProtocolEntry> = {
  blank: initial,
  isBlank: ({ protocol }) => protocol === '',
  problems: { icmpType: icmpTypeFieldProblem, code: icmpCodeFieldProblem },
  add: (protocols, entry) => {
    const added = protocolOf(entry)
    const isThere = protocols.some((each) => keyOf(each) === keyOf(added))
    return isThere ? [...protocols] : [...protocols, added]
  },
  max: FIREWALL_PARTS_MAX,
  full: TOO_MANY_PARTS,
}

/** Field for the protocols of a rule, with optional types and codes for ICMP. */
export function ProtocolsField() {
  const { items, entry, control, startWith, remove, field, subForm } = useListEntry(
    protocolList,
    'protocols',
    'protocolEntry',
  )
  const { setValue } = useFormContext()
  const { protocol, icmpType } = entry
  return (
    <div className="flex flex-col gap-3">
      <SubForm addLabel="Add protocol filter" {...subForm}>
        <ListboxField
          name="protocolEntry.protocol"
          label="Protocol filters"
          placeholder="Select a protocol"
          control={control}
          validate={field('protocol').validate}
          options={firewallProtocols.map((each) => ({
            value: each,
            label: firewallProtocolNames[each],
          }))}
          onChange={(next) => startWith({ ...initial, protocol: next as FirewallProtocolType })}
        />
        {protocol !== '' && isIcmp(protocol) && (
          <>
            <ComboboxField
              key={protocol}
              {...field('icmpType')}
              label={`${firewallProtocolNames[protocol]} type`}
              placeholder="All types"
              required={false}
              allowCustom
              options={typeOptions(protocol)}
              onChange={(next) => next === ALL_TYPES && setValue('protocolEntry.icmpType', '')}
            />
            {icmpType.trim() !== '' && (
              <TextField
                {...field('code')}
                label={`${firewallProtocolNames[protocol]} code`}
                placeholder="All codes"
                description="A code, like 0, or a range, like 1-3"
                transform={typedIcmpCode}
              />
            )}
          </>
        )}
      </SubForm>
      <MiniTable
        label="Protocol filters"
        columns={[
          {
            id: 'protocol',
            header: 'Protocol',
            cell: ({ type }: Protocol) => <Tag>{firewallProtocolNames[type]}</Tag>,
          },
          { id: 'type', header: 'Type', cell: TypeCell },
          { id: 'code', header: 'Code', cell: CodeCell },
        ]}
        items={items}
        rowKey={keyOf}
        onRemove={remove}
        removeLabel={(one) => `Remove ${wholeText(one)}`}
      />
    </div>
  )
}
