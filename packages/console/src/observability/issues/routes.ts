import { createRoute } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { issuesQuery } from './open-issues.ts'
import { systemRoute } from '../../page/parent-routes.ts'

export const issuesRoute = createRoute({
  getParentRoute: () => systemRoute,
  path: '/system/issues',
  component: lazyPage(() => import('./issues-page.tsx'), 'IssuesPage'),
  loader: () => prefetch(optional(issuesQuery)),
  staticData: {
    nav: { icon: TriangleAlert, shortcut: 'goIssues' },
    crumb: 'Issues',
    needs: 'issues',
  },
})
