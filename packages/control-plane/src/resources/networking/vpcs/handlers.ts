import type { tables } from '@steading/api'
import { formatNetwork, networkAddress, parseNetwork, vpcPrefixProblem } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { lookup, requireFreeName } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { named } from '../../../kernel/search/name-key.ts'
import { describeDeletion } from '../../workspace/deletion/describe.ts'
import { createVpc } from './create.ts'
import { deleteVpc } from './delete.ts'
import { toWireVpc } from './wire.ts'

/** @throws ApiError 400 for an invalid prefix */
function requirePrefix(text: string): string {
  const prefix = parseNetwork(text)!
  const problem = vpcPrefixProblem(prefix)
  if (problem) throw fail.invalidRequest(problem)
  return formatNetwork(networkAddress(prefix))
}

export const vpcHandlers: Handlers<typeof tables.vpcOperations> = {
  async vpc_list(ctx) {
    const { id } = await lookup(ctx, 'project', ctx.query.project!)
    const rows = rowsOf(ctx.db, 'vpc').selectAll().where('project_id', '=', id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireVpc)
  },

  async vpc_search(ctx) {
    const { id } = await lookup(ctx, 'project', ctx.query.project!)
    return searchList(ctx, 'vpc', id)
  },

  async vpc_create(ctx) {
    const project = await lookup(ctx, 'project', ctx.query.project)
    authorize(ctx, 'vpc', { siloId: project.silo_id, projectId: project.id })
    const { name, description, dns_name, ipv6_prefix } = ctx.body
    const prefix = ipv6_prefix ? requirePrefix(ipv6_prefix) : undefined
    await requireFreeName(ctx.db, 'vpc', project.id, name)
    return toWireVpc(
      await createVpc(ctx, project, {
        name,
        description,
        dns_name,
        ...(prefix ? { ipv6_prefix: prefix } : {}),
      }),
    )
  },

  async vpc_view(ctx) {
    return toWireVpc(await lookup(ctx, 'vpc', ctx.params.vpc, ctx.query))
  },

  async vpc_update(ctx) {
    const vpc = await lookup(ctx, 'vpc', ctx.params.vpc, ctx.query)
    const { name, description, dns_name } = ctx.body
    const updated = {
      ...vpc,
      ...named(name ?? vpc.name),
      description: description ?? vpc.description,
      dns_name: dns_name ?? vpc.dns_name,
      time_modified: ctx.now.toISOString(),
    }
    if (updated.name !== vpc.name) {
      await requireFreeName(ctx.db, 'vpc', vpc.project_id, updated.name)
    }
    await ctx.db.updateTable('vpc').set(updated).where('id', '=', vpc.id).execute()
    await ctx.emit('vpc', 'update', updated)
    return toWireVpc(updated)
  },

  async vpc_delete(ctx) {
    await deleteVpc(ctx, await lookup(ctx, 'vpc', ctx.params.vpc, ctx.query))
  },

  async vpc_deletion(ctx) {
    return describeDeletion(ctx, 'vpc', await lookup(ctx, 'vpc', ctx.params.vpc, ctx.query))
  },
}
