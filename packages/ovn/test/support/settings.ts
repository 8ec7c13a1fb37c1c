import type { VpcSettings } from '../../src/index.ts'

export const settings: VpcSettings = {
  mtu: 1500,
  nameServers: { v4: [], v6: [] },
  uplink: { network: 'outside', chassis: ['one'] },
}
