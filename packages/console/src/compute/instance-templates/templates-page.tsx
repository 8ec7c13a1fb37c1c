import type { InstanceTemplate } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Boxes, Plus } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { ALL_ITEMS, apiQuery, invalidate } from '../../data/api.ts'
import { pathTo } from '../../data/addresses.ts'
import { useLivePolling } from '../../data/live.ts'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { useListPage } from '../../page/use-list-page.ts'
import type { Column } from '../../ui/column.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { CellLink, TextLink } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { formatNumber } from '../../ui/number.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { siloTemplateListDefinition, templateArgs, templateListDefinition } from './queries.ts'
import { templateDocs } from './words.ts'

const POLL_MS = 10_000
const noun = { one: 'template', many: 'templates' }

/** All templates of a project, or of the silo. */
const allTemplatesQuery = (project?: string) =>
  apiQuery('instanceTemplateSearch', { query: { project, limit: ALL_ITEMS } })

const columnsOf = (link: (name: string) => ReactNode): Column<InstanceTemplate>[] => [
  { id: 'name', header: 'name', sort: 'name', cell: ({ name }) => link(name) },
  descriptionColumn as Column<InstanceTemplate>,
  {
    id: 'variables',
    header: 'variables',
    width: 104,
    phone: 'second',
    labelled: true,
    cell: ({ variableCount }) => formatNumber(variableCount),
  },
  createdColumn as Column<InstanceTemplate>,
]

export const templatesChanged = () => invalidate('instanceTemplateSearch', 'instanceTemplateView')

/** The deletion of a template of a project or of the silo. */
function useDeleteTemplate(project?: string): (template: InstanceTemplate) => MenuAction {
  const away = useApiAction('instanceTemplateDelete', {
    onSuccess: (_, { path }) => {
      doneToast('Template', path.instanceTemplate, 'deleted')
      void templatesChanged()
    },
  })
  return ({ name }) => ({
    label: 'Delete',
    calls: {
      operation: 'instanceTemplateDelete',
      about: [project ? 'instance_template' : 'silo_instance_template'],
    },
    danger: true,
    onAction: () =>
      confirmDelete({
        kind: 'template',
        name,
        extra: 'Instances that were created from it stay.',
        ...away(templateArgs(name, project)),
      }),
  })
}

/** Templates of the silo, which its projects use as well. Below the list, which they do not move. */
function SiloTemplates({ project }: { project: string }) {
  const { data } = useQuery(allTemplatesQuery())
  const items = data?.items ?? []
  if (items.length === 0) return null
  return (
    <section
      aria-label="Templates of the silo"
      className="border-t bg-raised px-(--gutter) pt-4 pb-5"
    >
      <h2 className="font-medium">Templates of the silo</h2>
      <p className="mb-3 text-xs text-secondary">They create instances in each of its projects.</p>
      <ul className="grid gap-x-8 gap-y-2 sm:grid-cols-2 xl:grid-cols-3">
        {items.map(({ id, name, description }) => (
          <li key={id} className="min-w-0">
            <TextLink
              to="/projects/$project/instance-templates/$template"
              params={{ project, template: id }}
            >
              {name}
            </TextLink>
            {description && <p className="text-xs text-secondary wrap-anywhere">{description}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function TemplatesPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const navigate = useNavigate()
  const useIt = '/projects/$project/instance-templates/$template'
  const columns = useMemo(
    () =>
      columnsOf((template) => (
        <CellLink to={useIt} params={{ project, template }}>
          {template}
        </CellLink>
      )),
    [project],
  )
  const list = useListPage(templateListDefinition, { project }, columns, {
    refetchInterval: useLivePolling(POLL_MS),
  })
  const bulk = useBulk('instance_template', list, project)
  const remove = useDeleteTemplate(project)
  useListQuickActions(
    useMemo(
      () => ({
        all: allTemplatesQuery(project),
        group: 'Create from template',
        pathOf: (template: string) => pathTo(useIt, { project, template }),
      }),
      [project],
    ),
  )
  const open = (to: string) => () => void navigate({ to: to as '/' })
  return (
    <ListPage
      title="Templates"
      label="Templates"
      icon={Boxes}
      noun={noun}
      docs={templateDocs}
      reads={['instanceTemplateSearch']}
      create={{
        label: 'New template',
        calls: { operation: 'instanceTemplateCreate', about: ['project'] },
        icon: Plus,
        path: pathTo('/projects/$project/instance-templates-new', { project }),
      }}
      list={list}
      bulk={bulk}
      actions={(template) => {
        const params = { project, template: template.name }
        return [
          {
            label: 'Create instances',
            calls: { operation: 'instanceTemplateUse', about: ['project'] },
            onAction: open(pathTo(useIt, params)),
          },
          {
            label: 'Edit',
            calls: { operation: 'instanceTemplateUpdate', about: ['instance_template'] },
            onAction: open(pathTo('/projects/$project/instance-templates/$template/edit', params)),
          },
          remove(template),
        ]
      }}
      empty={{
        title: 'No templates',
        body: 'Create a template, or save one in the form of a new instance, to create instances from a few values',
        create: 'New template',
      }}
    >
      <SiloTemplates project={project} />
    </ListPage>
  )
}

export function SiloTemplatesPage() {
  const navigate = useNavigate()
  const editIt = '/instance-templates/$template'
  const columns = useMemo(
    () =>
      columnsOf((template) => (
        <CellLink to={editIt} params={{ template }}>
          {template}
        </CellLink>
      )),
    [],
  )
  const list = useListPage(siloTemplateListDefinition, {}, columns, {
    refetchInterval: useLivePolling(POLL_MS),
  })
  const bulk = useBulk('silo_instance_template', list)
  const remove = useDeleteTemplate()
  return (
    <ListPage
      title="Silo Templates"
      label="Silo templates"
      icon={Boxes}
      noun={noun}
      docs={templateDocs}
      reads={['instanceTemplateSearch']}
      create={{
        label: 'New template',
        calls: { operation: 'instanceTemplateCreate', about: ['silo_instance_template'] },
        icon: Plus,
        path: pathTo('/instance-templates-new'),
      }}
      list={list}
      bulk={bulk}
      actions={(template) => [
        {
          label: 'Edit',
          calls: { operation: 'instanceTemplateUpdate', about: ['silo_instance_template'] },
          onAction: () => void navigate({ to: pathTo(editIt, { template: template.name }) as '/' }),
        },
        remove(template),
      ]}
      empty={{
        title: 'No templates',
        body: 'A template of the silo creates instances in each of its projects',
        create: 'New template',
      }}
    />
  )
}
