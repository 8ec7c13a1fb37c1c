/** The engine of a server, by its settings and its database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { BlockList, isIPv6 } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@steading/control-plane'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { silenceable, silenceMissing } from '../../libvirt/test/support/file-systems.ts'
import { defaultConfig } from '../src/config.ts'
import { openDatabase as openHost } from '../src/database.ts'
import { createEngine } from '../src/engine.ts'
import { temporaryDirectory } from './support/process.ts'

let data: string
beforeEach(() => void (data = mkdtempSync(join(tmpdir(), 'steading-engine-'))))
afterEach(() => rmSync(data, { recursive: true }))

test('a database keeps its engine', async () => {
  const config = { ...defaultConfig(), data }
  const first = await createEngine({ ...config, engine: 'simulated' })
  const { close } = await openDatabase(await openHost(config), first.engine)
  await close()
  const host = await openHost(config)
  const { engine, name, reason } = await createEngine(config, host)
  expect(name).toBe('simulated')
  expect(reason).toBeUndefined()
  await (await openDatabase(host, engine)).close()
})

test('without libvirt a new database gets simulated machines, and the reason is known', async () => {
  const path = process.env.PATH
  process.env.PATH = data
  try {
    const { name, reason } = await createEngine({ ...defaultConfig(), data })
    expect(name).toBe('simulated')
    expect(reason).toBe('qemu-system-x86_64 is not installed')
  } finally {
    process.env.PATH = path
  }
})

describe('a database with networks by OVN', () => {
  /** Its networks are nowhere on this host. */
  const config = () => ({
    ...defaultConfig(),
    data,
    engine: 'libvirt' as const,
    ovnNorthbound: join(data, 'nb.sock'),
  })
  beforeEach(async () => {
    const { engine } = await createEngine({ ...config(), networks: 'user' })
    const ovn = { name: 'ovn', ports: ['vpcNetworks' as const], open: () => ({}) }
    const host = await openHost(config())
    await (await openDatabase(host, { parts: [...engine.parts, ovn] })).close()
  })

  test('does not go back to others', async () => {
    const host = await openHost(config())
    await expect(createEngine({ ...config(), networks: 'user' }, host)).rejects.toThrow(
      '--networks user: the database has networks by OVN, and cannot go back; start without it, or choose another data directory',
    )
  })

  test.skipIf(process.getuid?.() !== 0)('says what root lacks, and starts', async () => {
    const path = process.env.PATH
    process.env.PATH = data
    try {
      const host = await openHost(config())
      const { networks, networkProblem } = await createEngine(config(), host)
      expect(networks?.part.name).toBe('ovn')
      expect(networkProblem).toMatch(/^ovs-vsctl is not installed; apt-get install /)
    } finally {
      process.env.PATH = path
    }
  })
})

test('ports are forwarded on addresses of this machine only', async () => {
  const choose = (forwardAddress: string) =>
    createEngine({ ...defaultConfig(), data, engine: 'libvirt', forwardAddress })
  for (const own of ['127.0.0.9', '0.0.0.0']) expect((await choose(own)).name).toBe('libvirt')
  await expect(choose('203.0.113.7')).rejects.toThrow(
    '203.0.113.7 is not an address of this machine; choose one with --forward-address',
  )
})

test('a directory for disks that nobody has made is refused', async () => {
  const libvirtVolumes = join(data, 'not-mounted')
  await expect(
    createEngine({ ...defaultConfig(), data, engine: 'libvirt', libvirtVolumes }),
  ).rejects.toThrow(`cannot use the directory ${libvirtVolumes} of --libvirt-volumes: `)
})

test.skipIf(silenceMissing() !== undefined)(
  'a directory for disks that does not answer is refused, and holds up no start',
  async () => {
    const { path, silence } = await silenceable(temporaryDirectory())
    silence()
    const settings = {
      '--libvirt-volumes': { libvirtVolumes: path },
      '--shared-directory': { sharedDirectory: path },
    }
    await Promise.all(
      Object.entries(settings).map(([option, setting]) =>
        expect(
          createEngine({ ...defaultConfig(), data, engine: 'libvirt', ...setting }),
        ).rejects.toThrow(`cannot use the directory ${path} of ${option}: it does not answer`),
      ),
    )
  },
)

test('an engine that was asked for is not replaced by another', async () => {
  const path = process.env.PATH
  process.env.PATH = data
  try {
    const { name } = await createEngine({ ...defaultConfig(), data, engine: 'libvirt' })
    expect(name).toBe('libvirt')
  } finally {
    process.env.PATH = path
  }
})

test('guests cannot pass for a trusted proxy', async () => {
  const choose = (trusted: string) => {
    const trustedProxies = new BlockList()
    const [address, bits] = trusted.split('/')
    trustedProxies.addSubnet(address!, Number(bits), isIPv6(address!) ? 'ipv6' : 'ipv4')
    return createEngine({ ...defaultConfig(), data, engine: 'libvirt', trustedProxies })
  }
  for (const own of ['127.0.0.1/32', '127.0.0.0/8', '::1/128', '0.0.0.0/0']) {
    await expect(choose(own)).rejects.toThrow(/^--trust-proxy contains .*--proxy-socket/)
  }
  expect((await choose('203.0.113.7/32')).name).toBe('libvirt')
})
