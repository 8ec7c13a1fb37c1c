import { DoorOpen } from 'lucide-react'
import { useState } from 'react'
import { resourceList, ResourceTab } from '../../page/resource-list.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { useVpcParams, vpcTabs } from '../vpcs/queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { gatewayColumns } from './columns.tsx'
import { type PendingAttachment, useGatewayActions } from './gateway-actions.tsx'
import { gatewayListDefinition } from './queries.ts'

const AttachForm = lazyPart(() => import('./attach-form.tsx'))

const gateways = resourceList({
  list: gatewayListDefinition,
  noun: 'internet gateway',
  icon: DoorOpen,
  path: '/projects/$project/vpcs/$vpc/internet-gateways',
  item: '/projects/$project/vpcs/$vpc/internet-gateways/$gateway',
  columns: gatewayColumns,
  bulk: true,
  create: { calls: 'internetGatewayCreate' },
})

export function GatewaysTab() {
  const params = useVpcParams()
  const [attaching, setAttaching] = useState<PendingAttachment>()
  const close = () => setAttaching(undefined)
  return (
    <TabPanel of={vpcTabs} tab="Internet Gateways">
      <ResourceTab of={gateways} within={params} actions={useGatewayActions(params, setAttaching)}>
        <DialogPart onDismiss={close}>
          {attaching && (
            <AttachForm
              what={attaching.what}
              params={{ ...params, gateway: attaching.gateway }}
              onDismiss={close}
            />
          )}
        </DialogPart>
      </ResourceTab>
    </TabPanel>
  )
}
