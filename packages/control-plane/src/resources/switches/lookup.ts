import type { SwitchSlot } from '@steading/api/rules'
import { fail } from '../../kernel/errors.ts'
import type { Row } from '../../kernel/kinds.ts'
import { type Looker, lookup } from '../../kernel/lookup.ts'

/**
 * The switch in a slot of a rack, as system networking names it.
 * @throws ApiError 404 if there is no such rack, or no switch in the slot
 */
export async function lookupSwitchInSlot(
  looker: Looker<'rack'>,
  rackId: string,
  slot: SwitchSlot,
): Promise<Row<'rack_switch'>> {
  const rack = await lookup(looker, 'rack', rackId)
  const found = await looker.db
    .selectFrom('rack_switch')
    .selectAll()
    .where('rack_id', '=', rack.id)
    .where('slot', '=', slot)
    .executeTakeFirst()
  if (!found) throw fail.notFoundByName('switch', slot)
  return found
}
