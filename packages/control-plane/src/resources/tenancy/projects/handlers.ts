import type { tables } from '@steading/api'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { createVpc } from '../../networking/vpcs/create.ts'
import { deleteProject } from './delete.ts'
import { toWireProject as toWire } from './kind.ts'
import { changeNamed, newNamed } from '../../../kernel/named-rows.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'

const projects = usualHandlers('project', each(toWire))

export const projectHandlers: Handlers<typeof tables.projectOperations> = {
  project_view: projects.view,
  project_delete: projects.delete(deleteProject),
  project_deletion: projects.deletion,

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
    const { id: silo_id } = await lookup(ctx, 'silo', ctx.actor.siloId)
    const project: Row<'project'> = {
      ...newNamed(ctx, ctx.body),
      time_deleted: null,
      silo_id,
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

  async project_update(ctx) {
    const project = await projects.find(ctx)
    const place = { project_id: project.id }
    return toWire(await changeNamed(ctx, 'project', project, ctx.body, {}, place))
  },
}
