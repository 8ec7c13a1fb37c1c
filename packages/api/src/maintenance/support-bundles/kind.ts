import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'
import { bundleCannotDelete, type SupportBundleState, supportBundleStates } from './rules.ts'

/** What those who help need to know of this installation, collected in a file. */
export const support_bundle = {
  type: 'support-bundle',
  words: 'support bundle',
  resource: 'support-bundles',
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: ['support_bundle_list', 'support_bundle_view'],
  bulk: ['delete'],
  deletion: {
    after: [],
    along: [],
    states: supportBundleStates,
    obstacle({ state }) {
      const reason = bundleCannotDelete(state as SupportBundleState)
      return reason ? { reason, steps: [] } : undefined
    },
  },
} as const satisfies Kind
