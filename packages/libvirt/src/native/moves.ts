/** Moves of running domains from host to host. */
import type { Calls } from './connection.ts'
import type { Pointer } from './library.ts'
import type { DomainStats, MoveProgress } from './types.ts'

/**
 * Flags of a move: the guest runs on; its definition moves with it; a fault of a disk ends it; the
 * guest is slowed down if it writes faster than is copied. libvirt takes a file system that is not
 * known to be shared for unsafe; that the hosts share it was found by looking, and QEMU caches nothing.
 */
const MOVE = 1 | 8 | 16 | 512 | 4096 | 8192
/** QEMU of both hosts show each other their certificates, and encrypt what they send. */
const TLS = 65_536

/** `virDomainJobType` of a domain with no job. */
const NO_JOB = 0

/**
 * @param connection to libvirt of the other host
 * @param isEncrypted whether the memory is; a host without a certificate then refuses the move
 */
export async function moveDomain(
  { pointer, local }: Pick<Calls, 'pointer' | 'local'>,
  domain: bigint,
  connection: Pointer,
  isEncrypted: boolean,
): Promise<void> {
  const flags = isEncrypted ? MOVE | TLS : MOVE
  local('virDomainFree', await pointer('virDomainMigrate3', domain, connection, null, 0, flags))
}

/** @param read reads typed parameters */
export async function moveProgress(
  { number, local }: Calls,
  domain: bigint,
  read: (address: Pointer, count: number) => DomainStats,
): Promise<MoveProgress | undefined> {
  const [type, parameters, count] = [[NO_JOB], [null] as Pointer[], [0]]
  await number('virDomainGetJobStats', domain, type, parameters, count, 0)
  const address = parameters[0]!
  try {
    if (type[0] === NO_JOB) return undefined
    const of = read(address, count[0]!)
    const value = (name: string): number => Number(of[name] ?? 0)
    return {
      total: value('data_total'),
      processed: value('data_processed'),
      remaining: value('data_remaining'),
      rate: value('memory_bps') + value('disk_bps'),
    }
  } finally {
    if (address !== null) local('virTypedParamsFree', address, count[0]!)
  }
}
