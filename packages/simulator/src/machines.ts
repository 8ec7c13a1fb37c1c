import { admit } from '@steading/control-plane/engine'
import type { EngineContext, Machines } from '@steading/control-plane/ports'
import type { Driver } from './driver.ts'
import type { Faults } from './faults.ts'
import type { SimulatedOptions } from './options.ts'
import type { Rows } from './rows.ts'
import {
  advance,
  bootAgain,
  copied,
  endsAt,
  enter,
  isAtRest,
  isMoving,
  isUp,
  liveMove,
  type MachineState,
} from './state.ts'

/** Polling interval for a machine driven by another server, in milliseconds. */
const RECHECK_MS = 100

const CRASHED = 'The sled that it ran on stopped responding'
const CANCELLED = 'The move was cancelled'
const SLED_DOWN = 'The other sled stopped responding'

export interface SimulatedMachines extends Machines {
  /** Whether a machine is on. */
  runs: (machineId: string) => Promise<boolean>
  /** Makes a machine fail, as if its host had died. */
  crash: (machineId: string) => Promise<void>
  /** Makes the moves that this server begins fail, with a reason; without one, no longer. */
  failMoves: (reason?: string) => void
  /** Makes the moves that this server begins take that many milliseconds, or the usual time. */
  slowMoves: (ms?: number) => void
  /** Reports a machine that failed together with its sled, outside of this engine. */
  lost: (machineId: string) => Promise<void>
}

/**
 * Simulated machines. The state of a machine is a row, which any server may change; the server that
 * drives its sled is notified, and prints the guest's output.
 */
export function createSimulatedMachines(
  rows: Rows,
  driver: Driver,
  options: SimulatedOptions,
  { check }: Faults,
  { clock, database }: EngineContext,
  subscribe: Machines['subscribe'],
  notify: (machineId: string) => void,
): SimulatedMachines {
  const now = () => clock().getTime()
  const { moveMs: usualMoveMs = options.stopMs } = options
  let moveMs = usualMoveMs
  /** Why moves fail. */
  let moveFault: string | undefined

  /**
   * Changes the current state of a machine, retrying on conflicts. Does nothing if the machine does
   * not exist.
   */
  const change = async (
    id: string,
    to: (state: MachineState) => MachineState | undefined,
  ): Promise<void> => {
    for (;;) {
      const state = await rows.load(id)
      const next = state && to(advance(state, now(), options))
      if (!next) return
      const saved = await rows.save(next)
      if (saved) return driver.touch(saved)
    }
  }

  /** Completes a due move of a machine, which fails if the other sled is down. */
  const arrive = async (state: MachineState): Promise<MachineState | undefined> => {
    const { spec } = state
    const move = liveMove(state)
    if (!move || state.phase !== 'running') return state
    // The clock was set back.
    if (move.since > now()) {
      const due = { ...move, since: now(), at: now() }
      return (await rows.save({ ...state, move: due })) ?? rows.load(state.id)
    }
    if (move.at > now()) return state
    const arrived = await rows.arrive(state)
    if (!arrived) {
      if (await rows.isSledDown(move.sled.id)) {
        await rows.save({ ...state, move: { ...move, failure: SLED_DOWN } })
      }
      return rows.load(state.id)
    }
    // The previous driver releases the machine, and the driver of the new sled takes it.
    await driver.moved(arrived, spec.sled.id)
    return arrived
  }

  return {
    subscribe,
    async runs(id) {
      const state = await rows.load(id)
      return state !== undefined && !isAtRest(advance(state, now(), options))
    },
    start: driver.start,
    close: driver.close,

    async run(id, spec, fence) {
      check('run', id)
      await admit(database, id, fence)
      const state: MachineState = {
        id,
        spec,
        phase: 'booting',
        since: now(),
        boot: 0,
        reboots: 0,
        version: 0,
      }
      // The row is first: a running machine must be found again after a crash.
      const phase = await rows.insert(state)
      if (phase) await driver.touch({ ...state, phase }, true)
    },
    async stop(id, fence) {
      check('stop', id)
      await admit(database, id, fence)
      await change(id, (state) => (isUp(state) ? enter(state, 'stopping', now()) : undefined))
    },
    async halt(id, fence) {
      check('halt', id)
      await admit(database, id, fence)
      await change(id, (state) =>
        isUp(state) || isMoving(state) ? enter(state, 'failed', now()) : undefined,
      )
    },
    async reboot(id, count, fence) {
      check('reboot', id)
      await admit(database, id, fence)
      await change(id, (state) =>
        isUp(state) && state.reboots < count
          ? { ...bootAgain(state, now()), reboots: count }
          : undefined,
      )
    },
    async migrate(id, sled, fence, moveId) {
      check('migrate', id)
      await admit(database, id, fence)
      await change(id, (state) =>
        state.phase !== 'running' || state.spec.sled.id === sled.id || state.move?.id === moveId
          ? undefined
          : {
              ...state,
              move: {
                id: moveId,
                sled,
                since: now(),
                at: now() + moveMs,
                ...(moveFault !== undefined && { failure: moveFault }),
              },
            },
      )
    },
    async cancelMove(id, moveId, fence) {
      check('cancelMove', id)
      await admit(database, id, fence)
      await change(id, (state) => {
        const { move, spec } = state
        if (state.phase !== 'running' || (move?.id === moveId && !liveMove(state))) return undefined
        const none = { id: moveId, sled: spec.sled, since: now(), at: now() }
        const ended = move?.id === moveId ? move : none
        return { ...state, move: { ...ended, failure: CANCELLED } }
      })
    },
    async grow(id, { id: volumeId, size }) {
      check('grow', id)
      for (;;) {
        const state = await rows.load(id)
        const known = state?.spec.volumes.find((volume) => volume.id === volumeId)
        if (!state || !known || known.size >= size) return
        const volumes = state.spec.volumes.map((volume) =>
          volume === known ? { ...volume, size } : volume,
        )
        const saved = await rows.respecify(state, { ...state.spec, volumes })
        if (saved) return driver.touch(saved)
      }
    },
    async destroy(id, fence) {
      check('destroy', id)
      await admit(database, id, fence)
      driver.forget(id)
      await rows.remove(id)
    },
    async observe(id) {
      const found = await rows.load(id)
      const state = found && (await arrive(found))
      if (!state) return { phase: 'absent', reboots: 0 }
      const current = advance(state, now(), options)
      // The guest prints its output at the end of a phase before the caller sees the new phase.
      if (current !== state) await driver.touch(state)
      if (current.phase === 'stopped' && state.phase !== 'stopped' && !driver.drives(state)) {
        // It is off once its driver has stored the final output.
        const changesAt = new Date(now() + RECHECK_MS)
        return { phase: state.phase, reboots: state.reboots, changesAt }
      }
      const { phase, reboots } = current
      // Machines fail only by `crash`, or together with their sled.
      if (phase === 'failed') {
        const down = await rows.isSledDown(current.spec.sled.id)
        return { phase, reboots, failure: CRASHED, ...(down ? { sledDown: true as const } : {}) }
      }
      const sledId = current.spec.sled.id
      const live = liveMove(current)
      const at = phase === 'running' ? live?.at : endsAt(current, options)
      if (phase === 'stopped') return { phase, reboots }
      const { move } = current
      return {
        phase,
        reboots,
        sledId,
        ...(at !== undefined && { changesAt: new Date(at) }),
        ...(phase === 'booting' && { bootingSince: new Date(current.since) }),
        ...(live && { move: copied(live, current.spec, now()) }),
        ...(move?.failure !== undefined && {
          moveFailure: { moveId: move.id, reason: move.failure },
        }),
      }
    },
    list: rows.ids,

    slowMoves: (ms = usualMoveMs) => void (moveMs = ms),
    failMoves: (reason) => void (moveFault = reason),
    async crash(id) {
      await change(id, (state) => enter(state, 'failed', now()))
      notify(id)
    },
    async lost(id) {
      const state = await rows.load(id)
      if (state) await driver.touch(state)
      notify(id)
    },
  }
}
