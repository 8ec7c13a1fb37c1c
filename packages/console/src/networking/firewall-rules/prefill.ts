/** The rule that the editor in one line hands over to the full form. */
import { createStore } from '../../ui/store.ts'
import type { RuleUpdate } from './rules.ts'

type Filters = RuleUpdate['filters']
type HostEntry = { type: RuleUpdate['targets'][number]['type']; value: string }

/** Values of the form. Text that is not understood is an entry that is not yet added. */
export type RulePrefill = Pick<RuleUpdate, 'name' | 'priority' | 'targets'> & {
  hosts: NonNullable<Filters['hosts']>
  ports: NonNullable<Filters['ports']>
  protocols: NonNullable<Filters['protocols']>
  targetEntry?: HostEntry
  hostEntry?: HostEntry
  portEntry?: { port: string }
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The rule with which the full form begins; it survives a reload. */
    firewallRule?: RulePrefill
  }
}

/** Number of rules created from what was handed over: the line is empty afterwards. */
export const handedOver = createStore(0)
