import { DELETION_RACED } from '@steading/api/rules'
import { authorize } from '../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../kernel/context.ts'
import { fail } from '../../kernel/errors.ts'
import { listPage } from '../../kernel/paging.ts'
import { createVpc } from '../vpcs/create.ts'
import { lookupProject, type ProjectRow } from './lookup.ts'
import { projectCannotDelete, projectNameTaken } from './store.ts'
import { viewProject as view } from './view.ts'

const changed = (ctx: Context, project: ProjectRow, action: 'create' | 'update' | 'delete') =>
  ctx.emit({
    resource: 'projects',
    action,
    resource_id: project.id,
    name: project.name,
    silo_id: project.silo_id,
    project_id: project.id,
  })

type ProjectOperation =
  | 'project_list'
  | 'project_create'
  | 'project_view'
  | 'project_update'
  | 'project_delete'

export const projectHandlers: Handlers<ProjectOperation> = {
  async project_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'silo', { siloId })
    const query = ctx.db
      .selectFrom('project')
      .selectAll()
      .where('silo_id', '=', siloId)
      .where('time_deleted', 'is', null)
    return listPage(ctx.page, query, { name: 'name', id: 'id' }, view)
  },

  async project_create(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'silo', { siloId })
    const { name, description } = ctx.body
    if (await projectNameTaken(ctx.db, siloId, name)) throw fail.alreadyExists('project', name)
    const time = ctx.now.toISOString()
    const project: ProjectRow = {
      id: crypto.randomUUID(),
      silo_id: siloId,
      name,
      description,
      time_created: time,
      time_modified: time,
      time_deleted: null,
    }
    await ctx.db.insertInto('project').values(project).execute()
    await createVpc(ctx, project, {
      name: 'default',
      description: 'Default VPC',
      dns_name: 'default',
    })
    await changed(ctx, project, 'create')
    return view(project)
  },

  async project_view(ctx) {
    return view(await lookupProject(ctx, ctx.params.project))
  },

  async project_update(ctx) {
    const project = await lookupProject(ctx, ctx.params.project)
    const name = ctx.body.name ?? project.name
    const description = ctx.body.description ?? project.description
    if (name !== project.name && (await projectNameTaken(ctx.db, project.silo_id, name))) {
      throw fail.alreadyExists('project', name)
    }
    const updated = { ...project, name, description, time_modified: ctx.now.toISOString() }
    await ctx.db.updateTable('project').set(updated).where('id', '=', project.id).execute()
    await changed(ctx, updated, 'update')
    return view(updated)
  },

  async project_delete(ctx) {
    const project = await lookupProject(ctx, ctx.params.project)
    const refusal = await projectCannotDelete(ctx.db, project.id)
    if (refusal) throw fail.invalidRequest(refusal)
    const deleted = await ctx.db
      .updateTable('project')
      .set({ time_deleted: ctx.now.toISOString() })
      .where('id', '=', project.id)
      .where('time_deleted', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!deleted) throw fail.invalidRequest(DELETION_RACED)
    await ctx.db
      .deleteFrom('role_assignment')
      .where('resource_type', '=', 'project')
      .where('resource_id', '=', project.id)
      .execute()
    await changed(ctx, project, 'delete')
  },
}
