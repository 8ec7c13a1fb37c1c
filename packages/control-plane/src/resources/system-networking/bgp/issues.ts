import { PEER_DOWN_AFTER_MS } from '@steading/api'
import { type Finder, issue } from '../../../kernel/issues.ts'
import { known } from '../uplink-hosts/answered.ts'
import { configuredPeers } from './peers.ts'

export const bgpIssues: Finder = async ({ db, now, services }) => {
  if (!services.uplinks) return []
  const sessions = await known(services.uplinks.peers(await configuredPeers(db)))
  return sessions
    .filter(
      ({ state, since }) =>
        state !== 'established' && now.getTime() - since.getTime() > PEER_DOWN_AFTER_MS,
    )
    .map(({ peer, address, state, since }) =>
      issue('bgp_peer_down', `${peer.switch}/${peer.id}`, since.toISOString(), {
        address,
        switch: peer.switch,
        state,
      }),
    )
}
