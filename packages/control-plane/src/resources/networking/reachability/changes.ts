/** The flows that a change of a network would open and close, before it is made. */
import type { Wire } from '@steading/api'
import { NETWORK_CHANGE_LIMITS, NETWORK_TURN_MS } from '@steading/api/rules'
import { type Changes, compareNetworks, compile, edited } from '@steading/network'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { type PlanContext, planOf, type Selectors } from './plan.ts'
import { readNetwork } from './rows.ts'

const noChanges: Changes = {
  changes: [],
  more_changes: 0,
  left_out: { instances: 0, networks: 0, pairs: 0 },
}

/** Compares the network of a VPC before and after a change. */
export async function changesOf(
  context: PlanContext,
  selectors: Selectors,
  change: Wire.NetworkChange,
): Promise<Changes> {
  const plan = await planOf(context, selectors, change)
  if (!plan) return noChanges
  const before = compile(await readNetwork(context.db, { vpcs: [plan.vpcId] }))
  const rows = edited(before.rows, plan.edit(before.rows))
  await yieldToEventLoop()
  const after = compile(rows)
  await yieldToEventLoop()
  const work = compareNetworks(before, after, plan.vpcId, NETWORK_CHANGE_LIMITS)
  for (let begin = performance.now(); ;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() - begin < NETWORK_TURN_MS) continue
    await yieldToEventLoop()
    begin = performance.now()
  }
}
