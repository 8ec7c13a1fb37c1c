import type { tables } from '@steading/api'
import { formatNetwork, networkAddress, parseNetwork, vpcPrefixProblem } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { changeNamed } from '../../../kernel/named-rows.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { createVpc } from './create.ts'
import { deleteVpc } from './delete.ts'
import { toWireVpc } from './kind.ts'

/** @throws ApiError 400 for an invalid prefix */
function requirePrefix(text: string): string {
  const prefix = parseNetwork(text)!
  const problem = vpcPrefixProblem(prefix)
  if (problem) throw fail.invalidRequest(problem)
  return formatNetwork(networkAddress(prefix))
}

const vpcs = usualHandlers('vpc', each(toWireVpc))

export const vpcHandlers: Handlers<typeof tables.vpcOperations> = {
  vpc_list: vpcs.list,
  vpc_search: vpcs.search,
  vpc_view: vpcs.view,
  vpc_delete: vpcs.delete(deleteVpc),
  vpc_deletion: vpcs.deletion,

  async vpc_create(ctx) {
    const project = await vpcs.container(ctx)
    authorize(ctx, 'vpc', { siloId: project.silo_id, projectId: project.id })
    const { name, description, dns_name, ipv6_prefix } = ctx.body
    const prefix = ipv6_prefix ? requirePrefix(ipv6_prefix) : undefined
    return toWireVpc(
      await createVpc(ctx, project, {
        name,
        description,
        dns_name,
        ...(prefix ? { ipv6_prefix: prefix } : {}),
      }),
    )
  },

  async vpc_update(ctx) {
    const vpc = await vpcs.find(ctx)
    const dns_name = ctx.body.dns_name ?? vpc.dns_name
    return toWireVpc(await changeNamed(ctx, 'vpc', vpc, ctx.body, { dns_name }))
  },
}
