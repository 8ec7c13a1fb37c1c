import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

export const alert = {
  access: operating,
  parent: 'fleet',
  listed: true,
} as const satisfies Kind
