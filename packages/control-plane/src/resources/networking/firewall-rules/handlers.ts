import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { versioning } from '../../workspace/setting-versions/keep.ts'
import { replaceRules } from './replace.ts'
import { toWireRules } from './rules.ts'

export const firewallRuleHandlers: Handlers<typeof tables.firewallRuleOperations> = {
  vpc_firewall_rules_view: async (ctx) =>
    toWireRules(ctx.db, await lookup(ctx, 'vpc', ctx.query.vpc, ctx.query)),

  async vpc_firewall_rules_update(ctx) {
    const vpc = await lookup(ctx, 'vpc', ctx.query.vpc, ctx.query)
    return versioning(ctx, 'firewall_rules', vpc.id, () =>
      replaceRules(ctx, vpc, ctx.body.rules ?? []),
    )
  },
}
