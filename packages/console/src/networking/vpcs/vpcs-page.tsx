import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Network, Plus } from 'lucide-react'
import { useLivePolling } from '../../data/live.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { vpcColumns } from './columns.tsx'
import { vpcListDefinition, projectVpcsQuery, vpcHome } from './queries.ts'
import { vpcDocs, useVpcActions } from './vpc-actions.tsx'

const noun = { one: 'VPC', many: 'VPCs' }

export function VpcsPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const columns = useMemo(() => vpcColumns(project), [project])
  const list = useListPage(vpcListDefinition, { project }, columns, {
    refetchInterval: useLivePolling(10_000),
  })
  const bulk = useBulk('vpc', list, project)
  const actions = useVpcActions(project)
  useListQuickActions(
    useMemo(
      () => ({
        all: projectVpcsQuery(project),
        group: 'Go to VPC',
        pathOf: (vpc: string) => pathTo(vpcHome, { project, vpc }),
      }),
      [project],
    ),
  )
  return (
    <ListPage
      title="VPCs"
      label="VPCs"
      icon={Network}
      noun={noun}
      docs={vpcDocs}
      reads={['vpcList']}
      create={{
        label: 'New VPC',
        calls: 'vpcCreate',
        icon: Plus,
        path: pathTo('/projects/$project/vpcs-new', { project }),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{ title: 'No VPCs', body: 'Create a VPC to see it here', create: 'New VPC' }}
    />
  )
}
