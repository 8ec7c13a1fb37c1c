import type { SwitchSlot } from '@steading/api/client'
import { switchSlots } from '@steading/api/rules'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const switchPortListDefinition: ListDefinition<'networkingSwitchPortList'> = {
  kind: 'switch_port',
  id: 'switch-ports',
  operation: 'networkingSwitchPortList',
  plainSorts: [],
  searched: 'networkingSwitchPortSearch',
  filters: { switch_slot: switchSlots, configured: ['yes', 'no'], port_settings: 'names' },
}

/** The options of fields for a switch. */
export const switchOptions = switchSlots.map((value) => ({ value, label: value }))

export const portQuery = (switchPort: string) =>
  apiQuery('networkingSwitchPortView', { path: { switchPort } })

export interface PortPlace {
  rackId: string
  switchSlot: SwitchSlot
  portName: string
}

/** The arguments of operations that identify a port. */
export const placeOf = ({ rackId, switchSlot, portName }: PortPlace) => ({
  path: { port: portName },
  query: { rackId, switchSlot },
})

export const statusQuery = (port: PortPlace) =>
  apiQuery('networkingSwitchPortStatus', placeOf(port))
export const lldpQuery = (port: PortPlace) =>
  apiQuery('networkingSwitchPortLldpConfigView', placeOf(port))
export const neighborsQuery = ({ rackId, switchSlot, portName }: PortPlace) =>
  apiQuery('networkingSwitchPortLldpNeighbors', { path: { rackId, switchSlot, port: portName } })

/** The configured ports, for the overview. */
export const configuredPortsQuery = apiQuery('networkingSwitchPortSearch', {
  query: { configured: 'yes', sortBy: 'natural_name_ascending', limit: 100 },
})

/** Polled because no event announces changes of links; a link comes up within moments. */
export const LINK_POLL_MS = 3_000
