import type { FloatingIp } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { EthernetPort, Plus } from 'lucide-react'
import { useLivePolling } from '../../data/live.ts'
import { unicastPools, ipPoolsQuery } from '../pools/own-pools.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { floatingIpColumns } from './columns.tsx'
import { useFloatingIpActions } from './floating-ip-actions.tsx'
import { floatingIpListDefinition, floatingIpsQuery } from './queries.ts'

const noun = { one: 'floating IP', many: 'floating IPs' }

const MoveToInstanceModal = lazyPart(() => import('./move-to-instance.tsx'))
const AttachFloatingIp = lazyPart(() =>
  import('../external-addresses/attach-to-instance.tsx').then((module) => ({
    default: module.AttachFloatingIp,
  })),
)

export function FloatingIpsPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const columns = useMemo(() => floatingIpColumns(project), [project])
  const list = useListPage(floatingIpListDefinition, { project }, columns, {
    refetchInterval: useLivePolling(10_000),
    names: { pool: usePoolNames() },
  })
  const bulk = useBulk('floating_ip', list, project)
  const [attaching, setAttaching] = useState<FloatingIp>()
  const [moving, setMoving] = useState<FloatingIp>()
  const actions = useFloatingIpActions(project, setAttaching, setMoving)
  useFloatingIpQuickActions(project)
  return (
    <ListPage
      title="Floating IPs"
      label="Floating IPs"
      icon={EthernetPort}
      noun={noun}
      docs={{
        topic: 'floating IPs',
        summary:
          'A floating IP is an address that belongs to the project. It can move between instances and outlives them.',
      }}
      reads={['floatingIpList', 'instanceList']}
      create={{
        label: 'New Floating IP',
        calls: 'floatingIpCreate',
        quickLabel: 'New floating IP',
        icon: Plus,
        path: pathTo('/projects/$project/floating-ips-new', { project }),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{
        title: 'No floating IPs',
        body: 'Create a floating IP to see it here',
        create: 'New Floating IP',
      }}
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
    </ListPage>
  )
}

function usePoolNames(): string[] {
  const pools = useQuery(ipPoolsQuery).data?.items ?? []
  return unicastPools(pools).map(({ name }) => name)
}

function useFloatingIpQuickActions(project: string) {
  useListQuickActions(
    useMemo(
      () => ({
        all: floatingIpsQuery(project),
        group: 'Edit floating IP',
        pathOf: (floatingIp: string) =>
          pathTo('/projects/$project/floating-ips/$floatingIp/edit', { project, floatingIp }),
      }),
      [project],
    ),
  )
}
