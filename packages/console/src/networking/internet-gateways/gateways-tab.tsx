import { Outlet } from '@tanstack/react-router'
import { DoorOpen, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useLivePolling } from '../../data/live.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListTab } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { gatewaysQuery } from '../routers/queries.ts'
import { pathTo } from '../../data/addresses.ts'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { useVpcParams, vpcTabs } from '../vpcs/queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { gatewayColumns } from './columns.tsx'
import { type PendingAttachment, useGatewayActions } from './gateway-actions.tsx'
import { gatewayListDefinition } from './queries.ts'

const noun = { one: 'internet gateway', many: 'internet gateways' }

const AttachForm = lazyPart(() => import('./attach-form.tsx'))

export function GatewaysTab() {
  const { project, vpc } = useVpcParams()
  const params = useMemo(() => ({ project, vpc }), [project, vpc])
  const columns = useMemo(() => gatewayColumns(params), [params])
  const list = useListPage(gatewayListDefinition, params, columns, {
    refetchInterval: useLivePolling(10_000),
  })
  const bulk = useBulk('internet_gateway', list, project, { vpc })
  const [attaching, setAttaching] = useState<PendingAttachment>()
  const close = () => setAttaching(undefined)
  const actions = useGatewayActions(params, setAttaching)
  useListQuickActions(
    useMemo(
      () => ({
        all: gatewaysQuery(params),
        group: 'Go to internet gateway',
        pathOf: (gateway: string) =>
          pathTo('/projects/$project/vpcs/$vpc/internet-gateways/$gateway', { ...params, gateway }),
      }),
      [params],
    ),
  )
  return (
    <TabPanel of={vpcTabs} tab="Internet Gateways">
      <ListTab
        label="Internet gateways"
        icon={DoorOpen}
        noun={noun}
        create={{
          label: 'New internet gateway',
          calls: 'internetGatewayCreate',
          icon: Plus,
          path: pathTo('/projects/$project/vpcs/$vpc/internet-gateways-new', params),
        }}
        list={list}
        bulk={bulk}
        actions={actions}
        empty={{
          title: 'No internet gateways',
          body: 'Create an internet gateway to see it here',
          create: 'New internet gateway',
        }}
      />
      <DialogPart onDismiss={close}>
        {attaching && (
          <AttachForm
            what={attaching.what}
            params={{ ...params, gateway: attaching.gateway }}
            onDismiss={close}
          />
        )}
      </DialogPart>
      <Outlet />
    </TabPanel>
  )
}
