import type {
  InstanceNetworkInterface,
  IpVersion,
  PrivateIpStackCreate,
} from '@steading/api/client'

export type Stack = { version: IpVersion; ip: string; transitIps: string[] }

/** The address of each IP version of an interface. */
export function stacksOf({ ipStack }: Pick<InstanceNetworkInterface, 'ipStack'>): Stack[] {
  if (ipStack.type !== 'dual_stack') return [{ version: ipStack.type, ...ipStack.value }]
  const { v4, v6 } = ipStack.value
  return [
    { version: 'v4', ...v4 },
    { version: 'v6', ...v6 },
  ]
}

/** All transit IPs of an interface, IPv4 first. */
export const transitIpsOf = (nic: Pick<InstanceNetworkInterface, 'ipStack'>): string[] =>
  stacksOf(nic).flatMap(({ transitIps }) => transitIps)

export const versionsOf = (nic: Pick<InstanceNetworkInterface, 'ipStack'>): IpVersion[] =>
  stacksOf(nic).map(({ version }) => version)

export type StackType = PrivateIpStackCreate['type']

/** The IP versions of a new interface. */
export const stackVersions = (type: StackType): IpVersion[] =>
  type === 'dual_stack' ? ['v4', 'v6'] : [type]

/** The IP configuration of a new interface; a blank address is assigned automatically. */
export function ipConfigOf(type: StackType, v4: string, v6: string): PrivateIpStackCreate {
  const stack = (text: string) => {
    const value = text.trim()
    return {
      ip: value ? { type: 'explicit' as const, value } : { type: 'auto' as const },
      transitIps: [],
    }
  }
  if (type === 'dual_stack') return { type, value: { v4: stack(v4), v6: stack(v6) } }
  return { type, value: stack(type === 'v4' ? v4 : v6) }
}
