/**
 * The CD with the first settings of a guest, for cloud-init's data source NoCloud. All its files are
 * YAML; JSON is YAML as well.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { MachineSpec } from '@steading/control-plane/ports'
import { base64ToUint8Array } from 'uint8array-extras'
import { NotInstalled } from './native/koffi.ts'
import { nameServerOf } from './networks/user-network.ts'

const run = promisify(execFile)

/** The settings of the interfaces, in version 2 of cloud-init's format. */
export const networkConfig = (interfaces: MachineSpec['interfaces']) => ({
  version: 2,
  ethernets: Object.fromEntries(
    interfaces.map(({ mac, primary, addresses }, index) => [
      `eth${index}`,
      {
        match: { macaddress: mac.toLowerCase() },
        'set-name': `eth${index}`,
        addresses: addresses.map(({ address, prefixLength }) => `${address}/${prefixLength}`),
        // Only one interface may have the routes to everywhere.
        ...(primary
          ? {
              routes: addresses.map((one) => ({
                to: one.address.includes(':') ? '::/0' : '0.0.0.0/0',
                via: one.gateway,
              })),
              nameservers: { addresses: addresses.map(nameServerOf) },
            }
          : {}),
      },
    ]),
  ),
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
  }: Pick<MachineSpec, 'hostname' | 'sshPublicKeys' | 'userData' | 'interfaces'>,
): Record<string, string | Uint8Array> {
  const yaml = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`
  return {
    'meta-data': yaml({
      'instance-id': instanceId,
      'local-hostname': hostname,
      'public-keys': sshPublicKeys,
    }),
    'user-data': base64ToUint8Array(userData),
    'network-config': yaml(networkConfig(interfaces)),
  }
}

/**
 * Writes the CD of a machine, or replaces it.
 * @throws NotInstalled without xorriso
 */
export async function writeSeed(
  path: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const folder = await mkdtemp(`${path}-`)
  try {
    const contents = join(folder, 'contents')
    await mkdir(contents)
    for (const [name, data] of Object.entries(files)) await writeFile(join(contents, name), data)
    const image = join(folder, 'image')
    await run('xorriso', [
      '-as',
      'mkisofs',
      '-quiet',
      '-volid',
      'cidata',
      '-joliet',
      '-rational-rock',
      '-output',
      image,
      contents,
    ])
    await rename(image, path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    throw new NotInstalled(
      'xorriso, which writes the CD with the settings of a guest, is missing',
      {
        cause,
      },
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
