import type { ExternalSubnet } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Globe, Plus } from 'lucide-react'
import { useLivePolling } from '../../data/live.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { pathTo } from '../../data/addresses.ts'
import { subnetPoolsQuery } from '../pools/own-pools.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { externalSubnetColumns } from './columns.tsx'
import { useExternalSubnetActions } from './external-subnet-actions.tsx'
import { externalSubnetListDefinition, externalSubnetsQuery } from './queries.ts'

const noun = { one: 'external subnet', many: 'external subnets' }

const AttachExternalSubnet = lazyPart(() =>
  import('../external-addresses/attach-to-instance.tsx').then((module) => ({
    default: module.AttachExternalSubnet,
  })),
)

export function ExternalSubnetsPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const columns = useMemo(() => externalSubnetColumns(project), [project])
  const pools = useQuery(subnetPoolsQuery).data?.items ?? []
  const list = useListPage(externalSubnetListDefinition, { project }, columns, {
    refetchInterval: useLivePolling(10_000),
    names: { pool: pools.map(({ name }) => name) },
  })
  const bulk = useBulk('external_subnet', list, project)
  const [attaching, setAttaching] = useState<ExternalSubnet>()
  const actions = useExternalSubnetActions(project, setAttaching)
  useListQuickActions(
    useMemo(
      () => ({
        all: externalSubnetsQuery(project),
        group: 'Edit external subnet',
        pathOf: (externalSubnet: string) =>
          pathTo('/projects/$project/external-subnets/$externalSubnet/edit', {
            project,
            externalSubnet,
          }),
      }),
      [project],
    ),
  )
  return (
    <ListPage
      title="External Subnets"
      label="External Subnets"
      icon={Globe}
      noun={noun}
      docs={{
        topic: 'external subnets',
        summary:
          'An external subnet is a range of addresses that belongs to the project. Traffic to all of them goes to the attached instance, which can use them for its own workloads.',
      }}
      reads={['externalSubnetList', 'instanceList']}
      create={{
        label: 'New External Subnet',
        calls: 'externalSubnetCreate',
        quickLabel: 'New external subnet',
        icon: Plus,
        path: pathTo('/projects/$project/external-subnets-new', { project }),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{
        title: 'No external subnets',
        body: 'Create an external subnet to see it here',
        create: 'New External Subnet',
      }}
    >
      <DialogPart onDismiss={() => setAttaching(undefined)}>
        {attaching && (
          <AttachExternalSubnet
            project={project}
            externalSubnet={attaching}
            onDismiss={() => setAttaching(undefined)}
          />
        )}
      </DialogPart>
    </ListPage>
  )
}
