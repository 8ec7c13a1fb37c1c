import type { tables } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { lookup, requireFreeName } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { createVpc } from '../../networking/vpcs/create.ts'
import { deleteProject } from './delete.ts'
import { toWireProject as toWire } from './wire.ts'
import { describeDeletion } from '../../workspace/deletion/describe.ts'
import { named } from '../../../kernel/search/name-key.ts'

export const projectHandlers: Handlers<typeof tables.projectOperations> = {
  async project_list(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'silo', { siloId })
    const rows = rowsOf(ctx.db, 'project').selectAll().where('silo_id', '=', siloId)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWire)
  },

  async project_search(ctx) {
    const { siloId } = ctx.actor
    authorize(ctx, 'silo', { siloId })
    return searchList(ctx, 'project', siloId)
  },

  async project_create(ctx) {
    // Not taken from the cached session: another server may have just deleted the silo.
    const { id: siloId } = await lookup(ctx, 'silo', ctx.actor.siloId)
    const { name, description } = ctx.body
    await requireFreeName(ctx.db, 'project', siloId, name)
    const time = ctx.now.toISOString()
    const project: Row<'project'> = {
      id: crypto.randomUUID(),
      silo_id: siloId,
      ...named(name),
      description,
      time_created: time,
      time_modified: time,
      time_deleted: null,
      used_cpus: 0,
      used_memory: 0,
      used_storage: 0,
    }
    await ctx.db.insertInto('project').values(project).execute()
    await createVpc(ctx, project, {
      name: 'default',
      description: 'Default VPC',
      dns_name: 'default',
    })
    await ctx.emit('project', 'create', { ...project, project_id: project.id })
    return toWire(project)
  },

  async project_view(ctx) {
    return toWire(await lookup(ctx, 'project', ctx.params.project))
  },

  async project_update(ctx) {
    const project = await lookup(ctx, 'project', ctx.params.project)
    const name = ctx.body.name ?? project.name
    const description = ctx.body.description ?? project.description
    if (name !== project.name) await requireFreeName(ctx.db, 'project', project.silo_id, name)
    const updated = {
      ...project,
      ...named(name),
      description,
      time_modified: ctx.now.toISOString(),
    }
    await ctx.db.updateTable('project').set(updated).where('id', '=', project.id).execute()
    await ctx.emit('project', 'update', { ...updated, project_id: project.id })
    return toWire(updated)
  },

  async project_delete(ctx) {
    await deleteProject(ctx, await lookup(ctx, 'project', ctx.params.project))
  },

  async project_deletion(ctx) {
    const project = await lookup(ctx, 'project', ctx.params.project)
    return describeDeletion(ctx, 'project', project)
  },
}
