import type { BgpAnnounceSet, BgpAnnounceSetSummary } from '@steading/api/client'
import { bgpMessages } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { Megaphone } from 'lucide-react'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { LazyCell } from '../../page/lazy-cell.tsx'
import type { ListColumn } from '../../page/columns.tsx'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { EmptyCell, Mono } from '../../ui/text.tsx'
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

const columns: ListColumn<SetRow>[] = [
  'name',
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
  'description',
  'created',
]

function useSetActions(): (set: SetRow) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useDeleteAction('networkingBgpAnnounceSetDelete', 'announce set')
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
    remove(
      name,
      { path: { announceSet: name } },
      { disabledReason: configCount ? bgpMessages.setInUse : undefined },
    ),
  ]
}

const announceSets = resourceList({
  list: announceSetListDefinition,
  noun: 'announce set',
  icon: Megaphone,
  path: '/system/networking/announce-sets',
  item: '/system/networking/announce-sets/$announceSet/edit',
  quickGroup: false,
  columns,
  create: { calls: 'networkingBgpAnnounceSetUpdate' },
  empty: {
    body: 'An announce set lists networks from address lots that BGP announces to peers.',
  },
})

export const AnnounceSetsTab = () => (
  <TabPanel of={connectivityTabs} tab="Announce Sets">
    <ResourceTab of={announceSets} actions={useSetActions()} />
  </TabPanel>
)
