import type { ProbeInfo } from '@steading/api/client'
import type { ListColumn } from '../../page/columns.tsx'
import { AddressCell } from '../../ui/cells.tsx'
import { CopyableId } from '../../ui/copy-button.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Truncate, EmptyCell } from '../../ui/text.tsx'
import type { ProbeRow } from './queries.ts'

/** The private addresses of a probe with the networks of its subnet, IPv4 before IPv6. */
export function privateAddresses({ interface: { ipConfig } }: ProbeInfo) {
  if (ipConfig.type !== 'dual_stack') return [ipConfig.value]
  return [ipConfig.value.v4, ipConfig.value.v6]
}

/** Link to the page of a sled, which only operators may see. */
export const SledLink = ({ id }: { id: string }) => (
  <TextLink to="/system/inventory/sleds/$sledId/instances" params={{ sledId: id }}>
    <Truncate text={id} />
  </TextLink>
)

const Address = ({ ip }: { ip: string | undefined }) =>
  ip === undefined ? <EmptyCell /> : <AddressCell address={ip} />

export const probeColumns = (leadsToSleds: boolean): ListColumn<ProbeRow>[] => [
  'name',
  'description',
  {
    id: 'external-ip',
    header: 'external IP',
    sort: 'ip',
    width: 192,
    phone: 'second',
    cell: ({ externalIps }) => <Address ip={externalIps[0]?.ip} />,
  },
  {
    id: 'private-ip',
    header: 'private IP',
    width: 176,
    cell: (probe) => <Address ip={privateAddresses(probe)[0]?.ip} />,
  },
  {
    id: 'sled',
    header: 'sled',
    width: 208,
    cell: ({ sled }) => (leadsToSleds ? <SledLink id={sled} /> : <CopyableId id={sled} />),
  },
  { id: 'created', optional: true },
]
