import type { BgpAnnounceSet, BgpAnnounceSetSummary } from '@steading/api/client'
import { bgpMessages } from '@steading/api/rules'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Megaphone, Plus } from 'lucide-react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { LazyCell } from '../../page/lazy-cell.tsx'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import { ListTab } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import type { Column } from '../../ui/column.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { CellLink } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { EmptyCell, Mono } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { announceSetListDefinition, announcementsQuery } from './queries.ts'

/**
 * An announce set; rows of searched lists include its networks and the number of configurations.
 */
type SetRow = BgpAnnounceSet & Partial<BgpAnnounceSetSummary>

const Networks = ({ first, count }: { first: string | null | undefined; count: number }) =>
  first ? (
    <>
      <Mono>{first}</Mono>
      {count > 1 && <span className="ms-1.5 text-tertiary">+{count - 1}</span>}
    </>
  ) : (
    <EmptyCell />
  )

const columns: Column<SetRow>[] = [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink
        to="/system/networking/announce-sets/$announceSet/edit"
        params={{ announceSet: name }}
      >
        {name}
      </CellLink>
    ),
  },
  {
    id: 'networks',
    header: 'networks',
    phone: 'second',
    labelled: true,
    cell: ({ name, firstNetwork, announcementCount }) =>
      announcementCount === undefined ? (
        <LazyCell what={`the networks of ${name}`} query={announcementsQuery(name)}>
          {(networks) => <Networks first={networks[0]?.network} count={networks.length} />}
        </LazyCell>
      ) : (
        <Networks first={firstNetwork} count={announcementCount} />
      ),
  },
  {
    id: 'configs',
    header: 'configurations',
    width: 144,
    cell: ({ configCount }) => configCount,
  },
  descriptionColumn,
  createdColumn,
]

function useSetActions(): (set: SetRow) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useApiAction('networkingBgpAnnounceSetDelete', {
    onSuccess: (_, { path }) => {
      doneToast('Announce set', path.announceSet, 'deleted')
      void invalidate('networkingBgpAnnounceSetList')
    },
  })
  return ({ name, configCount }) => [
    {
      label: 'Edit',
      calls: 'networkingBgpAnnounceSetUpdate',
      onAction: () =>
        void navigate({
          to: '/system/networking/announce-sets/$announceSet/edit',
          params: { announceSet: name },
        }),
    },
    {
      label: 'Delete',
      calls: 'networkingBgpAnnounceSetDelete',
      danger: true,
      disabledReason: configCount ? bgpMessages.setInUse : undefined,
      onAction: () =>
        confirmDelete({
          kind: 'announce set',
          name,
          ...remove({ path: { announceSet: name } }),
        }),
    },
  ]
}

export function AnnounceSetsTab() {
  const list = useListPage(announceSetListDefinition, {}, columns, {
    refetchInterval: useLivePolling(10_000),
  })
  const actions = useSetActions()
  return (
    <TabPanel of={connectivityTabs} tab="Announce Sets">
      <ListTab<SetRow>
        label="Announce sets"
        icon={Megaphone}
        noun={{ one: 'announce set', many: 'announce sets' }}
        create={{
          label: 'New announce set',
          icon: Plus,
          calls: 'networkingBgpAnnounceSetUpdate',
          path: pathTo('/system/networking/announce-sets-new'),
        }}
        list={list}
        actions={actions}
        empty={{
          title: 'No announce sets',
          body: 'An announce set lists networks from address lots that BGP announces to peers.',
          create: 'New announce set',
        }}
      />
      <Outlet />
    </TabPanel>
  )
}
