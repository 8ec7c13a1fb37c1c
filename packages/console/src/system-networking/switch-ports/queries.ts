import type { SwitchSlot } from '@steading/api/client'
import { switchSlots } from '@steading/api/rules'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const switchPortListDefinition: ListDefinition<'networkingSwitchPortList'> = {
  kind: 'switch_port',
  id: 'switch-ports',
  operation: 'networkingSwitchPortList',
  plainSorts: [],
  filters: { switch_slot: switchSlots, configured: ['yes', 'no'], port_settings: 'names' },
}

/** The options of fields for a switch. */
export const switchOptions = switchSlots.map((value) => ({ value, label: value }))

export const portQuery = (switchPort: string) =>
  apiQuery('networkingSwitchPortView', { path: { switchPort } })

export interface PortKey {
  rackId: string
  switchSlot: SwitchSlot
  portName: string
}

/** The arguments of operations that identify a port. */
export const portArgs = ({ rackId, switchSlot, portName }: PortKey) => ({
  path: { port: portName },
  query: { rackId, switchSlot },
})

export const statusQuery = (port: PortKey) => apiQuery('networkingSwitchPortStatus', portArgs(port))
export const lldpQuery = (port: PortKey) =>
  apiQuery('networkingSwitchPortLldpConfigView', portArgs(port))
export const neighborsQuery = ({ rackId, switchSlot, portName }: PortKey) =>
  apiQuery('networkingSwitchPortLldpNeighbors', { path: { rackId, switchSlot, port: portName } })

/** The configured ports, for the overview. */
export const configuredPortsQuery = apiQuery('networkingSwitchPortSearch', {
  query: { configured: 'yes', sortBy: 'natural_name_ascending', limit: 100 },
})

/** Polled because no event announces changes of links; a link comes up within moments. */
export const LINK_POLL_MS = 3_000
