/**
 * File systems of a host: those that libvirt mounts there as its pools, and what the host sees of all
 * of them, by pools that exist for a moment only. libvirt has no other look at the files of a host,
 * and none at its clock.
 */
import { element } from '../xml.ts'
import type { Calls } from './connection.ts'
import { LibvirtError } from './errors.ts'

const WITH_BUILD = 1
/** `VIR_ERR_NO_STORAGE_POOL` and `VIR_ERR_NO_STORAGE_VOL`. */
const NO_POOL = 49
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
      if (seconds === undefined) throw new LibvirtError('It does not say when a file was made', 0)
      return Number(seconds) * 1000
    } finally {
      await number('virStorageVolDelete', file, 0)
      local('virStorageVolFree', file)
    }
  })

/** Runs work with a pool of libvirt; undefined if there is none. */
async function withPool<T>(
  { connection, pointer, local }: Calls,
  id: string,
  work: (pool: bigint) => Promise<T>,
): Promise<T | undefined> {
  let pool: bigint
  try {
    pool = await pointer('virStoragePoolLookupByUUIDString', connection, id)
  } catch (error) {
    if (error instanceof LibvirtError && error.code === NO_POOL) return undefined
    throw error
  }
  try {
    return await work(pool)
  } finally {
    local('virStoragePoolFree', pool)
  }
}

export const isPoolMounted = async (calls: Calls, id: string): Promise<boolean> =>
  (await withPool(calls, id, (pool) => calls.number('virStoragePoolIsActive', pool))) === 1

/**
 * Mounts a pool, now and at each start of the host, in a directory that is made if it is missing.
 * @param xml libvirt's description of the pool
 */
export async function mountPool(calls: Calls, xml: string): Promise<void> {
  const { connection, pointer, number, local } = calls
  const pool = await pointer('virStoragePoolDefineXML', connection, xml, 0)
  try {
    await number('virStoragePoolBuild', pool, 0)
    await number('virStoragePoolSetAutostart', pool, 1)
    await number('virStoragePoolCreate', pool, 0)
  } finally {
    local('virStoragePoolFree', pool)
  }
}

/** Unmounts a pool, and forgets it; its directory stays. */
export async function unmountPool(calls: Calls, id: string): Promise<void> {
  const { number } = calls
  await withPool(calls, id, async (pool) => {
    if ((await number('virStoragePoolIsActive', pool)) === 1) {
      await number('virStoragePoolDestroy', pool)
    }
    await number('virStoragePoolUndefine', pool)
  })
}
