import type { Instance } from '@steading/api/client'
import { useParams } from '@tanstack/react-router'
import { Plus, Cpu } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useFleetViewer } from '../../data/session.ts'
import { useLiveState } from '../../data/live.ts'
import { FirstRun, SimulatedBadge } from '../../page/engine.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { pathTo } from '../../data/addresses.ts'
import { useListPage } from '../../page/use-list-page.ts'
import { LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { tooltip } from '../../ui/tooltip.tsx'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { instanceColumns } from './columns.tsx'
import { useInstanceActions } from './instance-actions.tsx'
import { instanceCreatePath } from './instance-route.ts'
import { useInstanceListPolling } from './polling.ts'
import { instanceListDefinition } from './queries.ts'

const format = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

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
      Updated {format.format(date)}
    </span>
  )
}

const ResizeModal = lazyPart(() => import('./resize-modal.tsx'))

const noun = { one: 'instance', many: 'instances' }

export function InstancesPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const operator = useFleetViewer()
  const columns = useMemo(() => instanceColumns(project, operator), [project, operator])
  const list = useListPage(instanceListDefinition, { project }, columns, {
    refetchInterval: useInstanceListPolling(),
  })
  const { rows, updatedAt } = list
  const bulk = useBulk('instance', list, project)
  const [resizing, setResizing] = useState<Instance>()
  // The form stays open when a filter or paging removes its instance from the list.
  const resized = resizing && (rows?.find(({ id }) => id === resizing.id) ?? resizing)
  const actionsOf = useInstanceActions({ project, onResize: setResizing })
  const hasTemplates = useCapability('instanceTemplates')
  useInstanceQuickActions(project)
  return (
    <ListPage
      title="Instances"
      meta={<SimulatedBadge />}
      label="Instances"
      icon={Cpu}
      noun={noun}
      docs={{
        topic: 'instances',
        summary:
          'An instance is a virtual machine: CPUs, memory, disks and network interfaces. It keeps its disks and addresses while it is stopped.',
      }}
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
      reads={['instanceList', 'instanceExternalIpList']}
      create={{
        label: 'New Instance',
        quickLabel: 'New instance',
        calls: 'instanceCreate',
        icon: Plus,
        path: instanceCreatePath(project),
      }}
      list={list}
      bulk={bulk}
      actions={(instance) => Object.values(actionsOf(instance)).flat()}
      empty={{
        title: 'No instances',
        body: 'Create an instance to see it here',
        create: 'New instance',
        below: <FirstRun />,
      }}
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

function useInstanceQuickActions(project: string) {
  useListQuickActions(
    useMemo(
      () => ({
        all: apiQuery('instanceList', { query: { project, limit: ALL_ITEMS } }),
        group: 'Go to instance',
        pathOf: (instance: string) =>
          pathTo('/projects/$project/instances/$instance/storage', { project, instance }),
      }),
      [project],
    ),
  )
}
