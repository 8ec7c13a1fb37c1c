/**
 * Outages: faults below the control plane. The database cannot be reached, a disk is full, or the
 * database is damaged. The first two pass without a restart. Damage rarely does, and affects only
 * the calls that read damaged data; a check of the whole database finds where it is. The log has
 * one line when an outage begins and one when it ends, however many calls fail meanwhile.
 */
import { databaseDamagedMessage, diskFullMessage, outcomeUnknownMessage } from '@steading/api/rules'
import { type DatabaseHost, type Outage, UncertainCommitError } from './db/database.ts'
import { type ApiError, fail, unavailableForNow } from './errors.ts'
import type { Reserve } from './ports/reserve.ts'
import type { Settings } from './settings.ts'

export interface Outages {
  /**
   * Records the outage that caused an error.
   * @returns the error to answer with; undefined if no outage caused it
   */
  recognize: (error: unknown) => ApiError | undefined
  /** Records that an outage begins or continues. */
  begin: (outage: Outage, reason: string) => void
  /**
   * Records a full disk, and releases the reserve.
   * @returns whether the operations that are allowed on a full disk may find room now
   */
  makeRoom: (error: unknown) => Promise<boolean>
  /** Whether an outage is going on. */
  lasts: (outage: Outage) => boolean
  /** The known damage of the database; undefined if there is none. */
  damage: () => Damage | undefined
  stop: () => Promise<void>
}

export interface Damage {
  since: Date
  /**
   * The findings of the check of the database, or else the first error, in the words of the
   * database.
   */
  findings: readonly string[]
}

export interface OutageParts {
  /** The outage that caused an error of the database or of the block store. */
  outageOf: (error: unknown) => Outage | undefined
  /** Reads from the database. */
  read: () => Promise<unknown>
  /** Writes a piece of test data to the database, and removes it. */
  write: () => Promise<unknown>
  /** Checks the whole database; see `DatabaseHost`. */
  check: DatabaseHost['check']
  clock: () => Date
  reserve: Reserve | undefined
  log: Settings['log']
  /** Called when an outage ends: waiting work may continue. */
  over: () => void
}

/** Milliseconds between two checks for the end of an outage: at first, and at most. */
const FIRST_LOOK_MS = 500
const MAX_LOOK_MS: Record<Outage, number> = {
  unreachable: 2_000,
  full: 2_000,
  // Each check reads the whole database.
  damaged: 10 * 60_000,
}
/**
 * Damage that the check does not find, as after a transient read error, ends this long after its
 * last error.
 */
const DAMAGE_QUIET_MS = 60_000

const answers: Record<Outage, () => ApiError> = {
  unreachable: () => unavailableForNow(),
  full: () => fail.insufficientCapacity(diskFullMessage),
  damaged: () => fail.unavailable(databaseDamagedMessage),
}
const tellings: Record<Outage, { begins: string; ends: string }> = {
  unreachable: {
    begins: 'cannot reach the database; calls are answered with 503 until it is back',
    ends: 'reaches the database again',
  },
  full: {
    begins: 'the disk is full; what needs room is answered with 507 until there is some',
    ends: 'there is room on the disk again',
  },
  damaged: {
    begins:
      'the database is damaged or its disk fails; calls that meet the damage are answered with 503. Restore a backup',
    ends: 'the database passes its check',
  },
}

export function createOutages(parts: OutageParts): Outages {
  const { reserve, log } = parts
  const outageOf = (error: unknown): Outage | undefined =>
    parts.outageOf(error instanceof UncertainCommitError ? error.cause : error)
  const lasting = new Map<Outage, ReturnType<typeof setTimeout>>()
  const looking = new Map<Outage, Promise<void>>()
  let stopped = false
  let released: Promise<void> = Promise.resolve()
  const ending = new AbortController()
  let damage: Damage | undefined
  /** When damage last caused an error. */
  let damageMetAt = 0

  const isOver: Record<Outage, () => Promise<boolean>> = {
    async unreachable() {
      await parts.read()
      return true
    },
    async full() {
      if (reserve && !(await reserve.restore())) return false
      try {
        await parts.write()
      } catch (error) {
        await reserve?.release()
        throw error
      }
      return true
    },
    async damaged() {
      const findings = (await parts.check?.(ending.signal)) ?? []
      if (findings.length === 0) return performance.now() - damageMetAt > DAMAGE_QUIET_MS
      // The previous check reported the same.
      if (damage && findings.join() !== damage.findings.join()) {
        damage = { ...damage, findings }
        log(`the check of the database has found: ${findings.join('; ')}`)
      }
      return false
    },
  }

  const lookIn = (outage: Outage, wait: number) => {
    const look = async () => {
      // The same outage, or another one, which has its own check.
      const over = await isOver[outage]().catch(() => false)
      if (stopped) return
      if (!over) return lookIn(outage, Math.min(2 * wait, MAX_LOOK_MS[outage]))
      lasting.delete(outage)
      if (outage === 'damaged') damage = undefined
      log(tellings[outage].ends)
      parts.over()
    }
    lasting.set(
      outage,
      setTimeout(() => void looking.set(outage, look()), wait),
    )
  }

  const begin = (outage: Outage, reason: string) => {
    if (outage === 'damaged') {
      damageMetAt = performance.now()
      damage ??= { since: parts.clock(), findings: [reason] }
    }
    if (stopped || lasting.has(outage)) return
    log(`${tellings[outage].begins}: ${reason}`)
    if (outage === 'full') {
      released = (reserve?.release() ?? Promise.resolve()).catch((error) =>
        log('giving up the reserve failed', error),
      )
    }
    lookIn(outage, FIRST_LOOK_MS)
  }

  const recognize = (error: unknown): ApiError | undefined => {
    const outage = outageOf(error)
    if (!outage) return undefined
    begin(outage, error instanceof Error ? error.message : String(error))
    if (error instanceof UncertainCommitError) return unavailableForNow(outcomeUnknownMessage)
    return answers[outage]()
  }

  return {
    recognize,
    begin,
    async makeRoom(error) {
      if (!reserve || outageOf(error) !== 'full') return false
      recognize(error)
      await released
      return true
    },
    lasts: (outage) => lasting.has(outage),
    damage: () => damage,
    async stop() {
      stopped = true
      ending.abort()
      for (const timer of lasting.values()) clearTimeout(timer)
      await Promise.all(looking.values())
    },
  }
}
