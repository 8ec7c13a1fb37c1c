import { Outlet } from '@tanstack/react-router'
import { Plus, Repeat } from 'lucide-react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { BottomBar } from '../../ui/bottom-bar.tsx'
import { createdColumn } from '../../page/columns.tsx'
import { type Create, CreateButton, useCreate } from '../../page/create-action.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import { pathTo } from '../../data/addresses.ts'
import type { Column } from '../../ui/column.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { CellLink } from '../../ui/link.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyCell, Mono } from '../../ui/text.tsx'
import { YesNo } from '../../ui/yes-no.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { type LoopbackRow, loopbacksQuery } from './queries.ts'

const columns: Column<LoopbackRow>[] = [
  { id: 'address', header: 'Address', cell: ({ address }) => <Mono>{address}</Mono> },
  {
    id: 'switch',
    header: 'Switch',
    width: 112,
    phone: 'first',
    labelled: true,
    cell: ({ switchSlot }) => switchSlot,
  },
  {
    id: 'lot',
    header: 'Address lot',
    phone: 'second',
    labelled: true,
    cell: ({ addressLotName: addressLot }) =>
      addressLot === undefined ? (
        <EmptyCell />
      ) : (
        <CellLink to="/system/networking/address-lots/$addressLot" params={{ addressLot }}>
          {addressLot}
        </CellLink>
      ),
  },
  {
    id: 'anycast',
    header: 'Anycast',
    width: 112,
    cell: ({ anycast }) => (anycast === undefined ? <EmptyCell /> : <YesNo value={anycast} />),
  },
  {
    ...createdColumn,
    sort: undefined,
    phone: 'second',
    cell: ({ timeCreated }) =>
      timeCreated === undefined ? <EmptyCell /> : createdColumn.cell({ timeCreated }),
  },
]

const create: Create = {
  label: 'New loopback address',
  icon: Plus,
  variant: 'secondary',
  calls: 'networkingLoopbackAddressCreate',
  path: pathTo('/system/networking/loopback-addresses-new'),
}

function useActions(): (row: LoopbackRow) => MenuAction[] {
  const remove = useApiAction('networkingLoopbackAddressDelete', {
    onSuccess: (_, { path }) => {
      doneToast('Loopback address', path.address, 'deleted')
    },
  })
  return ({ id, address, rackId, switchSlot }) => {
    const [ip, width] = address.split('/') as [string, string]
    const path = { rackId, switchSlot, address: ip, subnetMask: Number(width) }
    return [
      copyAction('Copy ID', id),
      copyAction('Copy address', ip),
      {
        label: 'Delete',
        calls: 'networkingLoopbackAddressDelete',
        danger: true,
        onAction: () =>
          confirmDelete({
            kind: 'loopback address',
            name: address,
            extra: `${switchSlot} no longer has it, and its lot can assign it again.`,
            ...remove({ path }),
          }),
      },
    ]
  }
}

export function LoopbacksTab() {
  const { pagination, ...read } = usePages<LoopbackRow>(loopbacksQuery)
  const actions = useActions()
  useCreate(create)
  return (
    <TabPanel of={connectivityTabs} tab="Loopback Addresses">
      <div className="flex justify-end px-(--gutter) pb-3">
        <CreateButton {...create} />
      </div>
      <LoadedTable
        what="The loopback addresses"
        label="Loopback addresses"
        columns={columns}
        read={read}
        actions={actions}
        skeletonRows={3}
        empty={{
          icon: Repeat,
          title: 'No loopback addresses',
          body: 'A loopback address of a switch is reachable through any port that is up.',
          action: <CreateButton {...create} icon={undefined} />,
        }}
      />
      <BottomBar>
        <Pagination {...pagination} />
      </BottomBar>
      <Outlet />
    </TabPanel>
  )
}
