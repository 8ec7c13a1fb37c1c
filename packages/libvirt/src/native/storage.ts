/**
 * What a host sees of its file systems, by pools of libvirt that exist for a moment only: libvirt has
 * no other look at the files of a host, and none at its clock.
 */
import { element } from '../xml.ts'
import type { Calls } from './connection.ts'
import { LibvirtError } from './errors.ts'

const WITH_BUILD = 1
/** `VIR_ERR_NO_STORAGE_VOL`. */
const NO_VOLUME = 50
/** A directory of the host for one empty file, whose time is the clock of the host. */
const CLOCK_DIRECTORY = '/var/lib/libvirt/steading-clock'

async function inPool<T>(
  { connection, pointer, number, local }: Calls,
  directory: string,
  flags: number,
  work: (pool: bigint) => Promise<T>,
): Promise<T> {
  const xml = element(
    'pool',
    { type: 'dir' },
    element('name', {}, `steading-${crypto.randomUUID()}`),
    element('target', {}, element('path', {}, directory)),
  ).xml
  const pool = await pointer('virStoragePoolCreateXML', connection, xml, flags)
  try {
    return await work(pool)
  } finally {
    // It is gone with that; nothing in the directory changes.
    await number('virStoragePoolDestroy', pool)
    local('virStoragePoolFree', pool)
  }
}

/**
 * Whether a host sees a file.
 * @param directory which has few files, because libvirt reads all of them
 * @throws LibvirtError if there is no such directory
 */
export const seesFile = (calls: Calls, directory: string, name: string): Promise<boolean> =>
  inPool(calls, directory, 0, async (pool) => {
    try {
      calls.local('virStorageVolFree', await calls.pointer('virStorageVolLookupByName', pool, name))
      return true
    } catch (error) {
      if (error instanceof LibvirtError && error.code === NO_VOLUME) return false
      throw error
    }
  })

/** The clock of a host, by the time of a file that is made there. Milliseconds. */
export const hostClock = (calls: Calls): Promise<number> =>
  inPool(calls, CLOCK_DIRECTORY, WITH_BUILD, async (pool) => {
    const { pointer, number, local } = calls
    const xml = element(
      'volume',
      {},
      element('name', {}, crypto.randomUUID()),
      element('capacity', {}, 0),
      element('target', {}, element('format', { type: 'raw' })),
    ).xml
    const file = await pointer('virStorageVolCreateXML', pool, xml, 0)
    try {
      const description = await pointer<string>('virStorageVolGetXMLDesc', file, 0)
      const [, seconds] = /<mtime>([\d.]+)<\/mtime>/.exec(description) ?? []
      if (seconds === undefined) throw new Error('libvirt does not say when a file was made')
      return Number(seconds) * 1000
    } finally {
      await number('virStorageVolDelete', file, 0)
      local('virStorageVolFree', file)
    }
  })
