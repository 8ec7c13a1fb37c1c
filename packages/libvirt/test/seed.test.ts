/** The CD with the first settings of a guest. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { seedFiles, writeSeed } from '../src/seed.ts'
import renderedAttached from './support/cloud-init-22.4-attached.json' with { type: 'json' }
import rendered from './support/cloud-init-22.4.json' with { type: 'json' }
import { machinesMissing } from './support/libvirt.ts'

/** An unpacked Debian package of cloud-init 22.4, with the packages that it needs. */
const cloudInit = process.env.STEADING_CLOUD_INIT
if (cloudInit === undefined) {
  console.warn(
    'cloud-init does not read the settings of guests: STEADING_CLOUD_INIT names no unpacked package. They are compared with those that it has read.',
  )
}

const settings = {
  hostname: 'guest',
  sshPublicKeys: ['ssh-ed25519 AAAA "me"'],
  userData: Buffer.from('#!/bin/sh\necho ü\0').toString('base64'),
  interfaces: [
    {
      name: 'net0',
      mac: 'A8:40:25:F0:00:01',
      primary: true,
      addresses: [
        { address: '172.30.1.5', prefixLength: 22, gateway: '172.30.0.1' },
        { address: 'fd00::5', prefixLength: 64, gateway: 'fd00::1' },
      ],
    },
    {
      name: 'net1',
      mac: 'A8:40:25:F0:00:02',
      primary: false,
      addresses: [{ address: '10.0.0.9', prefixLength: 24, gateway: '10.0.0.1' }],
    },
  ],
}

test('user data is exactly what was given', () => {
  const { 'user-data': data } = seedFiles('instance', settings)
  expect(Buffer.from(data as Uint8Array).toString()).toBe('#!/bin/sh\necho ü\0')
})

test('metadata has the names and keys', () => {
  const { 'meta-data': data } = seedFiles('instance', settings)
  expect(JSON.parse(data as string)).toEqual({
    'instance-id': 'instance',
    'local-hostname': 'guest',
    'public-keys': ['ssh-ed25519 AAAA "me"'],
  })
})

test('the network has the addresses and gateways of the control plane', () => {
  const { 'network-config': data } = seedFiles('instance', settings)
  expect(JSON.parse(data as string)).toEqual(rendered.config)
})

test('interfaces of an instance with jumbo frames have their MTU', () => {
  const { 'network-config': data } = seedFiles('instance', { ...settings, mtu: 8500 })
  const { config } = JSON.parse(data as string) as { config: { mtu?: number }[] }
  expect(config.map(({ mtu }) => mtu)).toEqual([8500, 8500])
})

const attachment = {
  kind: 'openvswitch' as const,
  bridge: 'br-int',
  port: 'nic',
  mtu: 1500,
}
const attached = {
  ...settings,
  interfaces: settings.interfaces.map((nic) => ({
    ...nic,
    addresses: settings.interfaces[0]!.addresses,
    attachment,
  })),
}

test('a network of VPCs tells interfaces all but the IPv6 addresses of further ones', () => {
  const { 'network-config': data } = seedFiles('instance', { ...attached, mtu: 8500 })
  expect(JSON.parse(data as string)).toEqual(renderedAttached.config)
})

test('interfaces at a network of VPCs ask for no version without an address', () => {
  const [nic] = attached.interfaces
  for (const [at, version] of (['v4', 'v6'] as const).entries()) {
    const interfaces = [{ ...nic!, addresses: [nic!.addresses[at]!] }]
    const { 'network-config': data } = seedFiles('instance', { ...attached, interfaces })
    const { ethernets } = JSON.parse(data as string) as typeof renderedAttached.config
    const { dhcp4, dhcp6, 'accept-ra': listens } = ethernets.eth0
    expect({ dhcp4, dhcp6, listens }).toEqual({
      dhcp4: version === 'v4',
      dhcp6: version === 'v6',
      listens: version === 'v6',
    })
  }
})

test.skipIf(cloudInit === undefined).each([
  ['makes default routes of the gateways', settings, rendered],
  ['asks a network of VPCs', attached, renderedAttached],
] as const)('cloud-init %s, for each way to configure a network', (_, given, { renderers }) => {
  const folder = mkdtempSync(join(tmpdir(), 'steading-seed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const input = join(folder, 'network-config')
  writeFileSync(input, seedFiles('instance', given)['network-config'] as string)
  for (const [renderer, { distro, files }] of Object.entries(renderers)) {
    const out = join(folder, renderer)
    const names = settings.interfaces.flatMap(({ mac }, index) => [
      '--mac',
      `eth${index},${mac.toLowerCase()}`,
    ])
    const program = ['-m', 'cloudinit.cmd.main', 'devel', 'net-convert']
    const from = ['--network-data', input, '--kind', 'yaml', '--distro', distro]
    const to = ['--output-kind', renderer, '--directory', out]
    execFileSync('python3', [...program, ...from, ...to, ...names], {
      stdio: 'pipe',
      env: { ...process.env, PYTHONPATH: `${cloudInit}/usr/lib/python3/dist-packages` },
    })
    for (const [file, lines] of Object.entries(files)) {
      const text = readFileSync(join(out, file), 'utf8')
      expect(text.split('\n').filter((line) => line && !line.startsWith('#'))).toEqual(lines)
    }
  }
})

test.skipIf(machinesMissing() !== undefined)(
  'the CD has the files, under the label of cloud-init',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'steading-seed-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'seed.iso')
    const files = { 'user-data': new Uint8Array([0, 255, 10]), 'meta-data': '{"é": 1}', empty: '' }
    await writeSeed(path, { 'meta-data': 'before' })
    await writeSeed(path, files)
    expect(readdirSync(folder)).toEqual(['seed.iso'])
    const label = readFileSync(path)
      .toString('latin1', 16 * 2048 + 40, 16 * 2048 + 72)
      .trim()
    expect(label.toLowerCase()).toBe('cidata')
    const options = ['-osirrox', 'on', '-indev', path, '-extract', '/', join(folder, 'out')]
    execFileSync('xorriso', options, { stdio: 'ignore' })
    for (const [name, data] of Object.entries(files)) {
      expect(readFileSync(join(folder, 'out', name))).toEqual(Buffer.from(data))
    }
  },
)
