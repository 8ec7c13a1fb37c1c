import { apiQuery } from '../../data/api.ts'

/** An interface by its ID. */
export const nicQuery = (id: string) =>
  apiQuery('instanceNetworkInterfaceView', { path: { interface: id } })
