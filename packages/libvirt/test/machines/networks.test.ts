/**
 * A real guest of the small image behind the rules of its VPC, reached by SSH through the forwarded
 * port.
 */
import type { Wire } from '@steading/api'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  startSmallServer,
  type SmallServer,
} from '../../../control-plane/test/support/small-server.ts'
import { blankDisk, smallInstance, until } from '../../../control-plane/test/support/things.ts'
import { libvirtEngine, type LibvirtEngineOptions, type LibvirtEngines } from '../../src/engine.ts'
import { guestsMissing, smallImage } from '../support/small-image.ts'
import { makeSshKey, type SshKey, sshMissing } from '../support/ssh.ts'

const missing = guestsMissing()
if (missing !== undefined) {
  console.warn(`The tests with a guest in a network are left out: ${missing}.`)
}

let data: string
const log = vi.fn<(message: string, detail?: unknown) => void>()
let server: SmallServer<LibvirtEngines>
const start = (options: Partial<LibvirtEngineOptions> = {}) =>
  startSmallServer(
    join(data, 'steading.db'),
    libvirtEngine({
      directory: join(data, 'libvirt'),
      stopMs: 10_000,
      scanMs: 500,
      // A busy machine answers late.
      answerMs: 600_000,
      ...options,
    }),
    log,
  )

/** The first bytes that a port sends; undefined if it takes no connection, or ends it. */
const greeting = ({ host_ip, host_port }: Pick<Wire.InstanceEndpoint, 'host_ip' | 'host_port'>) =>
  new Promise<string | undefined>((resolve) => {
    const socket = connect({ host: host_ip, port: host_port })
    socket.once('data', (bytes) => {
      resolve(bytes.toString())
      socket.destroy()
    })
    socket.once('error', () => resolve(undefined))
    socket.once('close', () => resolve(undefined))
    // QEMU accepts connections that a guest without a network never answers.
    socket.setTimeout(10_000, () => socket.destroy())
  })

/** Limit for an emulated guest's boot on a busy machine, in milliseconds. */
const BOOT = 480_000

/** Waits for the guest's boot. Each connection costs a booting guest time, so they are few. */
const greets = (endpoint: Wire.InstanceEndpoint) =>
  vi.waitFor(async () => expect(await greeting(endpoint)).toMatch(/^SSH-2\.0-dropbear/), {
    timeout: BOOT,
    interval: 500,
  })

const withoutSsh = sshMissing()
if (withoutSsh !== undefined) console.warn(`The sign-in by SSH is left out: ${withoutSsh}.`)
let key: SshKey

const view = () =>
  server.call<Wire.InstanceNetwork>('GET', '/x/v1/instances/web/network?project=shop')
const settles = (check: (network: Wire.InstanceNetwork) => void) =>
  until(view, (network) => {
    expect(network.behind).toBe(false)
    check(network)
  })
const setRules = (...ports: string[]) =>
  server.call('PUT', '/v1/vpc-firewall-rules?project=shop&vpc=default', {
    rules: ports.map((port) => ({
      name: `port-${port}`,
      description: '',
      status: 'enabled',
      direction: 'inbound',
      action: 'allow',
      priority: 100,
      targets: [{ type: 'vpc', value: 'default' }],
      filters: { protocols: [{ type: 'tcp' }], ports: [port] },
    })),
  })

/** A disk with the image, as an upload leaves it. */
async function addDisk(): Promise<void> {
  const raw = join(data, 'image.raw')
  execFileSync('qemu-img', ['convert', '-O', 'raw', smallImage(), raw])
  const bytes = readFileSync(raw)
  const { id } = await server.call<Wire.Disk>('POST', '/v1/disks?project=shop', blankDisk('boot'))
  await until(
    () => server.call<Wire.Disk>('GET', `/v1/disks/${id}`),
    ({ state }) => expect(state.state).toBe('detached'),
  )
  const { volumes } = server.controlPlane.engines
  const piece = 1024 * 1024
  for (let at = 0; at < bytes.length; at += piece) {
    const part = bytes.subarray(at, at + piece)
    if (part.some((byte) => byte !== 0)) await volumes.write(id, at, part)
  }
}

describe.skipIf(missing !== undefined)('a guest in a network', () => {
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'steading-networks-'))
    // The libvirt of the system runs QEMU as a user of its own.
    chmodSync(data, 0o711)
    server = await start()
    await server.call('POST', '/v1/projects', { name: 'shop', description: '' })
    await setRules()
    await addDisk()
    const ssh_public_keys: string[] = []
    if (withoutSsh === undefined) {
      key = makeSshKey(join(data, 'key'))
      const { id } = await server.call<Wire.SshKey>('POST', '/v1/me/ssh-keys', {
        name: 'laptop',
        description: '',
        public_key: key.publicKey,
      })
      ssh_public_keys.push(id)
    }
    await server.call('POST', '/v1/instances?project=shop', {
      ...smallInstance('web'),
      ssh_public_keys,
      boot_disk: { type: 'attach', name: 'boot' },
      network_interfaces: { type: 'default_ipv4' },
      external_ips: [{ type: 'ephemeral' }],
      start: true,
    })
  })
  afterAll(async () => {
    if (server) {
      const { machines } = server.controlPlane.engines
      for (const id of await machines.list()) await machines.destroy(id, undefined)
      await server.stop()
    }
    rmSync(data, { recursive: true, force: true })
  })

  let taken: Wire.InstanceEndpoint
  test('no port is open without a rule', async () => {
    await settles(({ version, endpoints, measured }) => {
      expect(version).not.toBeNull()
      expect(measured).toBe(false)
      expect(endpoints).toEqual([])
    })
  })

  test(
    'a rule lets SSH in',
    async () => {
      await setRules('22')
      const { endpoints } = await settles(({ endpoints: list }) => expect(list).toHaveLength(1))
      taken = endpoints[0]!
      expect(taken).toMatchObject({ protocol: 'tcp', port: 22, host_ip: '127.0.0.1' })
      await greets(taken)
    },
    BOOT,
  )

  test.skipIf(withoutSsh !== undefined)(
    'a user signs in with the key of their profile',
    async () => {
      // The settings of cloud-init are read after the server of SSH has started.
      const name = await until(
        () => key.run(taken, 'hostname').catch((error: Error) => error.message),
        (text) => expect(text).toBe('web'),
      )
      expect(name).toBe('web')
      await expect(key.run(taken, 'cat /proc/cmdline')).resolves.toContain('console=ttyS0')
    },
  )

  test('the instance tells its firmware', async () => {
    const path = '/x/v1/instances/web/failure?project=shop'
    expect(await server.call('GET', path)).toMatchObject({ firmware: 'bios' })
  })

  test(
    'a further rule and a reboot leave the port as it is @long',
    async () => {
      await setRules('22', '80')
      const { endpoints } = await settles(({ endpoints: list }) => expect(list).toHaveLength(2))
      expect(endpoints).toContainEqual(taken)
      await server.call('POST', '/v1/instances/web/reboot?project=shop')
      await until(
        () => server.call<Wire.Instance>('GET', '/v1/instances/web?project=shop'),
        ({ run_state }) => expect(run_state).toBe('running'),
      )
      await greets(taken)
    },
    BOOT,
  )

  test('ports that QEMU has lost are forwarded again by the next server', async () => {
    const [id] = await server.controlPlane.engines.machines.list()
    const { libvirt } = await server.controlPlane.engines.host()
    const { version } = await view()
    await libvirt.monitor(
      id!,
      `hostfwd_remove steading0 tcp:${taken.host_ip}:${taken.host_port}`,
      true,
    )
    expect(await greeting(taken)).toBeUndefined()
    await server.stop()
    server = await start()
    await settles((network) => expect(network.version).toBeGreaterThan(version!))
    await greets(taken)
  })

  test('the next server moves the ports to the address that it is given', async () => {
    for (const forwardAddress of ['127.0.0.2', '127.0.0.1']) {
      const before = taken
      await server.stop()
      server = await start({ forwardAddress })
      const { endpoints } = await settles((network) =>
        expect(network.endpoints.map(({ host_ip }) => host_ip)).toEqual(
          network.endpoints.map(() => forwardAddress),
        ),
      )
      taken = endpoints.find(({ port }) => port === 22)!
      expect(await greeting(before)).toBeUndefined()
      await greets(taken)
    }
  })

  test('without the rule the port is closed', async () => {
    await setRules('80')
    await settles(({ endpoints }) => expect(endpoints.map(({ port }) => port)).toEqual([80]))
    expect(await greeting(taken)).toBeUndefined()
  })

  test('a stopped instance has no ports, and gets the same ones when it starts again @long', async () => {
    const [before] = (await view()).endpoints
    const { db } = server.controlPlane.database
    await server.call('POST', '/v1/instances/web/stop?project=shop')
    await until(
      () => db.selectFrom('libvirt_port').selectAll().execute(),
      (rows) => expect(rows).toEqual([]),
    )
    await until(
      () => server.call<Wire.Instance>('GET', '/v1/instances/web?project=shop'),
      ({ run_state }) => expect(run_state).toBe('stopped'),
    )
    await server.call('POST', '/v1/instances/web/start?project=shop')
    await settles(({ endpoints }) => expect(endpoints).toEqual([before]))
  })

  test('no error was logged', () => {
    expect(log.mock.calls).toEqual([])
  })
})
