import type { BfdStatus } from '@steading/api/client'
import { bfdDetectionTime } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { HeartPulse, Plus } from 'lucide-react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { apiQuery } from '../../data/api.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { type Create, CreateButton, useCreate } from '../../page/create-action.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { pathTo } from '../../data/addresses.ts'
import type { Column } from '../../ui/column.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Mono } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { BfdStateBadge } from '../external-connectivity/state-badges.tsx'

/** Polled because no event announces changes of sessions. */
const POLL_MS = 5_000

type Row = BfdStatus & { id: string }

const milliseconds = (microseconds: number) => `${Math.round(microseconds) / 1000} ms`

const columns: Column<Row>[] = [
  { id: 'peer', header: 'Peer', cell: ({ peer }) => <Mono>{peer}</Mono> },
  {
    id: 'state',
    header: 'State',
    width: 128,
    phone: 'first',
    cell: ({ state }) => <BfdStateBadge state={state} />,
  },
  {
    id: 'switch',
    header: 'Switch',
    width: 112,
    phone: 'second',
    labelled: true,
    cell: ({ switchSlot }) => switchSlot,
  },
  { id: 'mode', header: 'Mode', width: 128, cell: ({ mode }) => mode.replaceAll('_', ' ') },
  {
    id: 'local',
    header: 'Local address',
    cell: ({ local }) => (local ? <Mono>{local}</Mono> : null),
  },
  {
    id: 'detection',
    header: 'Down after',
    width: 128,
    phone: 'second',
    labelled: true,
    cell: ({ requiredRx, detectionThreshold }) =>
      milliseconds(bfdDetectionTime(requiredRx, detectionThreshold)),
  },
]

const create: Create = {
  label: 'New BFD session',
  icon: Plus,
  variant: 'secondary',
  calls: 'networkingBfdEnable',
  path: pathTo('/system/networking/bfd-new'),
}

function useActions(): (row: Row) => MenuAction[] {
  const disable = useApiAction('networkingBfdDisable', {
    onSuccess: (_, { body }) => {
      doneToast('BFD session with', body.remote, 'disabled')
    },
  })
  return ({ peer, switchSlot }) => [
    {
      label: 'Disable',
      calls: 'networkingBfdDisable',
      danger: true,
      onAction: () =>
        confirmAction({
          title: 'Disable BFD session',
          errorTitle: 'Could not disable the BFD session',
          danger: true,
          body: (
            <>
              Are you sure you want to disable the session of {switchSlot} with <Mono>{peer}</Mono>?
              Failures of the path to the router are then detected later, by other means.
            </>
          ),
          ...disable({ body: { remote: peer, switchSlot } }),
        }),
    },
  ]
}

export function BfdTab() {
  const { data, error, refetch } = useQuery({
    ...apiQuery('networkingBfdStatus', {}),
    refetchInterval: POLL_MS,
  })
  const actions = useActions()
  useCreate(create)
  return (
    <TabPanel of={connectivityTabs} tab="BFD">
      <div className="flex justify-end px-(--gutter) pb-3">
        <CreateButton {...create} />
      </div>
      <LoadedTable
        what="The BFD sessions"
        label="BFD sessions"
        columns={columns}
        read={{
          rows: data?.map((session) => ({
            ...session,
            id: `${session.switchSlot} ${session.peer}`,
          })),
          error,
          refetch,
        }}
        actions={actions}
        skeletonRows={3}
        empty={{
          icon: HeartPulse,
          title: 'No BFD sessions',
          body: 'BFD detects a dead path to a router within a second.',
          action: <CreateButton {...create} icon={undefined} />,
        }}
      />
      <Outlet />
    </TabPanel>
  )
}
