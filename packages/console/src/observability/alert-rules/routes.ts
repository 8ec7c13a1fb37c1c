import { createRoute } from '@tanstack/react-router'
import { BellPlus } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute, systemRoute } from '../../page/parent-routes.ts'
import {
  ruleListDefinition,
  systemRuleListDefinition,
  firingsQuery,
  ruleQuery,
  seriesQuery,
} from './queries.ts'

/** Initial query of the form, from the chart that opened it. */
const validateSearch = ({ query }: { query?: unknown }): { query?: string } =>
  typeof query === 'string' && query !== '' ? { query } : {}

const listPage = lazyPage(() => import('./rules-page.tsx'), 'RulesPage')
const rulePage = lazyPage(() => import('./rule-page.tsx'), 'RulePage')
const createPage = lazyPage(() => import('./rule-form.tsx'), 'RuleCreatePage')
const editPage = lazyPage(() => import('./rule-form.tsx'), 'RuleEditPage')

const trail = createRoute({
  getParentRoute: () => projectRoute,
  id: 'alert-rules-crumb',
  staticData: {
    crumb: 'Alert Rules',
    crumbTo: ({ project }) => `/projects/${project}/alert-rules`,
    needs: 'alertRules',
  },
})

const list = createRoute({
  getParentRoute: () => trail,
  path: '/alert-rules',
  staticData: { nav: { group: 'observe', icon: BellPlus } },
  component: listPage,
  ...searchedRoute(ruleListDefinition),
  loader: ({ params: { project }, ...visit }) =>
    prefetchList(ruleListDefinition, { project }, visit),
})

const create = createRoute({
  getParentRoute: () => trail,
  path: '/alert-rules-new',
  component: createPage,
  validateSearch,
  staticData: { crumb: 'New alert rule' },
})

const page = createRoute({
  getParentRoute: () => trail,
  path: '/alert-rules/$alertRule',
  component: rulePage,
  loader: ({ params: { project, alertRule } }) =>
    prefetch(
      ruleQuery(project, alertRule),
      optional(seriesQuery(project, alertRule)),
      optional(firingsQuery(project, alertRule)),
    ),
  staticData: {
    crumb: ({ alertRule }) => alertRule!,
    crumbTo: ({ project, alertRule }) => `/projects/${project}/alert-rules/${alertRule}`,
  },
})

const edit = createRoute({
  getParentRoute: () => trail,
  path: '/alert-rules/$alertRule/edit',
  component: editPage,
  loader: ({ params: { project, alertRule } }) => prefetch(ruleQuery(project, alertRule)),
  staticData: { crumb: 'Edit alert rule' },
})

export const alertRuleRoutes = trail.addChildren([list, create, page, edit])

const systemTrail = createRoute({
  getParentRoute: () => systemRoute,
  id: 'alert-rules-crumb',
  staticData: { crumb: 'Alert Rules', crumbTo: '/system/alert-rules', needs: 'alertRules' },
})

const systemList = createRoute({
  getParentRoute: () => systemTrail,
  path: '/system/alert-rules',
  staticData: { nav: { group: 'observe', icon: BellPlus } },
  component: listPage,
  ...searchedRoute(systemRuleListDefinition),
  loader: (visit) => prefetchList(systemRuleListDefinition, {}, visit),
})

const systemCreate = createRoute({
  getParentRoute: () => systemTrail,
  path: '/system/alert-rules-new',
  component: createPage,
  validateSearch,
  staticData: { crumb: 'New alert rule' },
})

const systemPage = createRoute({
  getParentRoute: () => systemTrail,
  path: '/system/alert-rules/$alertRule',
  component: rulePage,
  loader: ({ params: { alertRule } }) =>
    prefetch(
      ruleQuery(undefined, alertRule),
      optional(seriesQuery(undefined, alertRule)),
      optional(firingsQuery(undefined, alertRule)),
    ),
  staticData: {
    crumb: ({ alertRule }) => alertRule!,
    crumbTo: ({ alertRule }) => `/system/alert-rules/${alertRule}`,
  },
})

const systemEdit = createRoute({
  getParentRoute: () => systemTrail,
  path: '/system/alert-rules/$alertRule/edit',
  component: editPage,
  loader: ({ params: { alertRule } }) => prefetch(ruleQuery(undefined, alertRule)),
  staticData: { crumb: 'Edit alert rule' },
})

export const systemAlertRuleRoutes = systemTrail.addChildren([
  systemList,
  systemCreate,
  systemPage,
  systemEdit,
])
