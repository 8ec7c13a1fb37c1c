/**
 * Machines as domains of libvirt. A call writes what is wanted to the row of the machine, and the
 * server on the machine's host brings the domain there: at once if it got the call, and otherwise in
 * its next scan. Domains run on while no server does.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { PauseReason } from '@steading/api/rules'
import { errorMessage } from '@steading/files'
import { admit } from '@steading/control-plane/engine'
import type {
  EngineContext,
  MachineObservation,
  Machines,
  MachineSpec,
  VolumeSource,
} from '@steading/control-plane/ports'
import type { Agents } from './agents.ts'
import type { MachineConsoles } from './consoles.ts'
import { domainXml, METADATA_NAMESPACE, ownerIn } from './domain-xml.ts'
import { isDiskHeld, startFailure } from './failure.ts'
import type { MachineFirmware } from './firmware.ts'
import { isEnded, type LeaseFiles } from './leases/lease-files.ts'
import type { Host, HostSet } from './hosts/host-set.ts'
import { AbandonedCall, LibvirtError } from './native/errors.ts'
import type { Disconnection, DomainEvent, DomainStatus, Libvirt } from './native/libvirt.ts'
import { createMoves, runsGuest } from './moves/moves.ts'
import type { LibvirtOptions } from './options.ts'
import type { Pauses } from './pauses.ts'
import type { MachineRow, Rows } from './rows.ts'
import { createScan } from './scan.ts'
import { seedFiles, writeSeed } from './seed.ts'
import { advance, enter, failures, hasLasted, isActive, isAtRest, isUp } from './state.ts'
import { createKeyedQueue, type KeyedQueue } from './keyed-queue.ts'

/** The power button is pressed again at this interval: a guest that boots does not notice it. */
const PRESS_MS = 3_000

/** Other servers are told at most this often that this host responds. Milliseconds. */
const REPORT_MS = 5_000

/** When the server ends, calls to libvirt are abandoned after this time. Milliseconds. */
const CLOSE_MS = 3_000

const pauseLog: Record<PauseReason, string> = {
  no_space: 'its host has no room for what its guest writes; it continues when there is some',
  io_error: 'one of its disks cannot be written or read',
}

interface MachinesParts extends Pick<EngineContext, 'database' | 'clock' | 'log' | 'networks'> {
  rows: Rows
  consoles: MachineConsoles
  hosts: HostSet
  /** Done before the hosts are asked for their machines, at the start and in each scan. */
  report: () => Promise<void>
  pauses: Pauses
  /** The starts of machines, which a snapshot may hold up. */
  starts: Pick<KeyedQueue, 'serialize'>
  agents: Agents
  firmware: MachineFirmware
  /** Missing where machines stay on one host. */
  leases?: LeaseFiles
  /** Where a volume is; undefined for others than those of the engine. */
  sourceOf: (volumeId: string) => Promise<VolumeSource | undefined>
  options: LibvirtOptions
}

export function createMachines(parts: MachinesParts): Machines {
  const { database, clock, log, networks } = parts
  const { rows, consoles, hosts, report, pauses, firmware, leases, sourceOf, options } = parts
  const { starts, agents } = parts
  const { serialize, serializeOnce, settled } = createKeyedQueue()
  const now = () => clock().getTime()
  let changed: (machineId: string) => void = () => {}
  const moves = createMoves({
    database,
    log,
    rows,
    hosts,
    leases,
    networkHosts: options.networkHosts,
    encryptMoves: options.encryptMoves,
    now,
    changed: (id) => changed(id),
  })
  /** When the power button was pressed last; milliseconds. */
  const pressed = new Map<string, number>()
  /** The machines that wait for a disk of another host. */
  const held = new Set<string>()
  /** When the others were told that this host responds, by a monotonic clock. */
  let reported = -Infinity
  /** Serial number → libvirt of the host, once its events are followed. */
  const following = new Map<string, Libvirt>()
  /** The hosts being looked at; one that does not answer holds up no other. */
  const looking = new Map<string, Promise<void>>()
  /** Serial number → why the last look at a host failed. */
  const failed = new Map<string, string>()

  /** The data directory whose control plane made a domain. */
  const ownerOf = async ({ libvirt }: Host, id: string): Promise<string | undefined> =>
    ownerIn(await libvirt.metadata(id, METADATA_NAMESPACE))

  /** @throws if a domain belongs to somebody else */
  const requireOwn = async (host: Host, id: string): Promise<void> => {
    if ((await ownerOf(host, id)) === host.files.owner) return
    throw new Error(`the domain ${id} was not made by this control plane`)
  }

  /**
   * Ends and removes the domain of a machine.
   * @throws if the domain belongs to somebody else
   */
  const removeDomain = async (host: Host, row: MachineRow, undefine: boolean): Promise<void> => {
    const { id } = row
    const status = await host.libvirt.status(id)
    if (!status) return
    await requireOwn(host, id)
    if (isActive(status)) await host.libvirt.destroy(id)
    await firmware.keep(host, id, rows.spec(row))
    if (undefine) await host.libvirt.undefine(id)
  }

  /** The volumes of a machine, where they are now: a snapshot may have moved them on. */
  const presentVolumes = (spec: MachineSpec): Promise<MachineSpec['volumes']> =>
    Promise.all(
      spec.volumes.map(async (volume) => ({
        ...volume,
        source: (await sourceOf(volume.id)) ?? volume.source,
      })),
    )

  /** It starts once the other one has ended; until then, nobody writes to the disk twice. */
  const waitForOther = (id: string, what: string): void => {
    if (!held.has(id)) log(`machine ${id} waits for ${what}`)
    held.add(id)
  }

  /** Starts the domain of a machine whose domain has never been started. */
  const start = async (host: Host, row: MachineRow): Promise<void> => {
    const around = await networks.around(row.id, [])
    const instanceId = around?.instanceId ?? row.id
    if (!leases) return startDomain(host, row, instanceId)
    return leases.serialize(instanceId, () => startDomain(host, row, instanceId))
  }

  const startDomain = async (host: Host, row: MachineRow, instanceId: string): Promise<void> => {
    const { id } = row
    let lease_version: number | null = null
    const { libvirt, files, accelerator } = host
    const given = rows.spec(row)
    const found = await libvirt.status(id)
    if (found) await requireOwn(host, id)
    // It may have been started, and may even have ended, before a crash of the server.
    const wasStarted = found && (isActive(found) || found.reason !== 'unknown')
    if (!wasStarted) {
      const paths = files.of(id)
      try {
        await files.prepare(id)
        const spec = { ...given, volumes: await presentVolumes(given) }
        await writeSeed(paths.seed, seedFiles(instanceId, spec), files.calls)
        const { chosen, boots } = await firmware.prepare(host, id, spec)
        await rows.change(id, () => ({ firmware: chosen, nothing_to_boot: boots ? 0 : 1 }))
        const { owner } = files
        const canMove = options.addedHosts ?? false
        const lease = await leases?.prepare(instanceId)
        await rows.change(id, () => ({ lease: lease?.key ?? null }))
        const seen = lease && (await leases!.look(lease.key))
        if (seen && !isEnded(seen.standing)) {
          return waitForOther(id, 'a lease that another host has')
        }
        const about = { accelerator, firmware: chosen, paths, canMove, lease }
        await libvirt.define(id, domainXml({ id, owner, spec, ...about }))
        await libvirt.create(id)
        if (lease) lease_version = await leases!.taken(lease.key, seen!.leader.version)
      } catch (error) {
        // The machine is to end instead.
        if (error instanceof AbandonedCall) throw error
        // Without an answer of libvirt, it is tried again.
        await libvirt.versions()
        if (options.addedHosts && isDiskHeld(error)) {
          await libvirt.undefine(id)
          return waitForOther(id, 'a disk that another host has open')
        }
        log('starting a machine failed', error)
        await rows.change(id, ({ phase }) =>
          phase === 'booting' ? enter('failed', now(), startFailure(error)) : undefined,
        )
        return
      }
    }
    held.delete(id)
    await rows.change(id, () => ({ started_at: now(), lease_version }))
  }

  /** Removes the lease of a machine that is gone, unless another machine of the instance has it. */
  const forgetLease = async ({ lease }: MachineRow): Promise<void> => {
    if (!leases || lease === null) return
    await leases
      .serialize(lease, async () => {
        if (!(await rows.hasLease(lease))) await leases.remove(lease)
      })
      .catch((error: unknown) => log(`removing the lease ${lease} failed`, error))
  }

  const press = async (id: string, button: (id: string) => Promise<void>): Promise<void> => {
    const last = pressed.get(id)
    if (last !== undefined && now() < last + PRESS_MS && now() >= last) return
    pressed.set(id, now())
    await button(id)
  }

  /** Brings the domain of a machine of this host where the row wants it. */
  const drive = async (row: MachineRow): Promise<void> => {
    const { id } = row
    const host = await hosts.of(row.host)
    const { libvirt } = host
    const isEnding = row.wanted === 'destroy' || isAtRest(row)
    if (isEnding) await moves.giveUp(row)
    if (row.wanted === 'destroy') {
      await removeDomain(host, row, true)
      await consoles.ended(id)
      await host.files.remove(id)
      await rows.remove(id)
      await forgetLease(row)
      pressed.delete(id)
      held.delete(id)
      return
    }
    if (isAtRest(row)) {
      await removeDomain(host, row, false)
      await consoles.ended(id)
      return
    }
    if (row.started_at === null) {
      if (row.phase === 'booting') return starts.serialize(id, () => start(host, row))
      // Its start may have been abandoned.
      await removeDomain(host, row, false)
      await rows.change(id, () => enter('stopped', now()))
      return
    }
    if (row.destination !== null) return moves.moveOn(row)
    // Also before a stop or a reboot, of which a paused guest would hear nothing.
    await pauses.resume(libvirt, row)
    if (row.phase === 'stopping') {
      if (row.wanted === 'stop' && hasLasted(row, options.stopMs, now())) return libvirt.destroy(id)
      return press(id, libvirt.shutdown)
    }
    if (row.phase === 'rebooting') {
      if (!hasLasted(row, options.rebootMs, now())) return press(id, libvirt.reboot)
      // It runs again when libvirt reports the reset; until then the time begins anew.
      await rows.change(id, ({ phase }) =>
        phase === 'rebooting' ? enter('rebooting', now()) : undefined,
      )
      await libvirt.reset(id)
      // A reset forgets what the guest waited to write, so it need not wait any more.
      if (row.pause !== null) await libvirt.resume(id)
    }
  }

  /** Writes what has happened to the domain of a machine of this host. */
  const look = async (row: MachineRow, known?: DomainStatus): Promise<MachineRow | undefined> => {
    // No domain of it has run.
    if (row.started_at === null) return row
    // Its domain may be at either host, and be paused in between.
    if (row.destination !== null) return row
    const { libvirt } = await hosts.of(row.host)
    const status = known ?? (await libvirt.status(row.id))
    const pause = await pauses.reasonOf(libvirt, row.id, status)
    const next = advance(row, status, now(), pause)
    if (!next) return row
    if (pause !== null && row.pause === null) log(`machine ${row.id} is paused: ${pauseLog[pause]}`)
    const atRest = isAtRest(next)
    if (atRest) await consoles.settle(row.id)
    const after = await rows.change(row.id, (present) => advance(present, status, now(), pause))
    if (atRest) {
      pressed.delete(row.id)
      pauses.forget(row.id)
      await consoles.ended(row.id)
    }
    changed(row.id)
    return after
  }

  /** Looks at a machine of this host, and takes the next step. */
  const step = async (id: string, known?: DomainStatus): Promise<void> => {
    const row = await rows.load(id)
    if (!row || !hosts.drives(row.host)) return
    const seen = row.wanted === 'destroy' ? row : await look(row, known)
    if (!seen) return
    await drive(seen)
    const after = await rows.load(id)
    if (after && after.started_at !== null && !isAtRest(after)) await look(after)
  }

  /**
   * Changes what is wanted of a machine, and brings it there if it is on this host.
   * @param ends whether the machine is to stop or to end, which abandons other calls about it
   */
  const want = async (
    id: string,
    fence: number | undefined,
    to: (row: MachineRow) => Partial<MachineRow> | undefined,
    ends = true,
  ): Promise<void> => {
    await admit(database, id, fence)
    const row = await rows.load(id)
    if (!row) return
    // A host that does not answer gets there once it does.
    if (!hosts.drives(row.host) || !hosts.answers(row.host)) {
      await rows.change(id, to)
      return
    }
    if (ends && to(row)) hosts.opened(row.host)?.abandon(id)
    await serialize(id, async () => {
      const present = await rows.load(id)
      if (present && present.wanted !== 'destroy') await look(present)
      await rows.change(id, to)
      await step(id)
    })
  }

  /** Does work that nobody waits for. */
  const later = (id: string, name: string, work: () => Promise<unknown>): void =>
    void serializeOnce(id, name, work).catch((error: unknown) => {
      if (!(error instanceof AbandonedCall)) log(`${name} a machine failed`, error)
    })

  /** Goes on with a machine that moves, without waiting for it. */
  const stepLater = (row: MachineRow | undefined): void => {
    if (row && hosts.drives(row.host)) later(row.id, 'moving', () => step(row.id))
  }

  const isDue = (row: MachineRow, status: DomainStatus | undefined): boolean =>
    row.wanted === 'destroy' ||
    row.destination !== null ||
    (isAtRest(row) ? isActive(status) : row.phase !== 'running' || !isRunning(status))
  const isRunning = (status: DomainStatus | undefined) => status?.state === 'running'

  /** Opens libvirt of a host, and follows its events. */
  const follow = async (serial: string): Promise<Libvirt> => {
    const { libvirt } = await hosts.of(serial)
    if (following.get(serial) === libvirt) return libvirt
    following.set(serial, libvirt)
    libvirt.subscribe(onEvent)
    await libvirt.versions()
    return libvirt
  }

  /** @returns whether there is something left to do */
  const lookAt = async (serial: string): Promise<boolean> => {
    const libvirt = await follow(serial)
    const machines = await rows.all(serial)
    // A host that was added is asked anyway, to see whether it answers.
    const isAsked = machines.length > 0 || options.addedHosts
    const statuses = isAsked ? await libvirt.statuses() : new Map<string, DomainStatus>()
    const due = machines.filter((row) => isDue(row, statuses.get(row.id)))
    // A machine that takes long holds up no other.
    for (const { id } of due) later(id, 'driving', () => step(id))
    // Moves to this host from a silent one, which cannot be asked how they have ended.
    for (const row of await rows.movingTo(serial)) {
      if (hosts.answers(row.host)) continue
      if (row.wanted === 'destroy' || isAtRest(row)) {
        later(row.id, 'giving up the move of', () => moves.giveUp(row))
      } else if (runsGuest(statuses.get(row.id))) {
        later(row.id, 'ending the move of', () => moves.arrive(row))
      }
    }
    agents.retry(libvirt, machines)
    return due.length > 0 || machines.some(({ thaw }) => thaw !== 0)
  }
  /** Looks at a host, unless that is being done. */
  const lookOnce = (serial: string): Promise<void> => {
    const known = looking.get(serial)
    if (known) return known
    const work = lookAt(serial)
      .then(
        (isBusy) => {
          failed.delete(serial)
          hosts.noted(serial, undefined)
          if (isBusy) scan.soon()
        },
        (error: unknown) => {
          hosts.noted(serial, error)
          const reason = errorMessage(error)
          if (failed.get(serial) !== reason) {
            log(`looking at the machines of ${serial} failed`, error)
          }
          failed.set(serial, reason)
          scan.soon()
        },
      )
      .finally(() => looking.delete(serial))
    looking.set(serial, work)
    return work
  }
  const lookAtAll = async (): Promise<boolean> => {
    if (performance.now() - reported >= REPORT_MS) {
      await report()
      reported = performance.now()
    }
    for (const serial of await hosts.serials()) if (hosts.drives(serial)) void lookOnce(serial)
    // Each look says itself when there is more to do. Hosts that were added are looked at often, to
    // notice soon when one does not answer.
    return options.addedHosts ?? false
  }
  const { scanMs } = options
  const name = 'looking at the machines'
  const scan = createScan({ name, scanMs, shared: database.shared, log }, lookAtAll)
  rows.subscribe(scan.soon)

  const onEvent = (event: DomainEvent | Disconnection): void => {
    scan.soon()
    if (event.kind === 'disconnected') return
    const { uuid, kind } = event
    const work = async () => {
      const row = await rows.load(uuid)
      if (!row || !hosts.drives(row.host) || row.started_at === null) return
      if (kind === 'lifecycle') return step(uuid)
      const requested = row.phase === 'rebooting'
      await consoles.booted(uuid, requested)
      if (!requested) return
      pressed.delete(uuid)
      await rows.change(uuid, ({ phase }) =>
        phase === 'rebooting' ? enter('running', now()) : undefined,
      )
      changed(uuid)
    }
    later(uuid, kind === 'reboot' ? 'following a reboot of' : 'following', work)
  }

  return {
    ...(options.addedHosts && {
      async migrate(id: string, sled: MachineSpec['sled'], fence: number, moveId: string) {
        await admit(database, id, fence)
        stepLater(await moves.ask(id, sled, moveId))
      },
      async cancelMove(id: string, moveId: string, fence: number, isLost = false) {
        await admit(database, id, fence)
        stepLater(await moves.cancel(id, moveId, isLost))
      },
    }),
    patience: { stopMs: options.stopMs, rebootMs: options.rebootMs },
    subscribe: (callback) => void (changed = callback),
    async start() {
      await report()
      const all = Promise.all(
        (await hosts.serials()).map((serial) =>
          follow(serial).catch((error: unknown) => {
            // Its daemon may be started later.
            if (!(error instanceof LibvirtError)) throw error
            log(`libvirt of ${serial} does not answer`, error)
          }),
        ),
      )
      // A daemon that hangs, or probes QEMU for long, must not hold up the start of the server.
      const waited = wait(options.answerMs, false, { ref: false })
      if (!(await Promise.race([all, waited]))) log('libvirt does not answer')
      scan.start()
    },
    async close() {
      const late = setTimeout(hosts.abandon, CLOSE_MS)
      await scan.stop()
      await Promise.all(looking.values())
      await settled()
      await agents.settled()
      clearTimeout(late)
      await consoles.close()
      await Promise.all([...following.values()].map((libvirt) => libvirt.close()))
    },

    async run(id, spec, fence) {
      await admit(database, id, fence)
      await rows.insert(id, hosts.placeOf(spec), spec, now())
      const row = await rows.load(id)
      if (row && hosts.drives(row.host) && row.started_at === null) {
        await serialize(id, () => step(id))
      }
    },
    stop: (id, fence) =>
      want(id, fence, (row) =>
        isUp(row) && row.wanted !== 'destroy'
          ? { wanted: 'stop', ...enter('stopping', now()) }
          : undefined,
      ),
    halt: (id, fence) =>
      want(id, fence, (row) =>
        isAtRest(row) || row.wanted === 'destroy'
          ? undefined
          : { wanted: 'halt', ...enter('failed', now(), failures.halted) },
      ),
    reboot: (id, count, fence) =>
      want(
        id,
        fence,
        (row) =>
          isUp(row) && row.reboots < count
            ? { reboots: count, ...(row.started_at !== null ? enter('rebooting', now()) : {}) }
            : undefined,
        false,
      ),
    // There is one host only: a running machine is already where it can be.
    destroy: (id, fence) =>
      want(id, fence, ({ wanted }) => (wanted === 'destroy' ? undefined : { wanted: 'destroy' })),

    async observe(id): Promise<MachineObservation> {
      const row = await rows.load(id)
      if (!row || row.wanted === 'destroy') return { phase: 'absent', reboots: 0 }
      const isStill = row.started_at === null || isAtRest(row) || row.destination !== null
      const seen =
        hosts.drives(row.host) && hosts.answers(row.host) && !isStill
          ? await serialize(id, async () => {
              const present = await rows.load(id)
              return present && look(present)
            }).catch((error: unknown) => {
              // It may run on, on a host that does not answer.
              if (!options.addedHosts || !(error instanceof LibvirtError)) throw error
              return row
            })
          : row
      if (!seen) return { phase: 'absent', reboots: 0 }
      const { phase, reboots, failure, pause, firmware: started } = seen
      if (phase === 'failed') return { phase, reboots, ...(failure === null ? {} : { failure }) }
      if (phase === 'stopped') return { phase, reboots }
      const sledId = rows.spec(seen).sled.id
      return {
        phase,
        reboots,
        sledId,
        ...(phase === 'booting' && { bootingSince: new Date(seen.since) }),
        ...(pause === null ? {} : { pause }),
        ...(started === null ? {} : { firmware: started }),
        ...(seen.nothing_to_boot === 1 && { nothingToBoot: true as const }),
        ...moves.observed(seen),
      }
    },
    async list() {
      const all = await rows.all()
      return all.filter(({ wanted }) => wanted !== 'destroy').map(({ id }) => id)
    },
  }
}
