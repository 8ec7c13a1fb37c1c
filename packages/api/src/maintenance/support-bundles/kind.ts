import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'
import { bundleCannotDelete, type SupportBundleState, supportBundleStates } from './rules.ts'

/** Diagnostic data of this installation in one file, for support. */
export const support_bundle = {
  access: operating,
  parent: 'fleet',
  listed: true,
  bulk: ['delete'],
  deletion: {
    after: [],
    cascades: [],
    states: supportBundleStates,
    obstacle({ state }) {
      const reason = bundleCannotDelete(state as SupportBundleState)
      return reason ? { reason, steps: [] } : undefined
    },
  },
} as const satisfies Kind
