/** Networks between real machines for an ordinary user: a server as it starts without any option. */
import { join } from 'node:path'
import type { Wire } from '@steading/api'
import { expect, test } from 'vitest'
import { smallInstance, until } from '../../control-plane/test/support/things.ts'
import { guestsMissing, smallImage } from '../../libvirt/test/support/small-image.ts'
import { makeSshKey, sshMissing } from '../../libvirt/test/support/ssh.ts'
import { rootlessMissing } from '../../rootless/test/support/missing.ts'
import { makeHome } from '../../rootless/test/support/open-server.ts'
import { addImage, allowSsh, bootDisk, runIn, startOrdinary } from './support/ordinary-server.ts'
import { temporaryDirectory } from './support/process.ts'

const missing = rootlessMissing()
if (missing !== undefined) console.warn(`Networks without root are left out: ${missing}.`)
const guests = missing ?? guestsMissing() ?? sshMissing()

const rules = '/v1/vpc-firewall-rules?project=shop&vpc=default'

test.skipIf(missing !== undefined)(
  'a new server has networks that survive it, and the next one goes on with them',
  { timeout: 600_000 },
  async (context) => {
    const home = await makeHome(context)
    const first = await startOrdinary(home)
    expect(await first.call('GET', '/x/v1/capabilities')).toMatchObject({
      engine: 'libvirt',
      network_lacks: [],
    })
    await first.call('POST', '/v1/projects', { name: 'shop', description: '' })
    const { version } = await first.settled()
    await first.kill()

    const second = await startOrdinary(home)
    await second.call('PUT', rules, { rules: [allowSsh('web')] })
    expect(await second.settled()).toMatchObject({ carried: true, behind: false })
    expect((await second.settled()).version).toBeGreaterThan(version!)

    const { host_state } = await until(
      () => second.call<Wire.SystemNetworks>('GET', '/x/v1/system/networks'),
      ({ hosts }) => expect(hosts).toMatchObject([{ time_silent: null, tunnels: 0 }]),
    )
    expect(host_state!.daemons.map(({ state }) => state)).toEqual(Array(6).fill('running'))
    expect(await second.call('GET', '/x/v1/vpcs/default/firewall-use?project=shop')).toMatchObject({
      measured: true,
    })
    await second.call('POST', '/v1/instances?project=shop', {
      ...smallInstance('web'),
      start: false,
    })
    expect(await second.call('GET', '/x/v1/instances/web/denied-packets?project=shop')).toEqual({
      recorded: true,
      packets: [],
    })
  },
)

test.skipIf(guests !== undefined)(
  'a rule lets one guest reach another, and nobody else @long',
  { timeout: 1_800_000 },
  async (context) => {
    const home = await makeHome(context)
    const server = await startOrdinary(home)
    const { call, settled } = server
    await call('POST', '/v1/projects', { name: 'shop', description: '' })
    const image = await addImage(server, { name: 'small', file: smallImage() })
    const key = makeSshKey(join(temporaryDirectory(), 'key'))
    const { id: keyId } = await call<Wire.SshKey>('POST', '/v1/me/ssh-keys', {
      name: 'laptop',
      description: '',
      public_key: key.publicKey,
    })
    await call('PUT', rules, { rules: [allowSsh('web'), allowSsh('third'), allowSsh('db', 'web')] })
    for (const name of ['web', 'db', 'third']) {
      await call('POST', '/v1/instances?project=shop', {
        ...smallInstance(name),
        start: true,
        ssh_public_keys: [keyId],
        boot_disk: bootDisk(name, image, 1024 ** 3),
        network_interfaces: { type: 'default_ipv4' },
        external_ips: [{ type: 'ephemeral' }],
      })
    }
    await settled()
    const { items } = await call<{ items: Wire.InstanceNetworkInterface[] }>(
      'GET',
      '/v1/network-interfaces?project=shop&instance=db',
    )
    const db = (items[0]!.ip_stack as { value: { ip: string } }).value.ip
    const greeting = `nc -w 5 ${db} 22 < /dev/null 2>/dev/null | head -c 3; true`
    await until(
      () => runIn(server, key, 'web', greeting),
      (text) => expect(text).toBe('SSH'),
    )
    expect(await runIn(server, key, 'third', greeting)).toBe('')
    await until(
      () => call<Wire.DeniedPackets>('GET', '/x/v1/instances/db/denied-packets?project=shop'),
      ({ packets }) =>
        expect(packets).toContainEqual(
          expect.objectContaining({ protocol: 'tcp', destination: db, port: 22, by_default: true }),
        ),
    )
    await until(
      () => call<Wire.VpcFirewallUse>('GET', '/x/v1/vpcs/default/firewall-use?project=shop'),
      (use) => expect(use.rules.find(({ name }) => name === 'ssh-db')?.packets).toBeGreaterThan(0),
    )
    // Packets that the host sends for them tell the same.
    const send = (from: string) =>
      call<Wire.SentPacket>('POST', '/x/v1/reachability/packets?project=shop', {
        from: { type: 'instance', instance: from },
        to: { type: 'instance', instance: 'db' },
        protocol: 'tcp',
        port: 22,
      })
    expect(await send('web')).toMatchObject({
      arrived: true,
      answer: 'answered',
      verdict: { allowed: true, rule: { name: 'ssh-db' } },
      difference: null,
    })
    expect(await send('third')).toMatchObject({
      arrived: false,
      verdict: { allowed: false, by: 'default' },
      difference: null,
    })
    // Without an endpoint, nobody from outside either.
    expect(
      await call<Wire.InstanceNetwork>('GET', '/x/v1/instances/db/network?project=shop'),
    ).toMatchObject({ behind: false, endpoints: [], not_enforced: [] })
  },
)
