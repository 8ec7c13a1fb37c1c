import { type SwitchSlot, switchPortMessages } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import './table.ts'

/**
 * Called once a port has its settings, in the transaction that applied them.
 * @throws ApiError 409 if the peers of the ports of a switch have configurations of several ASNs
 */
export async function requireOneAsn(
  db: Db,
  { rack_id, switch_slot }: { rack_id: string; switch_slot: SwitchSlot },
): Promise<void> {
  const asns = await db
    .selectFrom('switch_port as port')
    .innerJoin('bgp_peer as peer', 'peer.port_settings_id', 'port.port_settings_id')
    .innerJoin('bgp_config as config', 'config.id', 'peer.bgp_config_id')
    .select('config.asn')
    .distinct()
    .where('port.rack_id', '=', rack_id)
    .where('port.switch_slot', '=', switch_slot)
    .limit(2)
    .execute()
  if (asns.length > 1) throw fail.conflict(switchPortMessages.otherAsn)
}
