/**
 * The network that QEMU's user-mode networking shows to an interface: the subnet of its addresses,
 * with the gateway of the control plane, and the address of the interface for a guest that asks by
 * DHCP. libvirt can only set the subnet, so QEMU gets the network by its command line, and the device
 * that libvirt has made for the interface is connected to it.
 */
import { formatAddress, ipVersion, networkAddress, parseNetwork } from '@steading/api/rules'
import type { MachineAddress, MachineSpec } from '@steading/control-plane/ports'
import { element, type Xml } from '../xml.ts'

export const QEMU_NAMESPACE = 'http://libvirt.org/schemas/domain/qemu/1.0'

/** Offset in a subnet at which the name server answers; guests get none of the first addresses. */
const NAME_SERVER = 3n

const networkOf = ({ address, prefixLength }: MachineAddress) =>
  networkAddress(parseNetwork(`${address}/${prefixLength}`)!)

/** The address of the name server in the subnet of an address. */
export function nameServerOf(one: MachineAddress): string {
  const { version, value } = networkOf(one)
  return formatAddress({ version, value: value + NAME_SERVER })
}

/** The name of the network of an interface, by the place of the interface in the specification. */
export const netdevName = (index: number): string => `steading${index}`
const alias = (index: number): string => `ua-net${index}`

/** The options of QEMU's `-netdev`; all values are numbers and addresses. */
export function netdevOptions(
  { addresses }: Pick<MachineSpec['interfaces'][number], 'addresses'>,
  index: number,
): string {
  const v4 = addresses.find(({ address }) => ipVersion(address) === 'v4')
  const v6 = addresses.find(({ address }) => ipVersion(address) === 'v6')
  return [
    'user',
    `id=${netdevName(index)}`,
    // Without any address, guests still need a network card.
    `ipv4=${v4 || !v6 ? 'on' : 'off'}`,
    ...(v4
      ? [
          `net=${formatAddress(networkOf(v4))}/${v4.prefixLength}`,
          `host=${v4.gateway}`,
          `dns=${nameServerOf(v4)}`,
          `dhcpstart=${v4.address}`,
        ]
      : []),
    `ipv6=${v6 ? 'on' : 'off'}`,
    ...(v6
      ? [
          `ipv6-prefix=${formatAddress(networkOf(v6))}`,
          `ipv6-prefixlen=${v6.prefixLength}`,
          `ipv6-host=${v6.gateway}`,
          `ipv6-dns=${nameServerOf(v6)}`,
        ]
      : []),
  ].join(',')
}

/** An interface in user-mode networking as a device of a domain. */
export const userInterfaceXml = ({ mac }: MachineSpec['interfaces'][number], index: number): Xml =>
  element(
    'interface',
    { type: 'user' },
    element('mac', { address: mac }),
    element('model', { type: 'virtio' }),
    element('alias', { name: alias(index) }),
    // No machine boots from the network.
    element('rom', { enabled: 'no' }),
  )

/**
 * The user-mode networks of the interfaces of a domain, for the end of its description.
 */
export const userNetworksXml = (interfaces: MachineSpec['interfaces']): Xml[] =>
  interfaces.length === 0
    ? []
    : [
        element(
          'qemu:commandline',
          {},
          interfaces.flatMap((one, index) => [
            element('qemu:arg', { value: '-netdev' }),
            element('qemu:arg', { value: netdevOptions(one, index) }),
          ]),
        ),
        element(
          'qemu:override',
          {},
          interfaces.map((_, index) =>
            element(
              'qemu:device',
              { alias: alias(index) },
              element(
                'qemu:frontend',
                {},
                element('qemu:property', {
                  name: 'netdev',
                  type: 'string',
                  value: netdevName(index),
                }),
              ),
            ),
          ),
        ),
      ]
