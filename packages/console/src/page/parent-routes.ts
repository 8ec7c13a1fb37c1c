/** Parent routes of all pages. The shell draws their frames (`router.ts`). */
import { notWithEngine } from '@steading/api/rules'
import { createRootRoute, createRoute, notFound, redirect } from '@tanstack/react-router'
import { apiQuery, prefetch } from '../data/api.ts'
import { currentCapabilities, lackOf } from '../data/capabilities.ts'
import { startLiveUpdates } from '../data/live-updates.ts'
import { readHistorySearch } from '../workspace/history/history-address.ts'
import { readJobSearch } from '../workspace/jobs/planning.ts'
import { currentUserQuery } from '../data/session.ts'
import { beginsWithOverviews } from './preferences.ts'

/** The project of a page. */
export const projectQuery = (project: string) => apiQuery('projectView', { path: { project } })

export const rootRoute = createRootRoute()

/** Parent of all pages that need a session. Its error page replaces the whole shell. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  // Any page can show a job or a history.
  validateSearch: (search: Record<string, unknown>) => ({
    ...readJobSearch(search),
    ...readHistorySearch(search),
  }),
  // Runs before loaders, which must not read extensions that the control plane lacks.
  beforeLoad: async ({ matches }) => {
    const needing = matches.flatMap(({ staticData: { needs, part } }) =>
      needs || part ? { needs, part } : [],
    )
    if (needing.length === 0) return
    const has = await currentCapabilities()
    for (const item of needing) {
      const lack = lackOf(item, has)
      if (lack === 'extension') throw notFound()
      if (lack === 'part') throw notFound({ data: notWithEngine(item.part!, has.engine!.name) })
    }
  },
  loader: async () => {
    // The sidebar depends on the capabilities, so its entries would move when they arrive.
    await Promise.all([prefetch(currentUserQuery), currentCapabilities()])
    void startLiveUpdates()
  },
})

export const siloRoute = createRoute({
  getParentRoute: () => shellRoute,
  id: 'silo',
})

/** Parent of the operators' pages. */
export const systemRoute = createRoute({
  getParentRoute: () => shellRoute,
  id: 'system',
})

export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  staticData: { crumb: 'Settings', crumbTo: '/settings/profile' },
})

const projectsCrumbRoute = createRoute({
  getParentRoute: () => shellRoute,
  id: 'projects-crumb',
  staticData: { crumb: 'Projects', crumbTo: '/projects' },
})

/** Parent of all pages of a project. */
export const projectRoute = createRoute({
  getParentRoute: () => projectsCrumbRoute,
  path: '/projects/$project',
  loader: ({ params: { project } }) => prefetch(projectQuery(project)),
  staticData: {
    crumb: ({ project }) => project!,
    crumbTo: '/projects/$project/instances',
  },
})

/** Redirects from a project's root to its first page. */
export const projectHomeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/',
  beforeLoad: async ({ params }) => {
    const to = (await beginsWithOverviews())
      ? '/projects/$project/overview'
      : '/projects/$project/instances'
    throw redirect({ to, params, replace: true })
  },
})

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async () => {
    throw redirect({ to: (await beginsWithOverviews()) ? '/overview' : '/projects', replace: true })
  },
})

export const settingsHomeRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile', replace: true })
  },
})

export { projectsCrumbRoute }
