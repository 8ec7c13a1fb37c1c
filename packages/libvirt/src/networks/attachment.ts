/** How interfaces are connected to a network. */
import type { Attachment, MachineSpec } from '@steading/control-plane/ports'
import { element, type Xml } from '../xml.ts'
import { userInterfaceXml } from './user-network.ts'

type Interface = MachineSpec['interfaces'][number]

/**
 * Whether the packets of a machine pass through a network of VPCs. The machine is attached for as
 * long as it runs: one that was started without stays in user-mode networking until then.
 */
export const isAttached = ({ interfaces }: Pick<MachineSpec, 'interfaces'>): boolean =>
  interfaces.some(({ attachment }) => attachment)

/** In the userspace datapath of Open vSwitch, TCP hangs if the guest leaves work to the host. */
const offloads = {
  host: { csum: 'off', gso: 'off', tso4: 'off', tso6: 'off', ecn: 'off', ufo: 'off' },
  guest: { csum: 'off', tso4: 'off', tso6: 'off', ecn: 'off', ufo: 'off' },
}

const switchedInterfaceXml = ({ mac }: Interface, { bridge, port, mtu }: Attachment): Xml =>
  element(
    'interface',
    { type: 'bridge' },
    element('mac', { address: mac }),
    element('source', { bridge }),
    element('virtualport', { type: 'openvswitch' }, element('parameters', { interfaceid: port })),
    element('model', { type: 'virtio' }),
    element(
      'driver',
      { name: 'qemu' },
      element('host', offloads.host),
      element('guest', offloads.guest),
    ),
    element('mtu', { size: mtu }),
    element('rom', { enabled: 'no' }),
  )

/** The interface as a device of a domain. */
export const interfaceXml = (one: Interface, index: number): Xml =>
  one.attachment ? switchedInterfaceXml(one, one.attachment) : userInterfaceXml(one, index)
