/** Networks between real machines for an ordinary user: a server as it starts without any option. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Wire } from '@steading/api'
import { expect, onTestFinished, test } from 'vitest'
import { sha256, startImageServer } from '../../control-plane/test/support/image-server.ts'
import { smallInstance, until } from '../../control-plane/test/support/things.ts'
import { guestsMissing, smallImage } from '../../libvirt/test/support/small-image.ts'
import { makeSshKey, sshMissing } from '../../libvirt/test/support/ssh.ts'
import { environment, rootlessMissing } from '../../rootless/test/support/missing.ts'
import { type Home, makeHome } from '../../rootless/test/support/open-server.ts'
import { PASSWORD, temporaryDirectory } from './support/process.ts'

const missing = rootlessMissing()
if (missing !== undefined) console.warn(`Networks without root are left out: ${missing}.`)
const guests = missing ?? guestsMissing() ?? sshMissing()

const program = join(import.meta.dirname, '../src/main.ts')

interface Started {
  call: <T>(method: string, path: string, body?: object) => Promise<T>
  /** Waits until the default VPC of project `shop` is in effect. */
  settled: () => Promise<Wire.VpcNetworkStatus>
  kill: () => Promise<void>
}

/** Starts a server of the user of a home, which has nothing but its data directory. */
async function start(home: Home): Promise<Started> {
  const options = environment(home.user, home.path)
  const child: ChildProcess = spawn(
    process.execPath,
    [program, '--port', '0', '--data', join(home.path, 'data')],
    {
      ...options,
      env: {
        ...options.env,
        STEADING_ADMIN_PASSWORD: PASSWORD,
        STEADING_IMAGE_NETWORKS: '127.0.0.1',
        STEADING_COLLECTION: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line)
    if (/http:\/\/\S+/.test(line)) break
  }
  child.stdout!.resume()
  const url = /http:\/\/\S+/.exec(lines.join('\n'))![0]
  const login = await fetch(`${url}/v1/login/main/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    expect(answer.status, `${path}: ${text}`).toBeLessThan(300)
    return (text ? JSON.parse(text) : undefined) as T
  }
  const settled = () =>
    until(
      () => call<Wire.VpcNetworkStatus>('GET', '/x/v1/vpcs/default/network-status?project=shop'),
      ({ behind }) => expect(behind).toBe(false),
    )
  return { call, settled, kill }
}

const allow = (target: string, from?: string) => ({
  name: `ssh-${target}`,
  description: '',
  status: 'enabled',
  direction: 'inbound',
  action: 'allow',
  priority: 100,
  targets: [{ type: 'instance', value: target }],
  filters: {
    protocols: [{ type: 'tcp' }],
    ports: ['22'],
    ...(from && { hosts: [{ type: 'instance', value: from }] }),
  },
})

const rules = '/v1/vpc-firewall-rules?project=shop&vpc=default'

test.skipIf(missing !== undefined)(
  'a new server has networks that survive it, and the next one goes on with them',
  { timeout: 600_000 },
  async (context) => {
    const home = await makeHome(context)
    const first = await start(home)
    expect(await first.call('GET', '/x/v1/capabilities')).toMatchObject({
      engine: 'libvirt',
      network_lacks: [],
    })
    await first.call('POST', '/v1/projects', { name: 'shop', description: '' })
    const { version } = await first.settled()
    await first.kill()

    const second = await start(home)
    await second.call('PUT', rules, { rules: [allow('web')] })
    expect(await second.settled()).toMatchObject({ carried: true, behind: false })
    expect((await second.settled()).version).toBeGreaterThan(version!)
  },
)

test.skipIf(guests !== undefined)(
  'a rule lets one guest reach another, and nobody else @long',
  { timeout: 1_800_000 },
  async (context) => {
    const home = await makeHome(context)
    const { call, settled } = await start(home)
    await call('POST', '/v1/projects', { name: 'shop', description: '' })
    const images = await startImageServer()
    onTestFinished(images.close)
    const bytes = readFileSync(smallImage())
    images.files['/small.qcow2'] = { bytes, etag: '"one"' }
    const download = await call<Wire.ImageDownload>('POST', '/x/v1/image-downloads?project=shop', {
      name: 'small',
      description: '',
      os: 'Debian',
      version: '12',
      url: `${images.url}/small.qcow2`,
      checksum: { type: 'sha256', value: sha256(bytes) },
    })
    const { image_id } = await until(
      () => call<Wire.ImageDownload>('GET', `/x/v1/image-downloads/${download.id}`),
      ({ state }) => expect(state).toBe('ready'),
    )
    const key = makeSshKey(join(temporaryDirectory(), 'key'))
    const { id: keyId } = await call<Wire.SshKey>('POST', '/v1/me/ssh-keys', {
      name: 'laptop',
      description: '',
      public_key: key.publicKey,
    })
    await call('PUT', rules, { rules: [allow('web'), allow('third'), allow('db', 'web')] })
    for (const name of ['web', 'db', 'third']) {
      await call('POST', '/v1/instances?project=shop', {
        ...smallInstance(name),
        start: true,
        ssh_public_keys: [keyId],
        boot_disk: {
          type: 'create',
          name: `${name}-boot`,
          description: '',
          size: 1024 ** 3,
          disk_backend: { type: 'distributed', disk_source: { type: 'image', image_id } },
        },
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
    /** Runs a command in a guest, once that lets its user in. */
    const runIn = async (name: string, command: string): Promise<string> => {
      const { endpoints } = await until(
        () => call<Wire.InstanceNetwork>('GET', `/x/v1/instances/${name}/network?project=shop`),
        (network) => expect(network.endpoints.map(({ port }) => port)).toEqual([22]),
      )
      await until(
        () => key.run(endpoints[0]!, 'hostname').catch((error: Error) => error.message),
        (text) => expect(text).toBe(name),
      )
      return key.run(endpoints[0]!, command)
    }
    const greeting = `nc -w 5 ${db} 22 < /dev/null 2>/dev/null | head -c 3; true`
    await until(
      () => runIn('web', greeting),
      (text) => expect(text).toBe('SSH'),
    )
    expect(await runIn('third', greeting)).toBe('')
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
