import { apiQuery } from '../../data/api.ts'
import type { SwitchSlot } from '@steading/api/client'

export const portQuery = (switchPort: string) =>
  apiQuery('networkingSwitchPortView', { path: { switchPort } })

export interface PortPlace {
  rackId: string
  switchSlot: SwitchSlot
  portName: string
}

/** How the operations of a port name it. */
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

/** The ports that have settings, for the overview. */
export const configuredPortsQuery = apiQuery('networkingSwitchPortSearch', {
  query: { configured: 'yes', sortBy: 'natural_name_ascending', limit: 100 },
})
