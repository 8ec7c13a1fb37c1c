import type { Instance } from '@steading/api/client'
import { useParams } from '@tanstack/react-router'
import { Cpu } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useLiveState } from '../../data/live.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useFleetViewer } from '../../data/session.ts'
import { BriefingPart } from '../../observability/briefings/briefing-part.tsx'
import { FirstRun, SimulatedBadge } from '../../page/engine.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { resourceList, useResourceList } from '../../page/resource-list.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { tooltip } from '../../ui/tooltip.tsx'
import { instanceColumns } from './columns.tsx'
import { useInstanceActions } from './instance-actions.tsx'
import { useInstanceListPolling } from './polling.ts'
import { instanceListDefinition } from './queries.ts'

/**
 * The time of the last read, and how the data is kept fresh. Before the first read, only its room is
 * kept.
 */
export function UpdatedAt({ date }: { date: Date }) {
  const read = date.getTime() > 0
  const live = useLiveState() === 'live'
  return (
    <span
      className={cx('text-xs text-tertiary tabular-nums max-sm:sr-only', !read && 'invisible')}
      {...tooltip(live ? 'Updates live' : 'Auto-refresh is more frequent after instance actions')}
    >
      Updated {date.toLocaleTimeString()}
    </span>
  )
}

const ResizeModal = lazyPart(() => import('./resize-modal.tsx'))

const instances = resourceList({
  list: instanceListDefinition,
  noun: 'instance',
  icon: Cpu,
  docs: {
    topic: 'instances',
    summary:
      'An instance is a virtual machine: CPUs, memory, disks and network interfaces. It keeps its disks and addresses while it is stopped.',
  },
  path: '/projects/$project/instances',
  item: '/projects/$project/instances/$instance/storage',
  bulk: true,
  create: { label: 'New Instance', quickLabel: 'New instance', calls: 'instanceCreate' },
  empty: { create: 'New instance', below: <FirstRun /> },
})

export function InstancesPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const operator = useFleetViewer()
  const page = useResourceList(
    instances,
    { project },
    {
      columns: useMemo(() => instanceColumns(project, operator), [project, operator]),
      refetchInterval: useInstanceListPolling(),
    },
  )
  const { rows, updatedAt } = page.list
  const [resizing, setResizing] = useState<Instance>()
  // The form stays open when a filter or paging removes its instance from the list.
  const resized = resizing && (rows?.find(({ id }) => id === resizing.id) ?? resizing)
  const actionsOf = useInstanceActions({ project, onResize: setResizing })
  const hasTemplates = useCapability('instanceTemplates')
  return (
    <ListPage
      {...page}
      meta={<SimulatedBadge />}
      notice={<BriefingPart of={{ project }} isEmpty={rows?.length === 0} />}
      status={
        <>
          <UpdatedAt date={updatedAt} />
          {hasTemplates && (
            <LinkButton to="/projects/$project/instance-templates" params={{ project }}>
              Templates
            </LinkButton>
          )}
        </>
      }
      actions={(instance) => Object.values(actionsOf(instance)).flat()}
    >
      {resized && (
        <DialogPart onDismiss={() => setResizing(undefined)}>
          <ResizeModal
            project={project}
            instance={resized}
            onDismiss={() => setResizing(undefined)}
            linkToInstance
          />
        </DialogPart>
      )}
    </ListPage>
  )
}
