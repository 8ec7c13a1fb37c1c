import { useParams } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { scheduleColumns } from './columns.tsx'
import { scheduleListDefinition } from './queries.ts'
import { useScheduleActions } from './schedule-actions.tsx'
import { scheduleDocs } from './labels.ts'

const schedules = resourceList({
  list: scheduleListDefinition,
  noun: 'schedule',
  icon: Clock,
  docs: scheduleDocs,
  path: '/projects/$project/schedules',
  item: '/projects/$project/schedules/$schedule',
  columns: scheduleColumns,
  bulk: true,
  create: { calls: 'scheduleCreate' },
  empty: {
    body: 'Create a schedule to take snapshots, or to start and stop instances, at set times',
  },
})

export function SchedulesPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const actionsOf = useScheduleActions(project)
  return (
    <ResourceList
      of={schedules}
      within={{ project }}
      actions={(schedule) => {
        const { run, turn, edit, remove } = actionsOf(schedule)
        return [edit, run, turn, remove]
      }}
    />
  )
}
