import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { lookup, requireFreeName } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { named } from '../../../kernel/search/name-key.ts'
import { deleteWidget } from './delete.ts'
import { toWireWidget } from './wire.ts'

export const widgetHandlers: Handlers<typeof tables.widgetOperations> = {
  async widget_list(ctx) {
    const { id } = await lookup(ctx, 'project', ctx.query.project!)
    const rows = rowsOf(ctx.db, 'widget').selectAll().where('project_id', '=', id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireWidget)
  },

  async widget_search(ctx) {
    const { id } = await lookup(ctx, 'project', ctx.query.project!)
    return searchList(ctx, 'widget', id)
  },

  async widget_create(ctx) {
    const project = await lookup(ctx, 'project', ctx.query.project)
    const { name, description, color } = ctx.body
    await requireFreeName(ctx.db, 'widget', project.id, name)
    const time = ctx.now.toISOString()
    const widget: Row<'widget'> = {
      id: crypto.randomUUID(),
      ...named(name),
      description,
      time_created: time,
      time_modified: time,
      time_deleted: null,
      project_id: project.id,
      color,
    }
    await ctx.db.insertInto('widget').values(widget).execute()
    await ctx.emit('widget', 'create', widget)
    return toWireWidget(widget)
  },

  async widget_view(ctx) {
    return toWireWidget(await lookup(ctx, 'widget', ctx.params.widget, ctx.query))
  },

  async widget_update(ctx) {
    const widget = await lookup(ctx, 'widget', ctx.params.widget, ctx.query)
    const name = ctx.body.name ?? widget.name
    const description = ctx.body.description ?? widget.description
    if (name !== widget.name) await requireFreeName(ctx.db, 'widget', widget.project_id, name)
    const updated = { ...widget, ...named(name), description, time_modified: ctx.now.toISOString() }
    await ctx.db.updateTable('widget').set(updated).where('id', '=', widget.id).execute()
    await ctx.emit('widget', 'update', updated)
    return toWireWidget(updated)
  },

  async widget_delete(ctx) {
    await deleteWidget(ctx, await lookup(ctx, 'widget', ctx.params.widget, ctx.query))
  },
}
