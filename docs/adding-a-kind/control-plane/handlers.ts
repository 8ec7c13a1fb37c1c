import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { changeNamed, insertNamed } from '../../../kernel/named-rows.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { deleteWidget, toWireWidget } from './kind.ts'

const widgets = usualHandlers('widget', each(toWireWidget))

export const widgetHandlers: Handlers<typeof tables.widgetOperations> = {
  widget_list: widgets.list,
  widget_search: widgets.search,
  widget_view: widgets.view,
  widget_update: widgets.change((ctx, widget, body) => changeNamed(ctx, 'widget', widget, body)),
  widget_delete: widgets.delete(deleteWidget),

  async widget_create(ctx) {
    const { id: project_id } = await widgets.container(ctx)
    const { color } = ctx.body
    return toWireWidget(await insertNamed(ctx, 'widget', ctx.body, { project_id, color }))
  },
}
