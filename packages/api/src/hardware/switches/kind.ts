import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

/** A switch of a rack, named so because `switch` is a keyword. */
export const rack_switch = {
  type: 'switch',
  resource: 'switches',
  access: operating,
  parent: 'fleet',
  reads: ['switch_list', 'switch_view', 'switch_details_list'],
} as const satisfies Kind
