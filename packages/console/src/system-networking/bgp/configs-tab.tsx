import { bgpMessages } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import type { ListColumn } from '../../page/columns.tsx'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { CellLink } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Mono } from '../../ui/text.tsx'
import { bgpConfigListDefinition, type ConfigView } from './queries.ts'

const columns: ListColumn<ConfigView>[] = [
  'name',
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
  'description',
  'created',
]

function useConfigActions(): (config: ConfigView) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useDeleteAction('networkingBgpConfigDelete', 'BGP configuration')
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
    remove(
      name,
      { query: { nameOrId: name } },
      {
        disabledReason: peerCount ? bgpMessages.configInUse : undefined,
        extra: 'Its announce set is kept.',
      },
    ),
  ]
}

const configs = resourceList({
  list: bgpConfigListDefinition,
  noun: 'BGP configuration',
  icon: Waypoints,
  path: '/system/networking/bgp',
  item: '/system/networking/bgp/$bgpConfig/edit',
  quickGroup: 'Go to BGP configuration',
  columns,
  create: { calls: 'networkingBgpConfigCreate' },
  empty: {
    body: 'A BGP configuration sets the autonomous system of the switches and the networks they announce.',
  },
})

export const ConfigsTab = () => (
  <TabPanel of={connectivityTabs} tab="BGP">
    <ResourceTab of={configs} actions={useConfigActions()} />
  </TabPanel>
)
