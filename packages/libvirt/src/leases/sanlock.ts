/**
 * Leases of sanlock in files. Its own tool makes and reads them past the page cache, and needs no
 * daemon on this machine.
 */
import { LEASE_IO_TIMEOUT, leaseFaults } from '@steading/api/rules'
import { CommandError, hasCommand, runCommand } from '@steading/commands'
import { FencingFault } from '@steading/control-plane/ports'
import { errorMessage } from '@steading/files'

/** The lockspace of all leases, which every host joins with a number of its own. */
export const LOCKSPACE = 'steading'

/** Time of the tool for one file. Milliseconds. */
const RUN_MS = 15_000

/** The record of a lease: of a resource, or of a host in the lockspace. */
export interface Leader {
  /** Number of the host that has it, or had it last. */
  owner: number
  /** How often that host had joined the lockspace. */
  generation: number
  /** Rises each time that the lease is taken. */
  version: number
  /** By the clock of its host, at its last renewal; 0 for a lease that nobody has. */
  timestamp: number
  /** Of the host. Seconds. */
  ioTimeout: number
}

/** The leases cannot be read or made. */
export class LeaseError extends FencingFault {
  constructor(cause: unknown) {
    const { reason, remedy } = leaseFaults.unreadable(errorMessage(cause))
    super(reason, remedy)
    this.cause = cause
  }
}

/** Its tool separates the parts of a place by colons. */
const escaped = (path: string): string => path.replaceAll(/[\\:]/g, (character) => `\\${character}`)

async function direct(...args: string[]): Promise<string> {
  if (!(await hasCommand('sanlock'))) {
    throw new FencingFault(leaseFaults.noTool.reason, leaseFaults.noTool.remedy)
  }
  let output: string
  try {
    output = await runCommand('sanlock', ['direct', ...args], { ms: RUN_MS })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    throw new LeaseError(error)
  }
  // After a failure, the tool prints whatever was in memory.
  const result = /^\w+ done (-?\d+)$/m.exec(output)?.[1]
  if (result !== '0')
    throw new LeaseError(new Error(`sanlock direct: error ${result ?? 'unknown'}`))
  return output
}

/** @param name expected in the record; undefined for that of a host */
export function leaderIn(output: string, name?: string): Leader {
  const field = (of: string): string | undefined =>
    new RegExp(`^${of} (.*)$`, 'm').exec(output)?.[1]
  const number = (of: string): number => Number(field(of) ?? Number.NaN)
  const leader = {
    owner: number('owner_id'),
    generation: number('owner_generation'),
    version: number('lver'),
    timestamp: number('timestamp'),
    ioTimeout: number('io_timeout') || LEASE_IO_TIMEOUT,
  }
  const isOurs =
    field('space_name') === LOCKSPACE && (name === undefined || field('resource_name') === name)
  if (!isOurs || !Object.values(leader).every(Number.isSafeInteger)) {
    throw new LeaseError(new Error('sanlock direct: another record is there'))
  }
  return leader
}

/**
 * The record of a resource.
 * @throws FencingFault
 */
export const readResource = async (name: string, path: string): Promise<Leader> =>
  leaderIn(await direct('read_leader', '-r', `${LOCKSPACE}:${name}:${escaped(path)}:0`), name)

/**
 * The record of a host in the lockspace.
 * @throws FencingFault
 */
export const readHost = async (host: number, path: string): Promise<Leader> =>
  leaderIn(await direct('read_leader', '-s', `${LOCKSPACE}:${host}:${escaped(path)}:0`))

/**
 * Writes the record of a resource that nobody has, to an empty file.
 * @throws FencingFault
 */
export async function makeResource(name: string, path: string): Promise<void> {
  await direct('init', '-r', `${LOCKSPACE}:${name}:${escaped(path)}:0`)
}
