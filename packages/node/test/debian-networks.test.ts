/**
 * What a real Debian sees of the network of its VPC: addresses, routes, names and the size of packets
 * come by DHCP and router advertisements. It is emulated, and so a minute or two at its boot. With
 * STEADING_SYSTEM_OVN=1, in the namespaces of `support/system-ovn.sh`, the server is that of root.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { Wire } from '@steading/api'
import { JUMBO_MTU } from '@steading/api/rules'
import { expect, onTestFinished, test } from 'vitest'
import { smallInstance } from '../../control-plane/test/support/things.ts'
import { buildDebian, debianMissing } from '../../libvirt/test/support/debian-image.ts'
import { guestsMissing, smallImage } from '../../libvirt/test/support/small-image.ts'
import { makeSshKey, sshMissing } from '../../libvirt/test/support/ssh.ts'
import { rootlessMissing } from '../../rootless/test/support/missing.ts'
import { makeHome } from '../../rootless/test/support/open-server.ts'
import {
  addImage,
  allowSsh,
  bootDisk,
  runIn,
  startAsRoot,
  startOrdinary,
} from './support/ordinary-server.ts'
import { temporaryDirectory } from './support/process.ts'

const isSystem = process.env.STEADING_SYSTEM_OVN === '1'
const missing =
  process.env.STEADING_LONG_TESTS === '1'
    ? ((isSystem ? undefined : rootlessMissing()) ??
      debianMissing() ??
      guestsMissing() ??
      sshMissing())
    : 'it takes minutes (STEADING_LONG_TESTS=1)'
if (missing !== undefined) console.warn(`A real Debian in a network is left out: ${missing}.`)

const MiB = 1024 * 1024
const GiB = 1024 * MiB

const dualStack = (name: string, subnet: string) => ({
  name,
  description: '',
  vpc_name: 'default',
  subnet_name: subnet,
  ip_config: {
    type: 'dual_stack',
    value: { v4: { ip: { type: 'auto' } }, v6: { ip: { type: 'auto' } } },
  },
})

const rule = (name: string, values: object) => ({
  name,
  description: '',
  status: 'enabled',
  priority: 200,
  filters: {},
  ...values,
})

interface DualStack {
  value: { v4: { ip: string }; v6: { ip: string } }
}

/** As `ip -json` prints them. */
interface Link {
  ifname: string
  mtu: number
  addr_info: { local: string; scope: string }[]
}
interface Route {
  dev: string
  gateway: string
}

/** A directory that the user of QEMU may pass. */
function openDirectory(): string {
  const directory = temporaryDirectory()
  chmodSync(directory, 0o755)
  return join(directory, 'data')
}

/** Counts the bytes of uploads at an address of this machine that guests reach; ends with the test. */
async function startReceiver(): Promise<string> {
  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)!.address
  const server = createServer(async (request: IncomingMessage, response) => {
    let size = 0
    for await (const bytes of request) size += (bytes as Buffer).length
    response.end(String(size))
  })
  server.listen(0, address)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://${address}:${(server.address() as AddressInfo).port}/`
}

test.skipIf(missing !== undefined)(
  'Debian gets its addresses, routes, names and packet sizes from the network @long',
  { timeout: 1_800_000 },
  async (context) => {
    // The builds block this process, and connections to a server would end meanwhile.
    const files = { debian: buildDebian(), small: smallImage() }
    const server = await (isSystem
      ? startAsRoot(openDirectory())
      : startOrdinary(await makeHome(context)))
    const { call, settled } = server
    await call('POST', '/v1/projects', { name: 'shop', description: '' })
    await call('PUT', '/v1/system/networking/settings', {
      external_jumbo_frames_opt_in_enabled: true,
    })
    const key = makeSshKey(join(temporaryDirectory(), 'key'))
    const { id: keyId } = await call<Wire.SshKey>('POST', '/v1/me/ssh-keys', {
      name: 'laptop',
      description: '',
      public_key: key.publicKey,
    })
    for (const [name, ipv4_block] of [
      ['back', '10.1.0.0/24'],
      ['far', '10.2.0.0/24'],
    ]) {
      await call('POST', '/v1/vpc-subnets?project=shop&vpc=default', {
        name,
        description: '',
        ipv4_block,
      })
    }
    const inside = { hosts: [{ type: 'vpc', value: 'default' }] }
    const everyone = [{ type: 'vpc', value: 'default' }]
    await call('PUT', '/v1/vpc-firewall-rules?project=shop&vpc=default', {
      rules: [
        allowSsh('web'),
        rule('inside', {
          direction: 'inbound',
          action: 'allow',
          targets: everyone,
          filters: inside,
        }),
        // It gets its addresses all the same.
        rule('nothing-out', {
          direction: 'outbound',
          action: 'deny',
          targets: [{ type: 'instance', value: 'db' }],
        }),
      ],
    })
    const debian = await addImage(server, { name: 'debian', file: files.debian })
    const small = await addImage(server, { name: 'small', file: files.small })
    const create = (name: string, values: object) =>
      call('POST', '/v1/instances?project=shop', {
        ...smallInstance(name, { start: true }),
        enable_jumbo_frames: true,
        ...values,
      })
    await create('web', {
      boot_disk: bootDisk('web', debian, 2 * GiB),
      user_data: Buffer.from('#cloud-config\ndisable_root: false\n').toString('base64'),
      ssh_public_keys: [keyId],
      network_interfaces: {
        type: 'create',
        params: [dualStack('net0', 'default'), dualStack('net1', 'back')],
      },
      external_ips: [{ type: 'ephemeral' }],
    })
    await create('db', {
      boot_disk: bootDisk('db', small, GiB),
      network_interfaces: { type: 'create', params: [dualStack('net0', 'far')] },
    })
    await settled()

    const addressesOf = async (name: string): Promise<string[][]> => {
      const { items } = await call<{ items: Wire.InstanceNetworkInterface[] }>(
        'GET',
        `/v1/network-interfaces?project=shop&instance=${name}`,
      )
      return items.map(({ ip_stack }) => {
        const { v4, v6 } = (ip_stack as unknown as DualStack).value
        return [v4.ip, v6.ip]
      })
    }
    const inWeb = (command: string) => runIn(server, key, 'web', command)

    const links = JSON.parse(await inWeb('ip -json address')) as Link[]
    const seen = links
      .filter(({ ifname }) => ifname !== 'lo')
      .map(({ ifname, mtu, addr_info }) => {
        const own = addr_info.filter(({ scope }) => scope === 'global')
        return { ifname, mtu, addresses: own.map(({ local }) => local) }
      })
    const [first, second] = await addressesOf('web')
    expect(seen).toEqual([
      { ifname: 'eth0', mtu: JUMBO_MTU, addresses: first },
      { ifname: 'eth1', mtu: JUMBO_MTU, addresses: second },
    ])

    const defaults = async (version: 4 | 6) =>
      JSON.parse(await inWeb(`ip -${version} -json route show default`)) as Route[]
    expect(await defaults(4)).toEqual([
      expect.objectContaining({ dev: 'eth0', gateway: '172.30.0.1' }),
    ])
    expect(await defaults(6)).toEqual([
      expect.objectContaining({ dev: 'eth0', gateway: expect.stringMatching(/^fe80::/) }),
    ])

    // systemd-resolved asks with EDNS.
    const [[v4, v6]] = (await addressesOf('db')) as [[string, string]]
    const found = await inWeb(`getent ahostsv4 db; getent ahostsv6 db.default`)
    expect(found.split('\n').map((line) => line.split(/\s+/)[0])).toEqual([
      ...Array.from({ length: 3 }, () => v4),
      ...Array.from({ length: 3 }, () => v6),
    ])

    // Through the router, in one packet.
    for (const [address, headers] of [
      [v4, 28],
      [v6, 48],
    ] as const) {
      const large = `ping -c 1 -W 2 -M do -s ${JUMBO_MTU - headers} ${address} >/dev/null`
      expect(await inWeb(`until ${large}; do :; done; echo passed`)).toBe('passed')
    }
    const receiver = await startReceiver()
    const upload = `head -c ${MiB} /dev/zero | curl -sS -m 300 -T - ${receiver}`
    expect(await inWeb(upload)).toBe(String(MiB))

    // A lease that is renewed lasts longer than it did.
    const lasts = `ip -json address show eth0 | grep -o '"valid_life_time":[0-9]*' | head -n 1 | cut -d: -f2`
    const before = Number(await inWeb(lasts))
    expect(before).toBeGreaterThan(0)
    await inWeb(`networkctl renew eth0; until [ "$(${lasts})" -gt ${before} ]; do sleep 0.2; done`)
  },
)
