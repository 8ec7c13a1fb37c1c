import type { ExternalSubnet } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Globe } from 'lucide-react'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { subnetPoolsQuery } from '../pools/own-pools.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { externalSubnetColumns } from './columns.tsx'
import { useExternalSubnetActions } from './external-subnet-actions.tsx'
import { externalSubnetListDefinition } from './queries.ts'

const AttachExternalSubnet = lazyPart(() =>
  import('../external-addresses/attach-to-instance.tsx').then((module) => ({
    default: module.AttachExternalSubnet,
  })),
)

const externalSubnets = resourceList({
  list: externalSubnetListDefinition,
  noun: 'external subnet',
  icon: Globe,
  label: 'External Subnets',
  docs: {
    topic: 'external subnets',
    summary:
      'An external subnet is a range of addresses that belongs to the project. Traffic to all of them goes to the attached instance, which can use them for its own workloads.',
  },
  path: '/projects/$project/external-subnets',
  item: '/projects/$project/external-subnets/$externalSubnet/edit',
  columns: externalSubnetColumns,
  bulk: true,
  create: {
    label: 'New External Subnet',
    quickLabel: 'New external subnet',
    calls: 'externalSubnetCreate',
  },
})

export function ExternalSubnetsPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const pools = useQuery(subnetPoolsQuery(project)).data?.items ?? []
  const [attaching, setAttaching] = useState<ExternalSubnet>()
  const actions = useExternalSubnetActions(project, setAttaching)
  return (
    <ResourceList
      of={externalSubnets}
      within={{ project }}
      names={{ pool: pools.map(({ name }) => name) }}
      actions={actions}
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
    </ResourceList>
  )
}
