/**
 * Proofs by leases: that a host honours them, and that the guests of a silent host have ended. A host
 * is believed only what the record of a lease says after it has done something.
 */
import { type LeaseHold, leaseFaults } from '@steading/api/rules'
import { FencingFault } from '@steading/control-plane/ports'
import type { Lease } from '../domain-xml.ts'
import { isLockspaceMissing } from '../failure.ts'
import { libvirtDestination } from '../machine-tables.ts'
import { LibvirtError } from '../native/errors.ts'
import type { Libvirt } from '../native/libvirt.ts'
import type { MachineRow, Rows } from '../rows.ts'
import { isActive, isAtRest } from '../state.ts'
import { isTaken, type LeaseFiles } from './lease-files.ts'
import { underLease } from '../trial-guest.ts'

/** Hosts that are asked to take a lease, before it counts as if none would. */
const WITNESSES = 3

interface ProofsParts {
  rows: Rows
  leases: LeaseFiles
  /** Hosts that have answered lately, without one of them. */
  others: (serial: string) => string[]
  /** Works with a connection of its own, so that a host that hangs holds up nothing else. */
  connected: <T>(serial: string, work: (libvirt: Libvirt) => Promise<T>) => Promise<T>
}

export interface Proofs {
  /** See `HostEnrolment`. */
  tryLeases: (serial: string) => Promise<void>
  leaseHold: (serial: string) => Promise<LeaseHold | undefined>
}

const faultOf = ({ reason, remedy }: { reason: string; remedy: string }): FencingFault =>
  new FencingFault(reason, remedy)

const refusal = (error: LibvirtError): FencingFault =>
  faultOf(isLockspaceMissing(error) ? leaseFaults.notJoined : leaseFaults.refused(error.message))

/** Failures of the host that is tried are no failures of its witness. */
const refusing = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw error instanceof LibvirtError ? refusal(error) : error
  })

export function createProofs({ rows, leases, others, connected }: ProofsParts): Proofs {
  const prepared = async (name: string): Promise<Lease> => {
    const lease = await leases.prepare(name)
    if (!lease) throw faultOf(leaseFaults.noLockspace)
    return lease
  }

  /**
   * Has a host take a lease during some work.
   * @returns otherwise, whether another host has the lease, or this one starts guests without
   * @throws LibvirtError
   */
  const taking = async <T>(
    libvirt: Libvirt,
    lease: Lease,
    work: () => Promise<T>,
  ): Promise<{ result: T } | 'held' | 'ignored'> => {
    const { version } = await leases.read(lease.key)
    const taken = await underLease(libvirt, lease, async () =>
      isTaken(await leases.read(lease.key), version) ? { result: await work() } : 'ignored',
    )
    return taken ?? 'held'
  }

  /**
   * Has any other host take a lease during some work.
   * @returns undefined if the lease is not free for them after all
   * @throws FencingFault if none takes leases
   */
  const witnessed = async <T>(
    serial: string,
    lease: Lease,
    work: () => Promise<T>,
  ): Promise<{ result: T } | undefined> => {
    let reason: FencingFault | undefined
    let isHeld = false
    for (const other of others(serial).slice(0, WITNESSES)) {
      try {
        const taken = await connected(other, (libvirt) => taking(libvirt, lease, work))
        if (typeof taken === 'object') return taken
        isHeld ||= taken === 'held'
      } catch (error) {
        if (!(error instanceof LibvirtError)) throw error
        reason ??= refusal(error)
      }
    }
    if (isHeld) return undefined
    throw reason && reason.message !== leaseFaults.notJoined.reason
      ? reason
      : faultOf(leaseFaults.noWitness)
  }

  /**
   * Whether a machine runs at the host to which it moves, or may be about to. Otherwise it is on its
   * own host, if anywhere.
   */
  const mayHaveLeft = async ({ id, host, destination }: MachineRow): Promise<boolean> => {
    if (destination === null) return false
    const { sled } = libvirtDestination.read(destination)
    if (!others(host).includes(sled.serial)) return true
    try {
      return isActive(await connected(sled.serial, (libvirt) => libvirt.status(id)))
    } catch (error) {
      if (!(error instanceof LibvirtError)) throw error
      return true
    }
  }

  const mayRun = (row: MachineRow): boolean => !isAtRest(row) && row.wanted !== 'destroy'

  return {
    async tryLeases(serial) {
      // One for each host, so that servers that are killed leave no more of them.
      const lease = await prepared(`trial-${serial}`)
      try {
        await connected(serial, async (libvirt) => {
          const refuses = await witnessed(serial, lease, () =>
            refusing(async () => {
              const started = await underLease(libvirt, lease, async () => true)
              return started === undefined
            }),
          )
          if (!refuses?.result) throw faultOf(leaseFaults.notEnforced)
          const takes = await refusing(() => taking(libvirt, lease, async () => {}))
          if (typeof takes !== 'object') throw faultOf(leaseFaults.notTaken)
        })
      } catch (error) {
        throw error instanceof LibvirtError ? faultOf(leaseFaults.silent) : error
      }
    },

    async leaseHold(serial) {
      if (!(await leases.areSetUp())) throw faultOf(leaseFaults.noLockspace)
      const machines = (await rows.all(serial)).filter(mayRun)
      for (const row of machines) if (await mayHaveLeft(row)) return 'moving'
      // One whose start was not seen to end has its lease if it runs, as any on a host that was tried.
      if (
        machines.some(
          ({ started_at, lease_version }) => started_at !== null && lease_version === null,
        )
      ) {
        return 'unleased'
      }
      /** Owner and how often it had joined → a lease that it had. All of them end together. */
      const ended = new Map<string, string>()
      let hold: LeaseHold | undefined
      for (const { lease: name } of machines) {
        if (name === null) continue
        const { standing, leader } = await leases.look(name)
        if (standing === 'renewed') return 'renewed'
        if (standing === 'running_out') hold = 'running_out'
        const { owner, generation, timestamp } = leader
        if (timestamp !== 0) ended.set(`${owner} ${generation}`, name)
      }
      if (hold) return hold
      for (const name of ended.values()) {
        const taken = await witnessed(serial, await prepared(name), async () => {})
        if (!taken) return 'running_out'
      }
      return undefined
    },
  }
}
