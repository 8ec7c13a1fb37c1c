import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

/** A session by which a switch detects a dead path to a router. */
export const bfd_session = {
  words: 'BFD session',
  access: operating,
  parent: 'fleet',
  reads: ['issue_list', 'networking_bfd_status'],
} as const satisfies Kind
