import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

/** A switch of a rack; `switch` alone is a word of the language. */
export const rack_switch = {
  type: 'switch',
  words: 'switch',
  resource: 'switches',
  access: operating,
  parent: 'fleet',
  reads: ['switch_list', 'switch_view', 'switch_details_list'],
} as const satisfies Kind
