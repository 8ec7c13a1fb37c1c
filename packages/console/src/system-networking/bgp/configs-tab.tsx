import { bgpMessages } from '@steading/api/rules'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Plus, Waypoints } from 'lucide-react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import { ListTab } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { type ListQuickActions, useListQuickActions } from '../../page/list-quick-actions.ts'
import { pathTo } from '../../data/addresses.ts'
import type { Column } from '../../ui/column.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { CellLink } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Mono } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { bgpConfigListDefinition, allConfigsQuery, type ConfigView } from './queries.ts'

const columns: Column<ConfigView>[] = [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink to="/system/networking/bgp/$bgpConfig/edit" params={{ bgpConfig: name }}>
        {name}
      </CellLink>
    ),
  },
  {
    id: 'asn',
    header: 'ASN',
    sort: 'asn',
    width: 128,
    phone: 'first',
    cell: ({ asn }) => <Mono>{asn}</Mono>,
  },
  {
    id: 'announces',
    header: 'announces',
    phone: 'second',
    labelled: true,
    cell: ({ bgpAnnounceSetName: announceSet }) =>
      announceSet ? (
        <CellLink to="/system/networking/announce-sets/$announceSet/edit" params={{ announceSet }}>
          {announceSet}
        </CellLink>
      ) : null,
  },
  { id: 'peers', header: 'peers', width: 96, cell: ({ peerCount }) => peerCount },
  {
    id: 'paths',
    header: 'max paths',
    width: 112,
    optional: true,
    cell: ({ maxPaths }) => maxPaths,
  },
  { id: 'vrf', header: 'VRF', width: 128, optional: true, cell: ({ vrf }) => vrf },
  descriptionColumn,
  createdColumn,
]

const quickActions: ListQuickActions = {
  all: allConfigsQuery,
  group: 'Go to BGP configuration',
  pathOf: (bgpConfig: string) => pathTo('/system/networking/bgp/$bgpConfig/edit', { bgpConfig }),
}

function useConfigActions(): (config: ConfigView) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useApiAction('networkingBgpConfigDelete', {
    onSuccess: (_, { query }) => {
      doneToast('BGP configuration', query.nameOrId, 'deleted')
      void invalidate('networkingBgpConfigList', 'networkingBgpAnnounceSetList')
    },
  })
  return ({ name, peerCount }) => [
    {
      label: 'Edit',
      calls: 'networkingBgpConfigUpdate',
      onAction: () =>
        void navigate({
          to: '/system/networking/bgp/$bgpConfig/edit',
          params: { bgpConfig: name },
        }),
    },
    {
      label: 'Delete',
      calls: 'networkingBgpConfigDelete',
      danger: true,
      disabledReason: peerCount ? bgpMessages.configInUse : undefined,
      onAction: () =>
        confirmDelete({
          kind: 'BGP configuration',
          name,
          extra: 'Its announce set is kept.',
          ...remove({ query: { nameOrId: name } }),
        }),
    },
  ]
}

export function ConfigsTab() {
  const list = useListPage(bgpConfigListDefinition, {}, columns, {
    refetchInterval: useLivePolling(10_000),
  })
  const actions = useConfigActions()
  useListQuickActions(quickActions)
  return (
    <TabPanel of={connectivityTabs} tab="BGP">
      <ListTab<ConfigView>
        label="BGP configurations"
        icon={Waypoints}
        noun={{ one: 'BGP configuration', many: 'BGP configurations' }}
        create={{
          label: 'New BGP configuration',
          icon: Plus,
          calls: 'networkingBgpConfigCreate',
          path: pathTo('/system/networking/bgp-new'),
        }}
        list={list}
        actions={actions}
        empty={{
          title: 'No BGP configurations',
          body: 'A BGP configuration sets the autonomous system of the switches and the networks they announce.',
          create: 'New BGP configuration',
        }}
      />
      <Outlet />
    </TabPanel>
  )
}
