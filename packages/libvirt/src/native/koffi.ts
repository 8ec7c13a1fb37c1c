/** Calls into C libraries, loaded on first use. */
import type koffiType from 'koffi'
import { NotInstalled } from './errors.ts'

/** The library that calls C. */
export type Koffi = typeof koffiType

/** Stack of a call on a worker thread; libvirt expects more than the default. Bytes. */
const STACK_BYTES = 1024 * 1024

let loaded: Promise<Koffi> | undefined

async function load(): Promise<Koffi> {
  try {
    const { default: koffi } = await import('koffi')
    // Possible only before the first library is loaded.
    koffi.config({ ...koffi.config(), async_stack_size: STACK_BYTES })
    return koffi
  } catch (cause) {
    throw new NotInstalled(
      'The package koffi, which calls C libraries, does not run on this host',
      {
        cause,
      },
    )
  }
}

/** @throws NotInstalled if there is no build of it for this host */
export const loadKoffi = (): Promise<Koffi> => (loaded ??= load())
