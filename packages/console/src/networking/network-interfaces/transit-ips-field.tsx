import type { IpVersion } from '@steading/api/client'
import { cidrFieldProblem, cidrVersion, transitIpUnsupported } from '@steading/api/rules'
import { type EntryList, useListEntry } from '../../forms/list-entry.ts'
import { SubForm } from '../../forms/sub-form.tsx'
import { Banner } from '../../ui/banner.tsx'
import { MiniTable } from '../../ui/form/mini-table.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Mono } from '../../ui/text.tsx'

const examples = { v4: '192.168.0.0/16', v6: 'fd00::/64' }
const stackNames = { v4: 'IPv4', v6: 'IPv6' }

/** Why a network cannot be added to the transit IPs; undefined if it can. */
export function transitIpFieldProblem(
  text: string,
  versions: readonly IpVersion[],
  added: readonly string[],
): string | undefined {
  const problem = cidrFieldProblem(text)
  if (problem) return problem
  const version = cidrVersion(text)!
  if (!versions.includes(version)) return transitIpUnsupported(version)
  return added.includes(text) ? 'Transit IP already in list' : undefined
}

/** The transit IPs of an interface. */
export const transitIpList = (
  versions: readonly IpVersion[],
): EntryList<string, { network: string }> => ({
  blank: { network: '' },
  isBlank: ({ network }) => network.trim() === '',
  problems: {
    network: (network, _entry, added) => transitIpFieldProblem(network.trim(), versions, added),
  },
  add: (added, { network }) => [...added, network.trim()],
  max: Infinity,
  full: '',
})

/**
 * Field for transit IPs: networks an interface may send from and receive for, besides its own
 * addresses.
 */
export function TransitIpsField({ versions }: { versions: IpVersion[] }) {
  const { items, remove, field, subForm } = useListEntry(
    transitIpList(versions),
    'transitIps',
    'transitIpEntry',
  )
  return (
    <div className="flex flex-col gap-3">
      <SubForm addLabel="Add Transit IP" {...subForm}>
        <TextField
          {...field('network')}
          label="Transit IPs"
          placeholder={`An IP network, e.g., ${versions.map((each) => examples[each]).join(' or ')}`}
        />
      </SubForm>
      <MiniTable
        label="Transit IPs"
        columns={[
          { id: 'transit-ips', header: 'Transit IPs', cell: (ip: string) => <Mono>{ip}</Mono> },
        ]}
        items={items}
        rowKey={(ip) => ip}
        onRemove={remove}
        removeLabel={(ip) => `remove IP ${ip}`}
      />
      <Banner>
        This network interface supports{' '}
        {versions.length > 1 ? 'both IPv4 and IPv6' : versions.map((each) => stackNames[each])}{' '}
        transit IPs.
      </Banner>
    </div>
  )
}
