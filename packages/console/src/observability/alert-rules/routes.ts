import { createRoute } from '@tanstack/react-router'
import { BellPlus } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes } from '../../page/routes.ts'
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

const common = {
  crumb: 'Alert Rules',
  needs: 'alertRules',
  nav: { group: 'observe', icon: BellPlus },
  page: lazyPage(() => import('./rules-page.tsx'), 'RulesPage'),
} as const
const rulePage = lazyPage(() => import('./rule-page.tsx'), 'RulePage')
const createPage = lazyPage(() => import('./rule-form.tsx'), 'RuleCreatePage')
const editPage = lazyPage(() => import('./rule-form.tsx'), 'RuleEditPage')

const { list, index, trail } = listRoutes(projectRoute, 'alert-rules', '/alert-rules', {
  ...common,
  list: ruleListDefinition,
})

export const alertRuleListRoutes = list.addChildren({ index })

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
  staticData: { crumb: ({ alertRule }) => alertRule! },
})

const edit = createRoute({
  getParentRoute: () => trail,
  path: '/alert-rules/$alertRule/edit',
  component: editPage,
  loader: ({ params: { project, alertRule } }) => prefetch(ruleQuery(project, alertRule)),
  staticData: { crumb: 'Edit alert rule' },
})

export const alertRuleRoutes = trail.addChildren([create, page, edit])

const {
  list: systemList,
  index: systemIndex,
  trail: systemTrail,
} = listRoutes(systemRoute, 'alert-rules', '/system/alert-rules', {
  ...common,
  list: systemRuleListDefinition,
})

export const systemAlertRuleListRoutes = systemList.addChildren({ index: systemIndex })

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
  staticData: { crumb: ({ alertRule }) => alertRule! },
})

const systemEdit = createRoute({
  getParentRoute: () => systemTrail,
  path: '/system/alert-rules/$alertRule/edit',
  component: editPage,
  loader: ({ params: { alertRule } }) => prefetch(ruleQuery(undefined, alertRule)),
  staticData: { crumb: 'Edit alert rule' },
})

export const systemAlertRuleRoutes = systemTrail.addChildren([systemCreate, systemPage, systemEdit])
