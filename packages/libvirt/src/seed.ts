/**
 * The CD with the first settings of a guest, for cloud-init's data source NoCloud. All its files are
 * YAML; JSON is YAML as well.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type IpVersion, ipVersion } from '@steading/api/rules'
import type { MachineSpec } from '@steading/control-plane/ports'
import { base64ToUint8Array } from 'uint8array-extras'
import { type FileCalls, fileCalls } from './file-systems/file-calls.ts'
import { writeCd } from './native/archive.ts'
import { isAttached } from './networks/attachment.ts'
import { nameServerOf } from './networks/user-network.ts'

/** By which cloud-init finds the CD. */
const LABEL = 'cidata'

type Interface = MachineSpec['interfaces'][number]

/**
 * The settings of interfaces at a network of VPCs, which tells its guests all the rest, in version 2
 * of cloud-init's format: only there a search domain by DHCP can be switched on, which
 * systemd-networkd ignores otherwise.
 */
const attachedConfig = (interfaces: readonly Interface[]) => ({
  version: 2,
  ethernets: Object.fromEntries(
    interfaces.map(({ mac, primary, addresses }, index) => {
      const of = (version: IpVersion) =>
        addresses.filter(({ address }) => ipVersion(address) === version)
      const [v4, v6] = [of('v4'), of('v6')]
      const overrides = { 'use-domains': true }
      const device = {
        match: { macaddress: mac.toLowerCase() },
        'set-name': `eth${index}`,
        dhcp4: v4.length > 0,
        ...(v4.length > 0 && { 'dhcp4-overrides': overrides }),
      }
      // The router of a subnet offers itself to all interfaces alike. One that is not the primary
      // one may have no route to everywhere, so it does not listen to the router.
      const isAsking = primary && v6.length > 0
      return [
        `eth${index}`,
        {
          ...device,
          dhcp6: isAsking,
          ...(isAsking && { 'dhcp6-overrides': overrides }),
          'accept-ra': isAsking,
          ...(!primary &&
            v6.length > 0 && {
              addresses: v6.map(({ address, prefixLength }) => `${address}/${prefixLength}`),
            }),
        },
      ]
    }),
  ),
})

/**
 * The settings of interfaces in QEMU's user-mode networking, whose addresses are those of the control
 * plane. They are in version 1 of cloud-init's format: all its renderers turn the gateway of a subnet
 * into a default route. For ifupdown, the routes of version 2 become commands of a program that
 * Debian 12 lacks, and `::/0` becomes `::/64`.
 */
const aloneConfig = (interfaces: readonly Interface[], mtu: number | undefined) => ({
  version: 1,
  config: interfaces.map(({ mac, primary, addresses }, index) => ({
    type: 'physical',
    name: `eth${index}`,
    mac_address: mac.toLowerCase(),
    ...(mtu !== undefined && { mtu }),
    subnets: addresses.map(({ address, prefixLength, gateway }, at) => ({
      type: 'static',
      address: `${address}/${prefixLength}`,
      // Only one interface may have the routes to everywhere.
      ...(primary && { gateway }),
      // All name servers are in the first subnet, because a renderer keeps those of one subnet only.
      ...(primary && at === 0 && { dns_nameservers: addresses.map(nameServerOf) }),
    })),
  })),
})

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
    'network-config': yaml(
      isAttached({ interfaces }) ? attachedConfig(interfaces) : aloneConfig(interfaces, mtu),
    ),
  }
}

/**
 * The CD of a machine.
 * @throws NotInstalled without libarchive
 */
async function seedCd(files: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  // On the disk of the server, because libarchive writes it in one turn.
  const folder = await mkdtemp(join(tmpdir(), 'steading-seed-'))
  try {
    const image = join(folder, 'seed.iso')
    const contents = Object.entries(files).map(([name, data]) => [name, Buffer.from(data)] as const)
    await writeCd(image, LABEL, Object.fromEntries(contents))
    return await readFile(image)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Writes the CD of a machine, or replaces it.
 * @param calls to the file system of the CD
 * @throws NotInstalled without libarchive
 */
export async function writeSeed(
  path: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  calls: FileCalls = fileCalls,
): Promise<void> {
  const image = `${path}-${crypto.randomUUID()}`
  try {
    await calls.writeAll(image, await seedCd(files), 0o644)
    await calls.rename(image, path)
  } finally {
    await calls.remove(image)
  }
}
