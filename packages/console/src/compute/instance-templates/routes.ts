import { createRoute } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute, siloRoute } from '../../page/parent-routes.ts'
import { siloTemplateListDefinition, templateListDefinition, templateQuery } from './queries.ts'

const needs = 'instanceTemplates'
const crumb = 'Templates'
const newTemplate = { crumb: 'New template' }
const editTemplate = { crumb: 'Edit template' }
const form = lazyPage(() => import('./template-form.tsx'), 'TemplatePage')

const trail = createRoute({
  getParentRoute: () => projectRoute,
  id: 'templates-crumb',
  staticData: {
    crumb,
    crumbTo: ({ project }) => `/projects/${project}/instance-templates`,
    needs,
  },
})

const list = createRoute({
  getParentRoute: () => trail,
  path: '/instance-templates',
  component: lazyPage(() => import('./templates-page.tsx'), 'TemplatesPage'),
  ...searchedRoute(templateListDefinition),
  loader: ({ params: { project }, ...visit }) =>
    prefetchList(templateListDefinition, { project }, visit),
})

const create = createRoute({
  getParentRoute: () => trail,
  path: '/instance-templates-new',
  component: form,
  /** The instance that the template is made of. */
  validateSearch: ({ from }: { from?: string }): { from?: string } => ({ from }),
  staticData: newTemplate,
})

const loader = ({ params }: { params: { project?: string; template: string } }) =>
  prefetch(templateQuery(params.template, params.project))

const use = createRoute({
  getParentRoute: () => trail,
  path: '/instance-templates/$template',
  component: lazyPage(() => import('./use-template.tsx'), 'UseTemplatePage'),
  loader,
  staticData: { crumb: 'New instances' },
})

const edit = createRoute({
  getParentRoute: () => trail,
  path: '/instance-templates/$template/edit',
  component: form,
  loader,
  staticData: editTemplate,
})

export const templateRoutes = trail.addChildren([list, create, use, edit])

const siloTrail = createRoute({
  getParentRoute: () => siloRoute,
  id: 'silo-templates-crumb',
  staticData: { crumb, crumbTo: '/instance-templates', needs },
})

const siloList = createRoute({
  getParentRoute: () => siloTrail,
  path: '/instance-templates',
  component: lazyPage(() => import('./templates-page.tsx'), 'SiloTemplatesPage'),
  ...searchedRoute(siloTemplateListDefinition),
  loader: (visit) => prefetchList(siloTemplateListDefinition, {}, visit),
  staticData: { nav: { icon: Boxes } },
})

const siloCreate = createRoute({
  getParentRoute: () => siloTrail,
  path: '/instance-templates-new',
  component: form,
  staticData: newTemplate,
})

const siloEdit = createRoute({
  getParentRoute: () => siloTrail,
  path: '/instance-templates/$template',
  component: form,
  loader,
  staticData: editTemplate,
})

export const siloTemplateRoutes = siloTrail.addChildren([siloList, siloCreate, siloEdit])
