import type { FloatingIp } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { EthernetPort } from 'lucide-react'
import { unicastPools, ipPoolsQuery } from '../pools/own-pools.ts'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { floatingIpColumns } from './columns.tsx'
import { useFloatingIpActions } from './floating-ip-actions.tsx'
import { floatingIpListDefinition } from './queries.ts'

const MoveToInstanceModal = lazyPart(() => import('./move-to-instance.tsx'))
const AttachFloatingIp = lazyPart(() =>
  import('../external-addresses/attach-to-instance.tsx').then((module) => ({
    default: module.AttachFloatingIp,
  })),
)

const floatingIps = resourceList({
  list: floatingIpListDefinition,
  noun: 'floating IP',
  icon: EthernetPort,
  docs: {
    topic: 'floating IPs',
    summary:
      'A floating IP is an address that belongs to the project. It can move between instances and outlives them.',
  },
  path: '/projects/$project/floating-ips',
  item: '/projects/$project/floating-ips/$floatingIp/edit',
  columns: floatingIpColumns,
  bulk: true,
  create: {
    label: 'New Floating IP',
    quickLabel: 'New floating IP',
    calls: 'floatingIpCreate',
  },
})

export function FloatingIpsPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const pools = unicastPools(useQuery(ipPoolsQuery(project)).data?.items ?? [])
  const [attaching, setAttaching] = useState<FloatingIp>()
  const [moving, setMoving] = useState<FloatingIp>()
  const actions = useFloatingIpActions(project, setAttaching, setMoving)
  return (
    <ResourceList
      of={floatingIps}
      within={{ project }}
      names={{ pool: pools.map(({ name }) => name) }}
      actions={actions}
    >
      <DialogPart onDismiss={() => setMoving(undefined)}>
        {moving?.instanceId && (
          <MoveToInstanceModal
            project={project}
            floatingIp={moving}
            instanceId={moving.instanceId}
            onDismiss={() => setMoving(undefined)}
          />
        )}
      </DialogPart>
      <DialogPart onDismiss={() => setAttaching(undefined)}>
        {attaching && (
          <AttachFloatingIp
            project={project}
            floatingIp={attaching}
            onDismiss={() => setAttaching(undefined)}
          />
        )}
      </DialogPart>
    </ResourceList>
  )
}
