import type { tables } from '@steading/api'
import { templateMessages } from '@steading/api/rules'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { toWireInstance } from '../instances/wire.ts'
import {
  deleteTemplate,
  toWireTemplateDetails,
  lookupTemplate,
  placeOfTemplates,
  templateKind,
} from './kind.ts'
import { draftOf } from './draft.ts'
import { containerOf } from '../../tenancy/projects/placed.ts'
import { createTemplate, updateTemplate } from './save.ts'
import { instancesFrom, type Made } from './use.ts'

const templateOf = (
  ctx: Context<
    | 'instance_template_view'
    | 'instance_template_update'
    | 'instance_template_delete'
    | 'instance_template_use'
  >,
) => lookupTemplate(ctx, ctx.params.instance_template, ctx.query.project)

export const instanceTemplateHandlers: Handlers<typeof tables.instanceTemplateOperations> = {
  async instance_template_search(ctx) {
    const place = await placeOfTemplates(ctx, ctx.query.project)
    return searchList(ctx, templateKind(place), containerOf(place))
  },

  async instance_template_create(ctx) {
    const place = await placeOfTemplates(ctx, ctx.query.project)
    return toWireTemplateDetails(await createTemplate(ctx, place))
  },

  instance_template_view: async (ctx) => toWireTemplateDetails(await templateOf(ctx)),
  instance_template_update: async (ctx) =>
    toWireTemplateDetails(await updateTemplate(ctx, await templateOf(ctx))),

  async instance_template_delete(ctx) {
    await deleteTemplate(ctx, await templateOf(ctx))
  },

  async instance_template_use(ctx) {
    const template = await templateOf(ctx)
    const target = ctx.body.project ?? template.project_id
    if (target === null) throw fail.invalidRequest(templateMessages.project)
    const project = await lookup(ctx, 'project', target)
    const made = await instancesFrom(ctx, template, project)
    const { reconciler, settings, database } = ctx.services
    const ids = made.flatMap(({ instance }) => (instance ? [instance.id] : []))
    // A single instance is answered as by the call that creates one: settled.
    const [only] = ids
    ctx.afterCommit(() =>
      ids.length === 1 ? reconciler.settle('instance', only!) : wake(reconciler),
    )
    return async () => {
      const rows = await rowsOf(database.db, 'instance')
        .selectAll()
        .where('its.id', 'in', ids)
        .execute()
      const byId = new Map(rows.map((row) => [row.id, row]))
      return {
        items: made.map(({ name, instance, refusal }: Made) => {
          const row = instance && (byId.get(instance.id) ?? instance)
          return {
            name,
            instance: row ? toWireInstance(row, settings.autoRestartCooldownMs) : null,
            error_code: refusal?.template.error_code ?? null,
            message: refusal?.template.message ?? null,
          }
        }),
      }
    }
  },

  async instance_template_draft(ctx) {
    const { instance, project } = { ...ctx.params, ...ctx.query }
    return draftOf(ctx.db, await lookup(ctx, 'instance', instance, { project }))
  },
}

async function wake(reconciler: { wake: (kind: 'instance') => void }): Promise<void> {
  reconciler.wake('instance')
}
