import { ResourceHeader } from '../../page/resource-header.tsx'
import { useNavigate } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { useCapability } from '../../data/capabilities.ts'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { PageTabs } from '../../page/page-tabs.tsx'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { PhoneDisclosure } from '../../ui/phone-disclosure.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { useVpcParams, vpcQuery, vpcTabs } from './queries.ts'
import { useVpcActions, vpcDocs } from './vpc-actions.tsx'
import { VpcNetworkRow } from './vpc-network.tsx'

/** The page of a VPC, around its tabs. */
export function VpcPage() {
  const params = useVpcParams()
  const { project } = params
  const { data: vpc } = usePrefetchedQuery(vpcQuery(params))
  const navigate = useNavigate()
  const actions = useVpcActions(project, () =>
    navigate({ to: '/projects/$project/vpcs', params: { project } }),
  )
  const star = useStarAction('vpc')
  const history = useHistoryAction('vpc')
  const who = useWhoCan('vpc', project)
  const hasNetwork = useCapability('vpcNetworkStatus')
  return (
    <>
      <ResourceHeader
        title={vpc.name}
        icon={<Network strokeWidth={1.5} aria-hidden />}
        kind="vpc"
        thing={vpc}
      >
        <DocsPopover {...vpcDocs} />
        <RefreshButton onRefresh={refetchShown} />
        <ActionMenu
          label="VPC actions"
          actions={[
            copyAction('Copy ID', vpc.id),
            ...star(vpc),
            ...history(vpc),
            ...who(vpc),
            ...actions(vpc),
          ]}
        />
      </ResourceHeader>
      <PhoneDisclosure label="Details">
        <div className="px-(--gutter) pb-5">
          <PropertiesTable columns={2} rows={hasNetwork ? 4 : 3}>
            <PropertiesTable.DescriptionRow description={vpc.description} />
            <PropertiesTable.Row label="DNS Name">{vpc.dnsName}</PropertiesTable.Row>
            <PropertiesTable.CopyRow label="IPv6 Prefix" text={vpc.ipv6Prefix} />
            {hasNetwork && <VpcNetworkRow {...params} />}
            <PropertiesTable.DateRow label="Created" date={vpc.timeCreated} />
            <PropertiesTable.IdRow id={vpc.id} />
            <PropertiesTable.DateRow label="Last Modified" date={vpc.timeModified} />
          </PropertiesTable>
        </div>
      </PhoneDisclosure>
      <PageTabs of={vpcTabs} params={params} group={`VPC '${vpc.name}'`} />
    </>
  )
}
