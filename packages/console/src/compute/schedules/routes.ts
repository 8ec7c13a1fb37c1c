import { createRoute } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { scheduleListDefinition, scheduleQuery, targetsQuery } from './queries.ts'

const trail = createRoute({
  getParentRoute: () => projectRoute,
  id: 'schedules-crumb',
  staticData: {
    crumb: 'Schedules',
    crumbTo: ({ project }) => `/projects/${project}/schedules`,
    needs: 'schedules',
  },
})

const list = createRoute({
  getParentRoute: () => trail,
  path: '/schedules',
  staticData: { nav: { group: 'compute', icon: Clock } },
  component: lazyPage(() => import('./schedules-page.tsx'), 'SchedulesPage'),
  ...searchedRoute(scheduleListDefinition),
  loader: ({ params: { project }, ...visit }) =>
    prefetchList(scheduleListDefinition, { project }, visit),
})

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
  staticData: {
    crumb: ({ schedule }) => schedule!,
    crumbTo: ({ project, schedule }) => `/projects/${project}/schedules/${schedule}`,
  },
})

const edit = createRoute({
  getParentRoute: () => trail,
  path: '/schedules/$schedule/edit',
  component: lazyPage(() => import('./schedule-form.tsx'), 'ScheduleEditPage'),
  loader: loadSchedule,
  staticData: { crumb: 'Edit schedule' },
})

export const scheduleRoutes = trail.addChildren([list, create, page, edit])
