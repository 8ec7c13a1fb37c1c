import { ResourceHeader } from '../../page/resource-header.tsx'
import type { AddressLotBlock, AddressLotUse } from '@steading/api/client'
import { blockSize } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Rows3 } from 'lucide-react'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useLivePolling } from '../../data/live.ts'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { CellLink } from '../../ui/link.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { formatNumber } from '../../ui/number.ts'
import { PhoneDisclosure } from '../../ui/phone-disclosure.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Mono } from '../../ui/text.tsx'
import { useLotActions } from './lot-actions.ts'
import { lotQuery, useLotParam, usesQuery } from './queries.ts'

const blockColumns: Column<AddressLotBlock>[] = [
  { id: 'first', header: 'First', cell: ({ firstAddress }) => <Mono>{firstAddress}</Mono> },
  {
    id: 'last',
    header: 'Last',
    phone: 'first',
    labelled: true,
    cell: ({ lastAddress }) => <Mono>{lastAddress}</Mono>,
  },
  {
    id: 'size',
    header: 'Addresses',
    width: 160,
    phone: 'second',
    labelled: true,
    cell: ({ firstAddress, lastAddress }) =>
      formatNumber(blockSize({ first_address: firstAddress, last_address: lastAddress })),
  },
]

const holderWords: Record<AddressLotUse['kind'], string> = {
  loopback_address: 'Loopback address',
  switch_port_settings: 'Port settings',
  bgp_announce_set: 'Announce set',
}

const usedByColumns: Column<AddressLotUse>[] = [
  { id: 'network', header: 'Address', cell: ({ network }) => <Mono>{network}</Mono> },
  {
    id: 'kind',
    header: 'Used by',
    phone: 'second',
    labelled: true,
    cell: ({ kind }) => holderWords[kind],
  },
  {
    id: 'name',
    header: 'Name',
    phone: 'second',
    cell: ({ kind, name }) => {
      if (!name) return null
      return kind === 'bgp_announce_set' ? (
        <CellLink
          to="/system/networking/announce-sets/$announceSet/edit"
          params={{ announceSet: name }}
        >
          {name}
        </CellLink>
      ) : (
        <CellLink
          to="/system/networking/port-settings/$portSettings"
          params={{ portSettings: name }}
        >
          {name}
        </CellLink>
      )
    },
  },
]

export function AddressLotPage() {
  const selector = useLotParam()
  const { lot, blocks } = usePrefetchedQuery(lotQuery(selector)).data
  const hasUses = useCapability('lists')
  const refetchInterval = useLivePolling(10_000)
  const uses = useQuery({ ...usesQuery(selector), refetchInterval, enabled: hasUses })
  const navigate = useNavigate()
  const actions = useLotActions({
    onDeleted: () => navigate({ to: '/system/networking/address-lots' }),
  })
  const star = useStarAction('address_lot')
  const history = useHistoryAction('address_lot')
  const who = useWhoCan('address_lot', undefined)
  const inUse = (uses.data?.items.length ?? 0) > 0
  return (
    <>
      <ResourceHeader
        title={lot.name}
        icon={<Rows3 strokeWidth={1.5} aria-hidden />}
        kind="address_lot"
        thing={lot}
        meta={<Tag>{lot.kind}</Tag>}
      >
        <DocsPopover
          topic="address lots"
          summary="An address lot holds addresses of the rack, for uplinks and announced networks."
        />
        <RefreshButton onRefresh={refetchShown} />
        <ActionMenu
          label="Address lot actions"
          actions={[
            copyAction('Copy ID', lot.id),
            ...star(lot),
            ...history(lot),
            ...who(lot),
            ...actions(lot, inUse),
          ]}
        />
      </ResourceHeader>
      <PhoneDisclosure label="Details">
        <div className="px-(--gutter) pb-5">
          <PropertiesTable columns={2} rows={2}>
            <PropertiesTable.IdRow id={lot.id} />
            <PropertiesTable.DescriptionRow description={lot.description} />
            <PropertiesTable.DateRow label="Created" date={lot.timeCreated} />
            <PropertiesTable.DateRow label="Last Modified" date={lot.timeModified} />
          </PropertiesTable>
        </div>
      </PhoneDisclosure>
      <div className="flex flex-col gap-6 pb-6">
        <Card title="Blocks" description="The addresses of the lot">
          <LoadedTable
            what="The blocks"
            label="Blocks"
            columns={blockColumns}
            read={{ rows: blocks, error: null, refetch: async () => {} }}
            skeletonRows={2}
            empty={{
              icon: Rows3,
              title: 'No blocks',
              body: 'The lot was created without addresses',
            }}
          />
        </Card>
        {hasUses && (
          <Card title="In use" description="Uses of the lot’s addresses and networks">
            <LoadedTable
              what="The uses of the lot"
              label="In use"
              columns={usedByColumns}
              read={{
                rows: uses.data?.items.map((use) => ({ ...use, id: `${use.id} ${use.network}` })),
                error: uses.error,
                refetch: uses.refetch,
              }}
              skeletonRows={2}
              empty={{
                icon: Rows3,
                title: 'Not in use',
                body: 'No address of this lot is in use, so it can be deleted',
              }}
            />
          </Card>
        )}
      </div>
    </>
  )
}
