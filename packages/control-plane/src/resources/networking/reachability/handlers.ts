import type { tables, Wire } from '@steading/api'
import { NETWORK_INSTANCES_MAX } from '@steading/api/rules'
import { routeEnd } from '@steading/network'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { changesOf } from './changes.ts'
import { effectiveRules } from './effective-rules.ts'
import { sendPacket } from './packets.ts'
import { answerOfModel, readQuestion } from './question.ts'
import { readTopology } from './rows.ts'

async function readNetworkView(db: Db, vpcIds: string[]): Promise<Wire.NetworkView> {
  const { routes, ...topology } = await readTopology(db, vpcIds, NETWORK_INSTANCES_MAX)
  return {
    ...topology,
    routes: routes.map((route) => ({
      ...route,
      destination: routeEnd(route.destination),
      target: routeEnd(route.target),
    })),
  }
}

export const reachabilityHandlers: Handlers<typeof tables.reachabilityOperations> = {
  reachability_test: async (ctx) => answerOfModel(await readQuestion(ctx, ctx.query, ctx.body)),
  reachability_packet_send: (ctx) => sendPacket(ctx, ctx.query, ctx.body),
  reachability_changes: async (ctx) => changesOf(ctx, ctx.query, ctx.body),

  async instance_firewall_rules_view(ctx) {
    const { id } = await lookup(ctx, 'instance', ctx.params.instance, ctx.query)
    return effectiveRules(ctx.db, id)
  },

  async vpc_network_view(ctx) {
    const vpc = await lookup(ctx, 'vpc', ctx.params.vpc, ctx.query)
    return readNetworkView(ctx.db, [vpc.id])
  },

  async project_network_view(ctx) {
    const project = await lookup(ctx, 'project', ctx.params.project)
    const vpcs = await rowsOf(ctx.db, 'vpc')
      .select('its.id')
      .where('project_id', '=', project.id)
      .execute()
    return readNetworkView(ctx.db, idsIn(vpcs))
  },
}
