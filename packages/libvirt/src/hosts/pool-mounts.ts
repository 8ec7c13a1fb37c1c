/** The storage pools that hosts mount, by libvirt's pools of file systems on the network. */
import { partsOfPoolSource, storagePoolProblems } from '@steading/api/rules'
import { type PoolPlace, UnusablePoolError } from '@steading/control-plane/ports'
import { LateCall, LibvirtError } from '../native/errors.ts'
import { callLimits } from '../native/lanes.ts'
import type { Libvirt } from '../native/libvirt.ts'
import { element } from '../xml.ts'
import { withLibvirt } from './examination.ts'

export type MountedPool = Required<PoolPlace> & { id: string }

/** The mounts of one host. */
export interface PoolMounts {
  /**
   * Mounts a pool unless libvirt has mounted it.
   * @throws UnusablePoolError, and LibvirtError if the host does not answer
   */
  mount: (pool: MountedPool) => Promise<void>
  /** @throws LibvirtError if the host does not answer, or the pool is in use */
  unmount: (poolId: string) => Promise<void>
}

/** Mounting from a dead server takes longer, and goes on in libvirt. Milliseconds. */
const MOUNT_LIMITS = { ...callLimits, quick: 10_000, slow: 30_000 }

/** NFS locks files itself from version 4 on, and `retry=0` gives up a dead server soon. */
const ofNfs = {
  protocol: element('protocol', { ver: 4 }),
  options: element('fs:mount_opts', {}, element('fs:option', { name: 'retry=0' })),
}

/** libvirt's description of a mounted pool, which has the same id there. */
export function mountedPoolXml({ id, path, mount: { type, source } }: MountedPool): string {
  const { host, path: there } = partsOfPoolSource(source)
  const { protocol = undefined, options = undefined } = type === 'nfs' ? ofNfs : {}
  return element(
    'pool',
    { type: 'netfs', 'xmlns:fs': 'http://libvirt.org/schemas/storagepool/fs/1.0' },
    element('name', {}, `steading-${id}`),
    element('uuid', {}, id),
    element(
      'source',
      {},
      element('host', { name: host }),
      element('dir', { path: there }),
      element('format', { type }),
      protocol,
    ),
    element('target', {}, element('path', {}, path)),
    options,
  ).xml
}

/** Why libvirt could not mount a file system: in the words of `mount`, if it has said something. */
export function mountFailure(error: LibvirtError): string {
  if (error instanceof LateCall) return 'its server does not answer'
  const ended = /unexpected exit status (\d+)(?:: (.*))?/.exec(error.message)
  if (!ended) return error.message.trim()
  const [, status, said = ''] = ended
  const reason = said.replace(/^(?:mount(?:\.\w+)?: )?(?:\/\S+: )?/, '').replace(/\.?\s*$/, '')
  return reason === '' ? `mount has ended with status ${status}` : reason
}

/**
 * @param address of libvirt on the host
 * @param shared its libvirt, for calls that end soon
 */
export function createPoolMounts(
  address: () => string,
  shared: () => Promise<Pick<Libvirt, 'isPoolMounted'>>,
): PoolMounts {
  /** On a connection of its own: a server of files that is silent holds up nothing else. */
  const apart = <T>(work: (libvirt: Libvirt) => Promise<T>): Promise<T> =>
    withLibvirt(address(), work, MOUNT_LIMITS)
  return {
    async mount(pool) {
      if (await (await shared()).isPoolMounted(pool.id)) return
      try {
        await apart((libvirt) => libvirt.mountPool(mountedPoolXml(pool)))
      } catch (error) {
        if (!(error instanceof LibvirtError)) throw error
        throw new UnusablePoolError(
          storagePoolProblems.cannotMount(pool.mount.source, mountFailure(error)),
        )
      }
    },
    unmount: (poolId) => apart((libvirt) => libvirt.unmountPool(poolId)),
  }
}
