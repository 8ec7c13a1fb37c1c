/** Turns of processes with the files of a volume: one process works with them at a time. */
import { accessSync, constants } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { BusyBytes } from '@steading/control-plane/ports'
import { errorCode } from '@steading/files'
import { isBusy } from '../sqlite.ts'
import type { Reached } from './steps.ts'

/** Volumes share locks, so that there are few files, which are never removed. */
const LOCKS = 8
/** Calls of a process in one turn, after which waiting processes come first. */
const CALLS_PER_TURN = 64
const POLL_MS = 5
/** Attempts before a call is refused: about a minute. */
const MAX_ATTEMPTS = 12_000

/** Error of a call after closing. */
export const CLOSED = 'the store is closed'

/**
 * An exclusive lock between processes: a transaction on an empty database. The operating system
 * releases it when the process dies.
 */
class ProcessLock {
  readonly #path: string
  #database: DatabaseSync | undefined

  constructor(path: string) {
    this.#path = path
  }

  tryTake(): boolean {
    this.#database ??= this.#open()
    try {
      this.#database.exec('begin exclusive')
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
  }

  /** SQLite opens a file that this user may not write to for reading, and shares the lock. */
  #open(): DatabaseSync {
    try {
      accessSync(this.#path, constants.R_OK | constants.W_OK)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
    }
    return new DatabaseSync(this.#path, { timeout: 0 })
  }

  release(): void {
    this.#database?.exec('rollback')
  }

  close(): void {
    this.#database?.close()
    this.#database = undefined
  }
}

/**
 * The turns of this process with the volumes of one lock. A turn begins with the first call, is
 * joined by others, and ends when no call is running. A process holds a second lock, the door, while
 * it waits for the first one, so that the former holder queues behind it.
 */
class Turns {
  readonly #door: ProcessLock
  readonly #lock: ProcessLock
  readonly #closeFiles: (id: string) => Promise<void>
  readonly #reached: Reached
  #beginning: Promise<void> | undefined
  #ending: Promise<void> | undefined
  /** Ends with the turn. */
  #over = Promise.withResolvers<void>()
  #isHeld = false
  #calls = 0
  #running = 0
  #isClosed = false
  readonly #ids = new Set<string>()

  constructor(path: string, closeFiles: (id: string) => Promise<void>, reached: Reached) {
    this.#door = new ProcessLock(`${path}-door.db`)
    this.#lock = new ProcessLock(`${path}.db`)
    this.#closeFiles = closeFiles
    this.#reached = reached
  }

  async run<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
    while (!this.#isHeld || this.#calls >= CALLS_PER_TURN) {
      if (this.#isHeld) await this.#over.promise
      else await (this.#ending ?? (this.#beginning ??= this.#begin()))
    }
    this.#calls++
    this.#running++
    for (const id of ids) this.#ids.add(id)
    try {
      return await work()
    } finally {
      if (--this.#running === 0) {
        this.#ending = this.#end().finally(() => (this.#ending = undefined))
        await this.#ending
      }
    }
  }

  async #begin(): Promise<void> {
    try {
      await this.#take(this.#door)
      try {
        await this.#take(this.#lock)
      } finally {
        this.#door.release()
      }
      this.#isHeld = true
      this.#calls = 0
      this.#over = Promise.withResolvers()
    } finally {
      this.#beginning = undefined
    }
  }

  async #take(lock: ProcessLock): Promise<void> {
    for (let attempts = 0; !lock.tryTake(); attempts++) {
      if (attempts === 0) await this.#reached('waiting')
      if (this.#isClosed) throw new Error(CLOSED)
      if (attempts >= MAX_ATTEMPTS) throw new BusyBytes()
      await pause(POLL_MS)
    }
  }

  async #end(): Promise<void> {
    this.#isHeld = false
    try {
      for (const id of this.#ids) await this.#closeFiles(id)
    } finally {
      this.#ids.clear()
      this.#lock.release()
      this.#over.resolve()
    }
  }

  /** Waits for the end of all calls. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#beginning?.catch(() => {})
    while (this.#isHeld || this.#ending) await (this.#ending ?? this.#over.promise)
    this.#door.close()
    this.#lock.close()
  }
}

/**
 * Gives this process turns with volumes: while a call runs in one, no other process reads, writes,
 * links or removes the files of its volumes.
 */
export class Ownership {
  readonly #directory: string
  readonly #create: () => Turns[]
  /** None while the store is closed. */
  #turns: Turns[] = []

  /**
   * @param root of all volumes
   * @param closeFiles closes the files of a volume at the end of a turn
   */
  constructor(
    root: string,
    closeFiles: (id: string) => Promise<void> = async () => {},
    reached: Reached = () => {},
  ) {
    this.#directory = join(root, '.locks')
    const create = (_: unknown, index: number) =>
      new Turns(join(this.#directory, String(index)), closeFiles, reached)
    this.#create = () => Array.from({ length: LOCKS }, create)
  }

  async open(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    if (this.#turns.length === 0) this.#turns = this.#create()
  }

  /**
   * Runs a call in a turn with one or several volumes.
   * @throws BusyBytes if another process works with them for too long
   */
  async run<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
    if (this.#turns.length === 0) throw new Error(CLOSED)
    // All calls take locks in the same order, so that no two of them wait for each other.
    const run = this.#turns.reduceRight((inner, turns, lock) => {
      const own = ids.filter((id) => crc32(id) % LOCKS === lock)
      return own.length === 0 ? inner : () => turns.run(own, inner)
    }, work)
    return run()
  }

  async close(): Promise<void> {
    const turns = this.#turns
    this.#turns = []
    for (const each of turns) await each.close()
  }
}
