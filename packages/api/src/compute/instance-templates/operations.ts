import type { Operation } from '../../operation.ts'
import { NameOrId } from '../../schema.ts'
import { searched } from '../../searched.ts'
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

const tags = ['extensions']
const params = { instance_template: NameOrId }
const query = { project: NameOrId.optional() }
const path = '/x/v1/instance-templates'

const seen = { instance_template: 'read', silo_instance_template: 'read' } as const
const changed = { instance_template: 'modify', silo_instance_template: 'modify' } as const

export const instanceTemplateOperations = {
  instance_template_search: searched({
    kind: 'InstanceTemplate',
    item: InstanceTemplate,
    plain: {
      path: '/v1/instance-templates',
      summary: 'List the templates of a project, or of the silo if no project is given',
      permission: { project: 'list', silo_instance_template: 'list' },
      scan: { sort: 'column', modes: [], required: [] },
    },
    columns: ['name', 'natural_name', 'description', 'time_created'],
    filters: {},
    selectors: query,
  }),
  instance_template_create: {
    method: 'POST',
    path,
    tags,
    summary: 'Create a template of a project, or of the silo if no project is given',
    permission: { project: 'create', silo_instance_template: 'create' },
    query,
    body: InstanceTemplateCreate,
    success: { status: 201, schema: InstanceTemplateDetails },
  },
  instance_template_view: {
    method: 'GET',
    path: `${path}/{instance_template}`,
    tags,
    summary: 'Show a template with its instance and its variables',
    permission: seen,
    params,
    query,
    success: { status: 200, schema: InstanceTemplateDetails },
  },
  instance_template_update: {
    method: 'PUT',
    path: `${path}/{instance_template}`,
    tags,
    summary: 'Change a template; instances created from it stay the same',
    permission: changed,
    params,
    query,
    body: InstanceTemplateUpdate,
    success: { status: 200, schema: InstanceTemplateDetails },
  },
  instance_template_delete: {
    method: 'DELETE',
    path: `${path}/{instance_template}`,
    tags,
    summary: 'Delete a template; instances created from it stay',
    permission: changed,
    params,
    query,
    success: { status: 204 },
  },
  /**
   * Each instance is created by itself, all or nothing. If none could be, the call fails with the
   * error of the first; a repeated call creates those that are still missing.
   */
  instance_template_use: {
    method: 'POST',
    path: `${path}/{instance_template}/instances`,
    tags,
    summary: 'Create instances from a template',
    permission: { ...seen, ...instanceOperations.instance_create.permission },
    params,
    query,
    body: InstanceTemplateUse,
    success: { status: 201, schema: InstancesFromTemplate },
  },
  instance_template_draft: {
    method: 'GET',
    path: '/x/v1/instances/{instance}/template',
    tags,
    summary: 'Describe an instance as the beginning of a template, without its user data',
    permission: { instance: 'read' },
    params: { instance: NameOrId },
    query,
    success: { status: 200, schema: InstanceTemplateDraft },
  },
} as const satisfies Record<string, Operation>
