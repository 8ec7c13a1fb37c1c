import { createRoute } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes } from '../../page/routes.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { scheduleListDefinition, scheduleQuery, targetsQuery } from './queries.ts'

const { list, index, trail } = listRoutes(projectRoute, 'schedules', '/schedules', {
  list: scheduleListDefinition,
  crumb: 'Schedules',
  needs: 'schedules',
  nav: { group: 'compute', icon: Clock },
  page: lazyPage(() => import('./schedules-page.tsx'), 'SchedulesPage'),
})

export const scheduleListRoutes = list.addChildren({ index })

const create = createRoute({
  getParentRoute: () => trail,
  path: '/schedules-new',
  component: lazyPage(() => import('./schedule-form.tsx'), 'ScheduleCreatePage'),
  staticData: { crumb: 'New schedule' },
})

const loadSchedule = ({ params }: { params: { project: string; schedule: string } }) =>
  prefetch(
    scheduleQuery(params.project, params.schedule),
    targetsQuery(params.project, params.schedule),
  )

const page = createRoute({
  getParentRoute: () => trail,
  path: '/schedules/$schedule',
  component: lazyPage(() => import('./schedule-page.tsx'), 'SchedulePage'),
  loader: loadSchedule,
  staticData: { crumb: ({ schedule }) => schedule! },
})

const edit = createRoute({
  getParentRoute: () => trail,
  path: '/schedules/$schedule/edit',
  component: lazyPage(() => import('./schedule-form.tsx'), 'ScheduleEditPage'),
  loader: loadSchedule,
  staticData: { crumb: 'Edit schedule' },
})

export const scheduleRoutes = trail.addChildren([create, page, edit])
