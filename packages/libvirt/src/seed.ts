/**
 * The CD with the first settings of a guest, for cloud-init's data source NoCloud. All its files are
 * YAML; JSON is YAML as well.
 */
import { rename, rm } from 'node:fs/promises'
import { ipVersion } from '@steading/api/rules'
import type { Attachment, MachineAddress, MachineSpec } from '@steading/control-plane/ports'
import { base64ToUint8Array } from 'uint8array-extras'
import { writeCd } from './native/archive.ts'
import { nameServerOf } from './networks/user-network.ts'

/** By which cloud-init finds the CD. */
const LABEL = 'cidata'

const mtuOf = (mtu: number | undefined) => (mtu === undefined ? {} : { mtu })

/**
 * The settings of the interfaces, in version 1 of cloud-init's format: all its renderers turn the
 * gateway of a subnet into a default route. For ifupdown, the routes of version 2 become commands of
 * a program that Debian 12 lacks, and `::/0` becomes `::/64`.
 */
export const networkConfig = (interfaces: MachineSpec['interfaces'], mtu?: number) => ({
  version: 1,
  config: interfaces.map(({ mac, primary, addresses, attachment }, index) => ({
    type: 'physical',
    name: `eth${index}`,
    mac_address: mac.toLowerCase(),
    // The network says how much it carries.
    ...mtuOf(attachment?.mtu ?? mtu),
    subnets: addresses.map(({ address, prefixLength, gateway }, at) => ({
      type: 'static',
      address: `${address}/${prefixLength}`,
      // Only one interface may have the routes to everywhere.
      ...(primary && { gateway }),
      // All name servers are in the first subnet, because a renderer keeps those of one subnet only.
      ...(primary && at === 0 && { dns_nameservers: nameServersOf(addresses, attachment) }),
    })),
  })),
})

const nameServersOf = (
  addresses: readonly MachineAddress[],
  attachment: Attachment | undefined,
): string[] =>
  attachment
    ? addresses.flatMap(({ address }) => attachment.nameServers[ipVersion(address)!])
    : addresses.map(nameServerOf)

/**
 * The files of the CD.
 * @param instanceId a guest takes the settings anew when it changes
 */
export function seedFiles(
  instanceId: string,
  {
    hostname,
    sshPublicKeys,
    userData,
    interfaces,
    mtu,
  }: Pick<MachineSpec, 'hostname' | 'sshPublicKeys' | 'userData' | 'interfaces' | 'mtu'>,
): Record<string, string | Uint8Array> {
  const yaml = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`
  return {
    'meta-data': yaml({
      'instance-id': instanceId,
      'local-hostname': hostname,
      'public-keys': sshPublicKeys,
    }),
    'user-data': base64ToUint8Array(userData),
    'network-config': yaml(networkConfig(interfaces, mtu)),
  }
}

/**
 * Writes the CD of a machine, or replaces it.
 * @throws NotInstalled without libarchive
 */
export async function writeSeed(
  path: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const image = `${path}-${crypto.randomUUID()}`
  try {
    await writeCd(
      image,
      LABEL,
      Object.fromEntries(
        Object.entries(files).map(([name, data]) => [name, Buffer.from(data)] as const),
      ),
    )
    await rename(image, path)
  } finally {
    await rm(image, { force: true })
  }
}
