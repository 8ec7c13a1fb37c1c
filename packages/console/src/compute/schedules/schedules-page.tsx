import { useParams } from '@tanstack/react-router'
import { Clock, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { ListPage } from '../../page/list-page.tsx'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { pathTo } from '../../data/addresses.ts'
import { useListPage } from '../../page/use-list-page.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { columnsOf } from './columns.tsx'
import { scheduleListDefinition } from './queries.ts'
import { useScheduleActions } from './schedule-actions.tsx'
import { scheduleDocs } from './words.ts'

const POLL_MS = 10_000
const noun = { one: 'schedule', many: 'schedules' }

export function SchedulesPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const columns = useMemo(() => columnsOf(project), [project])
  const list = useListPage(scheduleListDefinition, { project }, columns, {
    refetchInterval: useLivePolling(POLL_MS),
  })
  const bulk = useBulk('schedule', list, project)
  const actionsOf = useScheduleActions(project)
  useListQuickActions(
    useMemo(
      () => ({
        all: apiQuery('scheduleSearch', { query: { project, limit: ALL_ITEMS } }),
        group: 'Go to schedule',
        pathOf: (schedule: string) =>
          pathTo('/projects/$project/schedules/$schedule', { project, schedule }),
      }),
      [project],
    ),
  )
  return (
    <ListPage
      title="Schedules"
      label="Schedules"
      icon={Clock}
      noun={noun}
      docs={scheduleDocs}
      reads={['scheduleSearch']}
      create={{
        label: 'New schedule',
        calls: 'scheduleCreate',
        icon: Plus,
        path: pathTo('/projects/$project/schedules-new', { project }),
      }}
      list={list}
      bulk={bulk}
      actions={(schedule) => {
        const { run, turn, edit, remove } = actionsOf(schedule)
        return [edit, run, turn, remove]
      }}
      empty={{
        title: 'No schedules',
        body: 'Create a schedule to take snapshots, or to start and stop instances, at set times',
        create: 'New schedule',
      }}
    />
  )
}
