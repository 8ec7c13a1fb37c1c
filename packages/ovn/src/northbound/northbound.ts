/** OVN's northbound database: applies the networks of VPCs, and finds what is there. */
import { Disconnected, type OvsdbOperation, Refused } from '../ovsdb/connection.ts'
import { type Linked, openLink } from '../ovsdb/link.ts'
import { type Remote, remoteName } from '../ovsdb/remote.ts'
import type { PlainMap } from '../ovsdb/values.ts'
import type { DesiredRow } from '../vpc/rows.ts'
import { difference, marks, marksOf, presentByVpc, presentRows } from './difference.ts'
import { type NorthboundTable, northboundTables } from './tables.ts'

const DATABASE = 'OVN_Northbound'
/** Attempts to apply a VPC while other servers apply it as well. */
const ATTEMPTS = 5
/** Milliseconds for changes to have their effect. */
const EFFECT_MS = 60_000

interface NorthboundOptions {
  remote: Remote
  /** Installation to which the rows belong. */
  owner: string
  log: (problem: string) => void
}

export interface AppliedVpc {
  vpcId: string
  /** Version of the rows in the database. */
  version: number
}

/** An access control list: what happens to some packets. */
export interface Decision {
  uuid: string
  vpcId: string
  /** Its key among the rows of the VPC. */
  key: string
  /** Its name in logs; null if it is not logged. */
  name: string | null
  /** Which packets, and what happens to them. */
  text: string
}

/** How far changes have got: each part of OVN writes the number of the last one it has followed. */
export interface Progress {
  /** Of the last change. */
  wanted: number
  /** Of `ovn-northd`. */
  translated: number
  /** The version of `ovn-northd`. */
  version: string | undefined
}

/** Hosts that are known not to answer are not waited for. */
export interface OtherHosts {
  /**
   * - `followed`: some hosts do not answer, and all others have followed a change
   * - `silent`: nobody answers who could follow it
   * - `waiting`: all else
   */
  state: (change: number) => 'followed' | 'silent' | 'waiting'
  /** Calls a function whenever that may have changed, until the returned one is called. */
  watch: (listener: () => void) => () => void
}

export interface Northbound {
  /**
   * Makes the rows of a VPC what they should be, in one transaction.
   * @param version rises with every change of what should be; an older one than in the database has
   *   no effect
   * @returns the version in the database afterwards, and whether anything had to be changed
   * @throws Disconnected without a connection
   */
  apply: (
    vpcId: string,
    version: number,
    rows: readonly DesiredRow[],
  ) => Promise<{ version: number; changed: boolean }>
  remove: (vpcId: string) => Promise<void>
  list: () => AppliedVpc[]
  /** The access control lists of all VPCs of this installation. */
  decisions: () => Decision[]
  /**
   * The key of a row of this installation.
   * @param beginning that of its UUID
   * @returns undefined if there is no such row, or several
   */
  keyOf: (table: NorthboundTable, beginning: string) => string | undefined
  /** Other installations with networks in the database. */
  others: () => string[]
  /**
   * Compares VPCs with what is there, because others may have changed it.
   * @param pause called between two VPCs, so that other work has its turn
   * @returns ids of those that are as they should be
   */
  level: (
    wanted: ReadonlyMap<string, readonly DesiredRow[]>,
    pause: () => Promise<void>,
  ) => Promise<Set<string>>
  /**
   * Resolves when all chassis have everything that was committed before the call.
   * @param others ends the wait for chassis that do not answer
   * @param limitMs milliseconds until it gives up, because a chassis may be down
   * @throws Disconnected if it gives up, or the connection ends
   */
  inEffect: (others?: OtherHosts, limitMs?: number) => Promise<void>
  progress: () => Progress
  /** Makes a change of nothing, which all parts of OVN follow. */
  advance: () => Promise<void>
  close: () => void
}

/** @throws Disconnected if the database cannot be reached now; later it is connected to again */
export async function openNorthbound(options: NorthboundOptions): Promise<Northbound> {
  const { remote, owner, log } = options
  const link = await openLink({ remote, database: DATABASE, tables: northboundTables, log })
  const linked = link.now

  const routerOf = ({ replica }: Linked, vpcId: string) =>
    [...replica.rows('Logical_Router')].find(([, row]) => {
      const ids = marksOf(row, owner)
      return ids?.[marks.vpc] === vpcId
    })

  const versionOf = (ids: PlainMap): number => Number(ids[marks.version] ?? 0)

  /** Lets the transaction fail if another server has changed the version of the VPC meanwhile. */
  function unchanged(router: ReturnType<typeof routerOf>, vpcId: string): OvsdbOperation {
    const wait = { op: 'wait', table: 'Logical_Router', timeout: 0, until: '==' } as const
    const columns = ['external_ids']
    if (!router) {
      const mine = [
        'map',
        [
          [marks.owner, owner],
          [marks.vpc, vpcId],
        ],
      ] as const
      return { ...wait, where: [['external_ids', 'includes', mine]], columns, rows: [] }
    }
    const [uuid, row] = router
    const external_ids = ['map', Object.entries(row['external_ids'] as PlainMap)] as const
    return { ...wait, where: [['_uuid', '==', ['uuid', uuid]]], columns, rows: [{ external_ids }] }
  }

  const next: OvsdbOperation = {
    op: 'mutate',
    table: 'NB_Global',
    where: [],
    mutations: [['nb_cfg', '+=', 1]],
  }

  async function change(vpcId: string, version: number | null, rows: readonly DesiredRow[]) {
    for (let attempt = 1; ; attempt++) {
      const at = linked()
      const router = routerOf(at, vpcId)
      const there = router && versionOf(router[1]['external_ids'] as PlainMap)
      if (version !== null && there !== undefined && there > version) {
        return { version: there, changed: false }
      }
      const operations = difference(rows, presentRows(at.replica, owner, vpcId), {
        owner,
        vpc: vpcId,
      })
      const isNew = version !== null && there !== version
      if (operations.length === 0 && !isNew) return { version: there ?? 0, changed: false }
      const versioned = operations.map((operation) =>
        operation.op === 'insert' && operation.table === 'Logical_Router'
          ? withMark(operation, String(version))
          : operation,
      )
      const marked = router && isNew ? [markOf(router[0], String(version))] : []
      try {
        await at.connection.transact(DATABASE, [
          unchanged(router, vpcId),
          ...versioned,
          ...marked.flat(),
          next,
        ])
        return { version: version ?? 0, changed: true }
      } catch (error) {
        const isRaced = error instanceof Refused && error.error === 'timed out'
        if (!isRaced || attempt === ATTEMPTS) throw error
        await caughtUp(at)
      }
    }
  }

  /** Waits until the copy has everything that the server had at the call. */
  const caughtUp = ({ connection }: Pick<Linked, 'connection'>): Promise<unknown> =>
    connection.call('echo')

  return {
    apply: (vpcId, version, rows) => change(vpcId, version, rows),
    async remove(vpcId) {
      await change(vpcId, null, [])
    },
    list: () =>
      [...linked().replica.rows('Logical_Router').values()].flatMap((row) => {
        const ids = marksOf(row, owner)
        return ids ? [{ vpcId: ids[marks.vpc]!, version: versionOf(ids) }] : []
      }),
    decisions: () =>
      [...linked().replica.rows('ACL')].flatMap(([uuid, row]) => {
        const ids = marksOf(row, owner)
        if (!ids) return []
        return {
          uuid,
          vpcId: ids[marks.vpc]!,
          key: ids[marks.key] ?? '',
          name: row['name'] as string | null,
          text: `${String(row['action'])} ${String(row['match'])}`,
        }
      }),
    keyOf(table, beginning) {
      const rows = [...linked().replica.rows(table)].filter(([uuid]) => uuid.startsWith(beginning))
      return rows.length === 1 ? marksOf(rows[0]![1], owner)?.[marks.key] : undefined
    },
    others() {
      const owners = [...linked().replica.rows('Logical_Router').values()].flatMap((row) => {
        const { [marks.owner]: other } = row['external_ids'] as PlainMap
        return other === undefined || other === owner ? [] : [other]
      })
      return [...new Set(owners)]
    },
    async level(wanted, pause) {
      const present = presentByVpc(linked().replica, owner)
      const level = new Set<string>()
      for (const [vpc, rows] of wanted) {
        const operations = difference(rows, present.get(vpc) ?? [], { owner, vpc })
        if (operations.length === 0) level.add(vpc)
        await pause()
      }
      return level
    },
    progress() {
      const counters = [...linked().replica.rows('NB_Global').values()][0]
      const options = (counters?.['options'] ?? {}) as PlainMap
      return {
        wanted: Number(counters?.['nb_cfg'] ?? 0),
        translated: Number(counters?.['sb_cfg'] ?? 0),
        version: options['northd_internal_version']?.split('-')[0],
      }
    },
    async advance() {
      await linked().connection.transact(DATABASE, [next])
    },
    async inEffect(others, limitMs = EFFECT_MS) {
      const { connection, replica, ended } = linked()
      await connection.transact(DATABASE, [next])
      await caughtUp({ connection })
      const counters = () => [...replica.rows('NB_Global').values()][0]
      const wanted = Number(counters()?.['nb_cfg'])
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const look = () => {
        const state = others?.state(wanted)
        if (Number(counters()?.['hv_cfg']) >= wanted || state === 'followed') resolve()
        else if (state === 'silent')
          reject(new Disconnected(`${remoteName(remote)}: no host answers`))
      }
      const unwatch = [replica.watch(look), others?.watch(look)]
      const late = setTimeout(
        () => reject(new Disconnected(`${remoteName(remote)}: no effect in time`)),
        limitMs,
      )
      void ended.then(reject)
      look()
      try {
        await promise
      } finally {
        for (const end of unwatch) end?.()
        clearTimeout(late)
      }
    },
    close: link.close,
  }
}

const withMark = (operation: OvsdbOperation, version: string): OvsdbOperation => {
  const [, pairs] = operation.row!['external_ids'] as readonly ['map', readonly [string, string][]]
  return {
    ...operation,
    row: { ...operation.row, external_ids: ['map', [...pairs, [marks.version, version]]] },
  }
}

/** Writes the version on the router of a VPC. */
const markOf = (uuid: string, version: string): OvsdbOperation[] => {
  const where = [['_uuid', '==', ['uuid', uuid]]] as const
  const table = 'Logical_Router'
  return [
    {
      op: 'mutate',
      table,
      where,
      mutations: [['external_ids', 'delete', ['set', [marks.version]]]],
    },
    {
      op: 'mutate',
      table,
      where,
      mutations: [['external_ids', 'insert', ['map', [[marks.version, version]]]]],
    },
  ]
}
