/** Copies of the disks of running domains to other files, by block jobs of QEMU. */
import type { Calls } from './connection.ts'
import type { CopyProgress } from './types.ts'

/**
 * Flags of a copy: the file exists, with the right size and without a layer below it; it ends with
 * QEMU. Our domains are defined, and libvirt begins no copy for those that would not end so.
 */
const COPY = 2 | 4
/**
 * Flags of its end. libvirt does not wait for QEMU, because meanwhile it would make no other call
 * about the domain: the target may hang.
 */
const END = { pivot: 1 | 2, cancel: 1 } as const

/** Bytes of `virDomainBlockJobInfo`: type, bandwidth, and the two numbers of bytes. */
const INFO_BYTES = 32

/** @param xml a `disk` with the target of the copy */
export const beginCopy = ({ number }: Calls, domain: bigint, disk: string, xml: string) =>
  number('virDomainBlockCopy', domain, disk, xml, null, 0, COPY)

export async function copyProgress(
  { number }: Calls,
  domain: bigint,
  disk: string,
): Promise<CopyProgress | undefined> {
  // Memory that does not move while libvirt fills it.
  const info = Buffer.allocUnsafeSlow(INFO_BYTES)
  const found = await number('virDomainGetBlockJobInfo', domain, disk, info, 0)
  if (found === 0) return undefined
  return { done: Number(info.readBigUInt64LE(16)), total: Number(info.readBigUInt64LE(24)) }
}

export const endCopy = ({ number }: Calls, domain: bigint, disk: string, how: keyof typeof END) =>
  number('virDomainBlockJobAbort', domain, disk, END[how])
