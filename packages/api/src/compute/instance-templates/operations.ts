import { NameOrId } from '../../schema.ts'
import { instanceOperations } from '../instances/operations.ts'
import {
  InstancesFromTemplate,
  InstanceTemplate,
  InstanceTemplateCreate,
  InstanceTemplateDetails,
  InstanceTemplateDraft,
  InstanceTemplateUpdate,
  InstanceTemplateUse,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const query = { project: NameOrId.optional() }

const seen = { instance_template: 'read', silo_instance_template: 'read' } as const
const changed = { instance_template: 'modify', silo_instance_template: 'modify' } as const

export const instanceTemplateOperations = usual('instance_template', {
  item: InstanceTemplateDetails,
  path: '/x/v1/instance-templates/{instance_template}',
})({
  instance_template_search: {
    summary:
      'Search, filter and sort the templates of a project, or of the silo if no project is given',
    permission: { project: 'list', silo_instance_template: 'list' },
    required: [],
    pages: InstanceTemplate,
    items: 'InstanceTemplate',
  },
  instance_template_create: {
    summary: 'Create a template of a project, or of the silo if no project is given',
    permission: { project: 'create', silo_instance_template: 'create' },
    query,
    body: InstanceTemplateCreate,
  },
  instance_template_view: {
    summary: 'Show a template with its instance and its variables',
    permission: seen,
  },
  instance_template_update: {
    summary: 'Change a template; instances created from it stay the same',
    permission: changed,
    body: InstanceTemplateUpdate,
  },
  instance_template_delete: {
    summary: 'Delete a template; instances created from it stay',
    permission: changed,
  },
  /**
   * Each instance is created by itself, all or nothing. If none could be, the call fails with the
   * error of the first; a repeated call creates those that are still missing.
   */
  instance_template_use: {
    route: 'POST instances',
    summary: 'Create instances from a template',
    permission: { ...seen, ...instanceOperations.instance_create.permission },
    body: InstanceTemplateUse,
    success: { status: 201, schema: InstancesFromTemplate },
    changes: ['instance'],
  },
  instance_template_draft: {
    route: 'GET /x/v1/instances/{instance}/template',
    summary: 'Describe an instance as the beginning of a template, without its user data',
    permission: { instance: 'read' },
    query,
    answer: InstanceTemplateDraft,
  },
})
