/**
 * Moves of running machines from host to host. The row of a machine has the destination until it is
 * seen to run there, so a server that was killed meanwhile leaves nothing to guess.
 */
import type { EngineContext, MachineObservation, MachineSpec } from '@steading/control-plane/ports'
import { moveFailure } from '../failure.ts'
import type { Host, HostSet } from '../hosts/host-set.ts'
import type { LeaseFiles } from '../leases/lease-files.ts'
import {
  type Destination,
  libvirtDestination,
  libvirtMoveFailure,
  libvirtSpec,
  type MoveFailure,
} from '../machine-tables.ts'
import type { LibvirtOptions } from '../options.ts'
import { AbandonedCall, LateCall, LibvirtError } from '../native/errors.ts'
import type { DomainStatus, Libvirt } from '../native/libvirt.ts'
import type { MachineRow, Rows } from '../rows.ts'
import { enter, failures, isActive, isUp } from '../state.ts'
import { createMoveWatch } from './watch.ts'

interface MovesParts
  extends
    Pick<EngineContext, 'database' | 'log'>,
    Pick<LibvirtOptions, 'networkHosts' | 'encryptMoves'> {
  rows: Rows
  hosts: HostSet
  leases?: LeaseFiles
  /** Milliseconds. */
  now: () => number
  changed: (machineId: string) => void
}

export interface Moves {
  /**
   * Asks for a move; does nothing for one that has failed, or while another one lasts.
   * @returns the row, if the machine is to move
   */
  ask: (id: string, sled: MachineSpec['sled'], moveId: string) => Promise<MachineRow | undefined>
  /**
   * Cancels a move, also one that was not asked for yet; one that has arrived stays so.
   * @param isLost whether nothing runs on the other sled any more
   * @returns the row, if the machine moves
   */
  cancel: (id: string, moveId: string, isLost: boolean) => Promise<MachineRow | undefined>
  /** Goes on with the move of a machine, or finds that it has ended. */
  moveOn: (row: MachineRow) => Promise<void>
  /** Ends the move of a machine that runs at the other host, while its own does not answer. */
  arrive: (row: MachineRow) => Promise<void>
  /** Gives up the move of a machine that is to end, and what the other host has received of it. */
  giveUp: (row: MachineRow) => Promise<void>
  /** The part of an observation about moves. */
  observed: (row: MachineRow) => Pick<MachineObservation, 'move' | 'moveFailure'>
}

const failedMoveOf = ({ move_failure }: MachineRow): MoveFailure | undefined =>
  move_failure === null ? undefined : libvirtMoveFailure.read(move_failure)

const destinationOf = ({ destination }: MachineRow): Destination | undefined =>
  destination === null ? undefined : libvirtDestination.read(destination)

/** Whether a domain runs its guest. */
export const runsGuest = (status: DomainStatus | undefined): boolean =>
  status?.state === 'running' || status?.state === 'blocked'

/** Removes what a move has left at a host: its domain there does not run any more. */
async function clearAway(libvirt: Libvirt, id: string): Promise<void> {
  if (isActive(await libvirt.status(id))) await libvirt.destroy(id)
  await libvirt.undefine(id)
}

const isMoveOf =
  (moveId: string) =>
  (row: MachineRow): boolean =>
    destinationOf(row)?.moveId === moveId

const ifMoving = (row: MachineRow | undefined): MachineRow | undefined =>
  row && row.destination !== null ? row : undefined

/** The ports of a machine in the networks of VPCs. */
const portsOf = ({ interfaces }: MachineSpec): string[] =>
  interfaces.flatMap(({ attachment }) => (attachment ? [attachment.port] : []))

export function createMoves(parts: MovesParts): Moves {
  const { database, log, rows, hosts, leases, now, changed, networkHosts, encryptMoves } = parts
  const watch = createMoveWatch()

  /** Binds the ports of a machine to the hosts between which it moves; to none once that is over. */
  const bind = async (row: MachineRow, ...between: Host[]): Promise<void> => {
    const ports = portsOf(rows.spec(row))
    if (!networkHosts || ports.length === 0) return
    const infos = await Promise.all(between.map(({ libvirt }) => libvirt.nodeInfo()))
    await networkHosts.bind(
      ports,
      infos.map(({ hostname }) => hostname),
    )
  }

  /** The version of the lease as its new host has taken it. libvirt hands it over while it moves. */
  const leaseOf = async ({ lease, lease_version }: MachineRow): Promise<number | null> => {
    if (!leases || lease === null || lease_version === null) return null
    return leases.taken(lease, lease_version)
  }

  /** Writes that a machine runs at the host that its row names. */
  const arrive = async (row: MachineRow): Promise<void> => {
    const { id } = row
    const { moveId, sled } = libvirtDestination.read(row.destination!)
    const isOf = isMoveOf(moveId)
    await bind(row)
    const lease_version = await leaseOf(row)
    await rows.change(id, (present) =>
      isOf(present)
        ? {
            host: sled.serial,
            spec: libvirtSpec.write({ ...rows.spec(present), sled }),
            lease_version,
            destination: null,
            move_failure: null,
          }
        : undefined,
    )
    await database.db
      .updateTable('libvirt_network')
      .set({ host: sled.serial })
      .where('machine_id', '=', id)
      .execute()
    changed(id)
  }

  /**
   * Moves a machine to the host that its row names, or finds that it is there. While it is moved,
   * QEMU's locks of its disks decide which of the two domains can write, so it never runs twice.
   */
  const moveOn = async (row: MachineRow): Promise<void> => {
    const { id } = row
    const { moveId, sled, cancelled, lost } = libvirtDestination.read(row.destination!)
    const isOf = isMoveOf(moveId)
    const isCancelled = async (): Promise<boolean> => {
      const present = await rows.load(id)
      return present !== undefined && destinationOf(present)?.cancelled === true
    }
    const from = await hosts.of(row.host)
    const stay = async (reason: string): Promise<void> => {
      await bind(row)
      await rows.change(id, (present) =>
        isOf(present)
          ? { destination: null, move_failure: libvirtMoveFailure.write({ moveId, reason }) }
          : undefined,
      )
      changed(id)
    }
    const arrived = async (): Promise<void> => {
      await arrive(row)
      await clearAway(from.libvirt, id)
    }
    /** Whether the guest has left its domain here for the other host, as far as this host knows. */
    const hasLeft = (here: DomainStatus | undefined): boolean =>
      here?.state === 'paused' && row.pause === null
    /**
     * Ends a machine whose guest may have run at the other host, and does not any more: what is here,
     * if anything, has the memory of an earlier moment than the disk.
     */
    const end = async (): Promise<void> => {
      await from.libvirt.destroy(id)
      log(`machine ${id} may have run on ${sled.serial}, which ended before its move did`)
      await rows.change(id, (present) =>
        isOf(present) ? enter('failed', now(), failures.ranElsewhere) : undefined,
      )
      changed(id)
    }
    let to: Host
    let there: DomainStatus | undefined
    try {
      to = await hosts.of(sled.serial)
      there = await to.libvirt.status(id)
    } catch (error) {
      if (error instanceof AbandonedCall) throw error
      const here = await from.libvirt.status(id)
      // Its domain here has ended if it has arrived there.
      if (lost && (hasLeft(here) || !isActive(here))) return end()
      // A guest that runs here has not left, and libvirt gives up what it had received of it.
      if (!runsGuest(here)) throw error
      log(`moving the machine ${id} to ${sled.serial} failed`, error)
      return stay(moveFailure(error))
    }
    if (runsGuest(there)) return arrived()
    const here = await from.libvirt.status(id)
    // A domain is defined there before its guest runs.
    if (there && !isActive(there) && hasLeft(here)) return end()
    // The rest of a move that its server did not see the end of.
    if (there) await clearAway(to.libvirt, id)
    if (hasLeft(here)) await from.libvirt.resume(id)
    if (!isActive(here) || !isUp(row) || row.wanted !== 'run') return stay(failures.notMoved)
    if (cancelled) return stay(failures.moveCancelled)
    try {
      const { libvirt } = from
      await bind(row, from, to)
      await watch.during(libvirt, id, isCancelled, () =>
        libvirt.move(id, to.libvirt.uri, encryptMoves),
      )
    } catch (error) {
      // The next look finds out where the guest runs.
      if (error instanceof AbandonedCall || error instanceof LateCall) throw error
      if (runsGuest(await to.libvirt.status(id))) return arrived()
      // A host that is only out of reach may complete the move.
      await from.libvirt.status(id)
      if (await isCancelled()) return stay(failures.moveCancelled)
      log(`moving the machine ${id} to ${sled.serial} failed`, error)
      return stay(moveFailure(error))
    }
    await arrived()
  }

  return {
    moveOn,
    arrive,
    async ask(id, sled, moveId) {
      const row = await rows.change(id, (present) =>
        isUp(present) &&
        present.wanted === 'run' &&
        present.host !== sled.serial &&
        // Another move ends first.
        present.destination === null &&
        failedMoveOf(present)?.moveId !== moveId
          ? { destination: libvirtDestination.write({ moveId, sled }), move_failure: null }
          : undefined,
      )
      return ifMoving(row)
    },
    async cancel(id, moveId, isLost) {
      const row = await rows.change(id, (present) => {
        const destination = destinationOf(present)
        if (destination === undefined) {
          const reason = failures.moveCancelled
          return failedMoveOf(present)?.moveId === moveId
            ? undefined
            : { move_failure: libvirtMoveFailure.write({ moveId, reason }) }
        }
        const isKnown = destination.cancelled && (!isLost || destination.lost)
        return destination.moveId === moveId && !isKnown
          ? {
              destination: libvirtDestination.write({
                ...destination,
                cancelled: true,
                ...(isLost && { lost: true }),
              }),
            }
          : undefined
      })
      return ifMoving(row)
    },
    async giveUp(row) {
      const destination = destinationOf(row)
      if (!destination) return
      try {
        await clearAway((await hosts.of(destination.sled.serial)).libvirt, row.id)
      } catch (error) {
        // Nothing runs on a host that is off, and nobody waits for its return.
        const isAway = error instanceof LibvirtError && !(error instanceof AbandonedCall)
        if (!destination.lost || !isAway) throw error
      }
      await bind(row)
      await rows.change(row.id, () => ({ destination: null }))
    },
    observed(row) {
      const failed = failedMoveOf(row)
      const move = watch.progressOf(row.id)
      return { ...(move && { move }), ...(failed && { moveFailure: failed }) }
    },
  }
}
