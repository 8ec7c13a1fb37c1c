/** A copy of tables of a database that is connected to again whenever it comes back. */
import { connect, type Connection, type ConnectionLimits, Disconnected } from './connection.ts'
import { memberCount, type Remote, remoteName } from './remote.ts'
import { Replica, type Tables } from './replica.ts'

/** Milliseconds until a lost connection is opened anew, at first and at most. */
const PAUSES_MS = [100, 5_000] as const

interface LinkOptions {
  remote: Remote
  database: string
  tables: Tables
  log: (problem: string) => void
  /** Called after each change of a copy. */
  onChange?: () => void
  limits?: ConnectionLimits
}

export interface Linked {
  connection: Connection
  replica: Replica
  /** Resolves when the connection has ended. */
  ended: Promise<Disconnected>
}

export interface Link {
  /** @throws Disconnected without a connection */
  now: () => Linked
  /** Undefined without a connection. */
  present: () => Linked | undefined
  close: () => void
}

/** @throws Disconnected if the database cannot be reached now; later it is connected to again */
export async function openLink(options: LinkOptions): Promise<Link> {
  const { remote, database, tables, log, onChange, limits } = options
  const closing = new AbortController()
  let linked: Linked | undefined
  let lost: Disconnected | undefined
  let timer: NodeJS.Timeout | undefined
  let attempts = 0

  async function open(): Promise<Linked> {
    const replica = new Replica(tables)
    if (onChange) replica.watch(onChange)
    const end = Promise.withResolvers<Disconnected>()
    let own: Connection | undefined
    const connection = await connect({
      remote,
      attempt: attempts++,
      ...(limits && { limits }),
      signal: closing.signal,
      onNotification: (method, params) => replica.receive(method, params),
      onEnd(why) {
        end.resolve(why)
        if (!own || linked?.connection !== own || closing.signal.aborted) return
        linked = undefined
        lost = why
        log(why.message)
        reconnect(PAUSES_MS[0])
      },
    })
    own = connection
    try {
      await replica.follow(connection, database)
    } catch (error) {
      connection.close()
      throw error
    }
    return { connection, replica, ended: end.promise }
  }

  function reconnect(pause: number): void {
    if (closing.signal.aborted) return
    timer = setTimeout(async () => {
      try {
        linked = await open()
      } catch (error) {
        lost = error instanceof Disconnected ? error : new Disconnected(String(error))
        reconnect(Math.min(2 * pause, PAUSES_MS[1]))
      }
    }, pause)
  }

  /** Asks each member of a cluster once. */
  async function openFirst(): Promise<Linked> {
    for (let left = memberCount(remote); ; left--) {
      try {
        return await open()
      } catch (error) {
        if (left <= 1) throw error
      }
    }
  }
  linked = await openFirst()

  return {
    now() {
      if (!linked) throw lost ?? new Disconnected(`${remoteName(remote)}: no connection`)
      return linked
    },
    present: () => linked,
    close() {
      clearTimeout(timer)
      closing.abort()
    },
  }
}
