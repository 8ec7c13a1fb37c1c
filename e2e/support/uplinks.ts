import type { ApiClient, BgpConfig } from '@steading/api/client'
import type { Host } from './host.ts'
import { ok } from './seed.ts'

/** A lot, a set that announces a network of it, and a configuration. */
export async function makeUplinks(api: ApiClient): Promise<BgpConfig> {
  await ok(
    api.networkingAddressLotCreate({
      body: {
        name: 'provider',
        description: 'From the provider',
        kind: 'infra',
        blocks: [
          { firstAddress: '198.51.100.0', lastAddress: '198.51.100.255' },
          { firstAddress: '2001:db8::', lastAddress: '2001:db8::ffff' },
        ],
      },
    }),
  )
  await ok(
    api.networkingBgpAnnounceSetUpdate({
      body: {
        name: 'public',
        description: '',
        announcement: [{ addressLotBlock: 'provider', network: '198.51.100.128/25' }],
      },
    }),
  )
  return ok(
    api.networkingBgpConfigCreate({
      body: { name: 'edge', description: '', asn: 64_700, bgpAnnounceSetId: 'public', maxPaths: 1 },
    }),
  )
}

/** A peer on a port. There is no call of the API for port settings yet. */
export async function addPeer({ server }: Host, configId: string, address: string): Promise<void> {
  const { db } = server.controlPlane.database
  const { id: rack_id } = await db.selectFrom('rack').select('id').executeTakeFirstOrThrow()
  const port_settings_id = crypto.randomUUID()
  await db
    .insertInto('switch_port')
    .values({
      id: crypto.randomUUID(),
      rack_id,
      switch_slot: 'switch0',
      port_name: 'qsfp0',
      port_settings_id,
      // Long enough ago for its session to be established.
      time_applied: new Date(Date.now() - 60_000).toISOString(),
    })
    .execute()
  await db
    .insertInto('bgp_peer')
    .values({
      id: crypto.randomUUID(),
      port_settings_id,
      link_name: 'phy0',
      bgp_config_id: configId,
      peer: JSON.stringify({
        addr: { type: 'numbered', target_addr: address },
        allowed_export: { type: 'no_filtering' },
        allowed_import: { type: 'no_filtering' },
        connect_retry: 3,
        delay_open: 3,
        hold_time: 6,
        idle_hold_time: 3,
        keepalive: 2,
        remote_asn: 64_496,
      }),
    })
    .execute()
}
