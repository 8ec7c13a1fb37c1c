import type { InstanceTemplate } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { pathTo } from '../../data/addresses.ts'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { TextLink } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { formatNumber } from '../../ui/number.ts'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { siloTemplateListDefinition, templateArgs, templateListDefinition } from './queries.ts'
import { templateDocs } from './labels.ts'

const templates = resourceList({
  list: templateListDefinition,
  noun: 'template',
  icon: Boxes,
  docs: templateDocs,
  path: '/projects/$project/instance-templates',
  item: '/projects/$project/instance-templates/$template',
  quickGroup: 'Create from template',
  columns: [
    'name',
    'description',
    {
      id: 'variables',
      header: 'variables',
      width: 104,
      phone: 'second',
      labelled: true,
      cell: ({ variableCount }) => formatNumber(variableCount),
    },
    'created',
  ],
  bulk: true,
  create: { calls: { operation: 'instanceTemplateCreate', about: ['project'] } },
  empty: {
    body: 'Create a template, or save one in the form of a new instance, to create instances from a few values',
  },
})

const siloTemplates: typeof templates = {
  ...templates,
  list: siloTemplateListDefinition,
  title: 'Silo Templates',
  label: 'Silo templates',
  path: '/instance-templates',
  item: '/instance-templates/$template',
  quickGroup: false,
  create: {
    ...templates.create!,
    calls: { operation: 'instanceTemplateCreate', about: ['silo_instance_template'] },
  },
  empty: {
    ...templates.empty,
    body: 'A template of the silo creates instances in each of its projects',
  },
}

/** The deletion of a template of a project or of the silo. */
function useDeleteTemplate(project?: string): (template: InstanceTemplate) => MenuAction {
  const remove = useDeleteAction('instanceTemplateDelete', 'template')
  const about = [project ? 'instance_template' : 'silo_instance_template']
  return ({ name }) =>
    remove(name, templateArgs(name, project), {
      calls: { operation: 'instanceTemplateDelete', about },
      extra: 'Instances that were created from it stay.',
    })
}

const siloTemplatesQuery = apiQuery('instanceTemplateSearch', { query: { limit: ALL_ITEMS } })

/** Templates of the silo, which its projects use as well. Below the list, which they do not move. */
function SiloTemplates({ project }: { project: string }) {
  const { data } = useQuery(siloTemplatesQuery)
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
  const remove = useDeleteTemplate(project)
  const open = useOpen()
  return (
    <ResourceList
      of={templates}
      within={{ project }}
      actions={(template) => {
        const params = { project, template: template.name }
        return [
          {
            label: 'Create instances',
            calls: { operation: 'instanceTemplateUse', about: ['project'] },
            onAction: open(pathTo('/projects/$project/instance-templates/$template', params)),
          },
          {
            label: 'Edit',
            calls: { operation: 'instanceTemplateUpdate', about: ['instance_template'] },
            onAction: open(pathTo('/projects/$project/instance-templates/$template/edit', params)),
          },
          remove(template),
        ]
      }}
    >
      <SiloTemplates project={project} />
    </ResourceList>
  )
}

export function SiloTemplatesPage() {
  const remove = useDeleteTemplate()
  const open = useOpen()
  return (
    <ResourceList
      of={siloTemplates}
      actions={(template) => [
        {
          label: 'Edit',
          calls: { operation: 'instanceTemplateUpdate', about: ['silo_instance_template'] },
          onAction: open(pathTo('/instance-templates/$template', { template: template.name })),
        },
        remove(template),
      ]}
    />
  )
}

function useOpen() {
  const navigate = useNavigate()
  return (to: string) => () => void navigate({ to: to as '/' })
}
