import type { IpPoolAddress } from '@steading/api/client'
import { EthernetPort } from 'lucide-react'
import { useState } from 'react'
import { apiQuery, PAGE_SIZE } from '../../data/api.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import { Card, CardEmpty } from '../../ui/card.tsx'
import { AddressCell } from '../../ui/cells.tsx'
import type { Column } from '../../ui/column.ts'
import { SearchField } from '../../ui/list-controls/search-field.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Truncate } from '../../ui/text.tsx'
import { POLL_MS } from '../pools/pool-kind.ts'

/** Names are not linked: operators have no page for the owners of addresses. */
const columns: Column<IpPoolAddress>[] = [
  {
    id: 'ip',
    header: 'IP address',
    width: 224,
    cell: ({ ip }) => <AddressCell address={ip} />,
  },
  {
    id: 'kind',
    header: 'Kind',
    width: 112,
    phone: 'first',
    cell: ({ kind }) => <Tag>{kind}</Tag>,
  },
  {
    id: 'ports',
    header: 'Ports',
    width: 128,
    cell: ({ kind, firstPort, lastPort }) =>
      kind === 'snat' ? (
        <span className="tabular-nums">
          {firstPort}–{lastPort}
        </span>
      ) : null,
  },
  {
    id: 'silo',
    header: 'Silo',
    phone: 'second',
    labelled: true,
    cell: ({ siloName }) => (siloName ? <Truncate text={siloName} /> : null),
  },
  {
    id: 'project',
    header: 'Project',
    phone: 'second',
    labelled: true,
    cell: ({ projectName }) => (projectName ? <Truncate text={projectName} /> : null),
  },
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }) => (name ? <Truncate text={name} /> : null),
  },
  {
    id: 'instance',
    header: 'Instance',
    phone: 'second',
    labelled: true,
    cell: ({ instanceName }) => (instanceName ? <Truncate text={instanceName} /> : null),
  },
]

const addressesQuery = (pool: string, search: string, pageToken?: string) => ({
  ...apiQuery('systemIpPoolAddressList', {
    path: { pool },
    query: { search: search || undefined, limit: PAGE_SIZE, pageToken },
  }),
  refetchInterval: POLL_MS,
})

/** The allocated addresses of a pool, with their owners. */
export function Addresses({ pool }: { pool: string }) {
  const [search, setSearch] = useState('')
  return (
    <Card
      title="Addresses in use"
      description="Search by the beginning of an address or of its owner’s name"
      actions={<SearchField label="Search addresses" value={search} onChange={setSearch} />}
    >
      <FoundAddresses key={search} pool={pool} search={search} />
    </Card>
  )
}

function FoundAddresses({ pool, search }: { pool: string; search: string }) {
  const { pagination, ...read } = usePages<IpPoolAddress>((token) =>
    addressesQuery(pool, search, token),
  )
  if (read.rows?.length === 0 && search) return <CardEmpty title="No addresses match" />
  return (
    <>
      <LoadedTable
        what="The addresses"
        label="Addresses in use"
        columns={columns}
        read={read}
        actions={({ ip }: IpPoolAddress) => [copyAction('Copy IP address', ip)]}
        skeletonRows={3}
        empty={{
          icon: EthernetPort,
          title: 'No addresses in use',
          body: 'Addresses appear here when users of a linked silo allocate them',
        }}
      />
      <Pagination {...pagination} />
    </>
  )
}
