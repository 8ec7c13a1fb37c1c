/** Descriptions of machines for libvirt: escaped, and with everything that a machine has. */
import { DOMParser } from '@xmldom/xmldom'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MachineSpec } from '@steading/control-plane/ports'
import { probeXml } from '../src/accelerator.ts'
import { diskTarget, type DomainOptions, domainXml, METADATA_NAMESPACE } from '../src/domain-xml.ts'
import { element, escapeXml } from '../src/xml.ts'
import { long } from '../../control-plane/test/support/long.ts'

/** Characters that XML lacks. */
// oxlint-disable-next-line no-control-regex
const lacking = /[\0-\x08\v\f\x0E-\x1F\uFFFE\uFFFF]/g

const parse = (xml: string) => new DOMParser().parseFromString(xml, 'text/xml').documentElement!

test('any text comes back from a parser, except for characters that XML lacks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const expected = text.toWellFormed().replaceAll(lacking, '\uFFFD')
      const parsed = parse(element('a', { b: text }, text, element('c')).xml)
      expect(parsed.getAttribute('b')).toBe(expected)
      expect(parsed.textContent).toBe(expected)
    }),
    { numRuns: long ? 25 : 5 },
  )
})

test('lone surrogates and control characters are replaced', () => {
  expect(escapeXml('a\uD800b\0c\u001Fd')).toBe('a\uFFFDb\uFFFDc\uFFFDd')
  expect(escapeXml(`<&>"'\n`)).toBe('&lt;&amp;&gt;&quot;&apos;&#10;')
})

const spec: MachineSpec = {
  name: `<name> & "more"`,
  hostname: 'guest',
  ncpus: 3,
  memory: 512 * 2 ** 20,
  sled: { id: 'sled', serial: 'HOST' },
  volumes: [
    {
      id: '0f0e0d0c-0b0a-0908-0706-050403020100',
      name: 'data',
      size: 1,
      slot: 0,
      boot: false,
      readOnly: true,
      source: { path: `/volumes/'odd' & <path>`, format: 'raw' },
    },
    {
      id: '11111111-2222-3333-4444-555555555555',
      name: 'boot',
      size: 1,
      slot: 1,
      boot: true,
      readOnly: false,
      source: { path: '/volumes/boot', format: 'qcow2' },
    },
  ],
  interfaces: [
    {
      name: 'net0',
      mac: 'A8:40:25:F0:00:01',
      primary: true,
      addresses: [
        { address: '172.30.0.5', prefixLength: 22, gateway: '172.30.0.1' },
        { address: 'fd00::1:5', prefixLength: 64, gateway: 'fd00::1' },
      ],
    },
  ],
  userData: '',
  sshPublicKeys: [],
}
const paths = {
  seed: '/m/seed',
  nvram: '/m/variables',
  log: '/m/log',
  serialSocket: '/s/serial',
  vncSocket: '/s/vnc',
  agentSocket: '/s/agent',
}
const id = '99999999-8888-7777-6666-555555555555'
const domain = (
  changes: Partial<MachineSpec> = {},
  { accelerator = 'qemu', firmware = 'bios', lease }: Partial<DomainOptions> = {},
) => {
  const about = { spec: { ...spec, ...changes }, accelerator, firmware, paths, lease }
  return parse(domainXml({ id, owner: 'owner', canMove: false, ...about }))
}

/** Attributes of all elements at a path, as `name=value` in their order. */
function at(root: Element, path: string): string[] {
  const names = path.split(' ')
  let found: Element[] = [root as never]
  for (const name of names) {
    found = found.flatMap((one) =>
      Array.from(one.childNodes as never as Element[]).filter((child) => child.nodeName === name),
    )
  }
  return found.map((one) =>
    [
      ...Array.from(one.attributes as never as Attr[]).map(({ name, value }) => `${name}=${value}`),
      ...(one.textContent ? [one.textContent] : []),
    ].join(' '),
  )
}

test('a domain with a lease ends as one that was not stopped, when its host loses the lease', () => {
  const lease = { lockspace: 'steading', key: 'web', path: '/leases/web' }
  const root = domain({}, { lease })
  expect(at(root, 'devices lease lockspace')).toEqual(['steading'])
  expect(at(root, 'devices lease key')).toEqual(['web'])
  expect(at(root, 'devices lease target')).toEqual(['path=/leases/web'])
  // sanlock itself would power it off as its guest does.
  expect(at(root, 'on_lockfailure')).toEqual(['poweroff'])
  expect(at(domain(), 'devices lease')).toEqual([])
  expect(at(domain(), 'on_lockfailure')).toEqual([])
})

test.each([
  ['name', [`steading-${id}`]],
  ['uuid', [id]],
  ['title', [spec.name]],
  ['memory', ['unit=b 536870912']],
  ['vcpu', ['3']],
  ['cpu', ['mode=maximum check=none']],
  ['on_poweroff', ['destroy']],
  ['on_reboot', ['restart']],
  ['metadata steading:machine', [`xmlns:steading=${METADATA_NAMESPACE} owner=owner`]],
  ['devices disk source', [`file=/volumes/'odd' & <path>`, 'file=/volumes/boot', 'file=/m/seed']],
  ['devices disk target', ['dev=vda bus=virtio', 'dev=vdb bus=virtio', 'dev=sda bus=scsi']],
  ['devices disk serial', ['0f0e0d0c-0b0a-0908-0', '11111111-2222-3333-4']],
  // Only the boot disk, which is the second one.
  ['devices disk boot', ['order=1']],
  // The read-only disk, and the CD.
  ['devices disk readonly', ['', '']],
  ['devices interface', ['type=user']],
  ['devices interface mac', ['address=A8:40:25:F0:00:01']],
  [
    'qemu:commandline qemu:arg',
    [
      'value=-netdev',
      'value=user,id=steading0,ipv4=on,net=172.30.0.0/22,host=172.30.0.1,dns=172.30.0.3,' +
        'dhcpstart=172.30.0.5,ipv6=on,ipv6-prefix=fd00::,ipv6-prefixlen=64,ipv6-host=fd00::1,' +
        'ipv6-dns=fd00::3',
    ],
  ],
  ['devices interface alias', ['name=ua-net0']],
  ['qemu:override qemu:device', ['alias=ua-net0']],
  [
    'qemu:override qemu:device qemu:frontend qemu:property',
    ['name=netdev type=string value=steading0'],
  ],
  ['devices serial source', ['mode=bind path=/s/serial']],
  ['devices serial log', ['file=/m/log append=on']],
  ['devices graphics listen', ['type=socket socket=/s/vnc']],
  ['devices channel source', ['mode=bind path=/s/agent']],
  ['devices channel target', ['type=virtio name=org.qemu.guest_agent.0']],
])('a domain has its %s', (path, expected) => {
  expect(at(domain() as never, path)).toEqual(expected)
})

test('the formats of disks are those of their volumes', () => {
  const formats = at(domain() as never, 'devices disk driver').map(
    (one) => /type=(\w+)/.exec(one)![1],
  )
  expect(formats).toEqual(['raw', 'qcow2', 'raw'])
})

test('without a boot disk, disks are tried in the order of their slots', () => {
  const volumes = spec.volumes.map((volume) => ({ ...volume, boot: false }))
  expect(at(domain({ volumes }) as never, 'devices disk boot')).toEqual(['order=1', 'order=2'])
})

test('a CD boots after the boot disk, in a drive of its own', () => {
  const volumes = spec.volumes.map((volume) =>
    volume.boot ? volume : { ...volume, cd: true as const },
  )
  const root = domain({ volumes }) as never
  expect(at(root, 'devices disk target')).toEqual([
    'dev=sdb bus=scsi',
    'dev=vdb bus=virtio',
    'dev=sda bus=scsi',
  ])
  expect(at(root, 'devices disk boot')).toEqual(['order=2', 'order=1'])
})

test('an interface at a network of VPCs is a port of its switch', () => {
  const attachment = {
    kind: 'openvswitch' as const,
    bridge: 'br-int',
    port: 'the-interface',
    mtu: 1500,
  }
  const [first] = spec.interfaces
  const root = domain({ interfaces: [{ ...first!, attachment }] }) as never
  expect(at(root, 'devices interface source')).toEqual(['bridge=br-int'])
  expect(at(root, 'devices interface virtualport')).toEqual(['type=openvswitch'])
  expect(at(root, 'devices interface virtualport parameters')).toEqual([
    'interfaceid=the-interface',
  ])
  expect(at(root, 'devices interface mac')).toEqual(['address=A8:40:25:F0:00:01'])
  // Otherwise TCP hangs in the userspace datapath.
  expect(at(root, 'devices interface driver host')[0]).toContain('csum=off gso=off')
  expect(at(root, 'qemu:commandline')).toEqual([])
})

test('without interfaces QEMU gets no options of ours', () => {
  const root = domain({ interfaces: [] }) as never
  expect(at(root, 'qemu:commandline')).toEqual([])
  expect(at(root, 'qemu:override')).toEqual([])
})

test('KVM shows the processor of the host', () => {
  const root = domain({}, { accelerator: 'kvm' }) as never
  expect(at(root, 'cpu')).toEqual(['mode=host-passthrough check=none'])
})

test.each(['kvm', 'qemu'] as const)(
  '%s is tried out with the processor of guests',
  (accelerator) => {
    const probe = parse(probeXml(id, accelerator, '/disk')) as never
    const root = domain({}, { accelerator }) as never
    for (const path of ['cpu', 'os type']) expect(at(probe, path)).toEqual(at(root, path))
  },
)

test('UEFI has its variables in a file of the machine', () => {
  const [bios, uefi] = [domain(), domain({}, { firmware: 'uefi' })] as never[]
  expect(at(bios!, 'os nvram')).toEqual([])
  expect(at(uefi!, 'os nvram')).toEqual(['/m/variables'])
  expect(at(uefi!, 'os firmware feature')).toEqual(['enabled=no name=secure-boot'])
})

test('the names of disks are letters', () => {
  expect([0, 1, 7].map((index) => diskTarget({}, index))).toEqual(['vda', 'vdb', 'vdh'])
  expect([0, 1, 7].map((index) => diskTarget({ cd: true }, index))).toEqual(['sdb', 'sdc', 'sdi'])
})
