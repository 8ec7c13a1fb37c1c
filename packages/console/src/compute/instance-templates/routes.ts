import { createRoute } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes } from '../../page/routes.ts'
import { projectRoute, siloRoute } from '../../page/parent-routes.ts'
import { siloTemplateListDefinition, templateListDefinition, templateQuery } from './queries.ts'

const common = { crumb: 'Templates', needs: 'instanceTemplates' } as const
const newTemplate = { crumb: 'New template' }
const editTemplate = { crumb: 'Edit template' }
const form = lazyPage(() => import('./template-form.tsx'), 'TemplatePage')

const { list, index, trail } = listRoutes(projectRoute, 'templates', '/instance-templates', {
  ...common,
  list: templateListDefinition,
  page: lazyPage(() => import('./templates-page.tsx'), 'TemplatesPage'),
})

export const templateListRoutes = list.addChildren({ index })

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

export const templateRoutes = trail.addChildren([create, use, edit])

const {
  list: siloList,
  index: siloIndex,
  trail: siloTrail,
} = listRoutes(siloRoute, 'silo-templates', '/instance-templates', {
  ...common,
  list: siloTemplateListDefinition,
  nav: { icon: Boxes },
  page: lazyPage(() => import('./templates-page.tsx'), 'SiloTemplatesPage'),
})

export const siloTemplateListRoutes = siloList.addChildren({ index: siloIndex })

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

export const siloTemplateRoutes = siloTrail.addChildren([siloCreate, siloEdit])
