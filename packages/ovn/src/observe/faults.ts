/** Parts of OVN that are there or do not answer, for `doctor` and for hosts to be added. */
import { networkFaults } from '@steading/api/rules'
import type { Run } from '../host/run.ts'
import { northboundTables } from '../northbound/tables.ts'
import { openLink } from '../ovsdb/link.ts'
import type { Remote } from '../ovsdb/remote.ts'
import type { Tables } from '../ovsdb/replica.ts'
import { readDaemons } from './daemons.ts'
import { chassisIn, southboundTables } from './hosts.ts'

/** For small tables, and an operator who waits. */
const LIMITS = { connectMs: 10_000, answerMs: 10_000, messageMax: 2 ** 24 }
/** Milliseconds in which parts may still follow a change of this moment. */
const SETTLE_MS = 5_000

/** The daemons of a host that do not run or do not answer. */
export async function daemonFaults(run: Run, southbound: Remote): Promise<string[]> {
  const { daemons } = await readDaemons(run, southbound)
  return daemons.flatMap(({ name, state }) =>
    state === 'running' ? [] : [networkFaults.daemon[state](name)],
  )
}

const tunnelTables = {
  Chassis: southboundTables.Chassis,
  Encap: {
    chassis_name: { type: 'string', holds: 'one' },
    ip: { type: 'string', holds: 'one' },
  },
} as const satisfies Tables

/**
 * The address at which tunnels of others reach a host; undefined if it is no chassis.
 * @throws if the southbound database does not answer
 */
export async function tunnelOf(southbound: Remote, hostname: string): Promise<string | undefined> {
  const link = await openLink({
    remote: southbound,
    database: 'OVN_Southbound',
    tables: tunnelTables,
    log: () => {},
    limits: LIMITS,
    onChange: () => {},
  })
  try {
    const replica = link.present()?.replica
    if (!replica) throw new Error("OVN's southbound database does not answer")
    const rows = (table: keyof typeof tunnelTables) => [...replica.rows(table).values()]
    const names = rows('Chassis').flatMap((row) =>
      row['hostname'] === hostname ? row['name'] : [],
    )
    const encap = rows('Encap').find((row) => names.includes(row['chassis_name'] as string))
    return encap && String(encap['ip'])
  } finally {
    link.close()
  }
}

/** The parts of OVN that have not followed the last change. Changes nothing. */
export async function silentParts(
  northbound: Remote,
  southbound: Remote,
  settleMs = SETTLE_MS,
): Promise<string[]> {
  let tell = () => {}
  const options = { log: () => {}, onChange: () => tell(), limits: LIMITS }
  const tables = { NB_Global: northboundTables.NB_Global }
  const opened = await Promise.allSettled([
    openLink({ ...options, remote: northbound, database: 'OVN_Northbound', tables }),
    openLink({
      ...options,
      remote: southbound,
      database: 'OVN_Southbound',
      tables: southboundTables,
    }),
  ])
  const close = () => {
    for (const link of opened) if (link.status === 'fulfilled') link.value.close()
  }
  const [north, south] = opened.map((link) =>
    link.status === 'fulfilled' ? link.value : undefined,
  )
  if (!north || !south) {
    close()
    return [networkFaults.center.databases]
  }
  const counters = () => [...(north.present()?.replica.rows('NB_Global').values() ?? [])][0]
  const wanted = Number(counters()?.['nb_cfg'] ?? 0)

  const look = (): string[] => {
    const hosts = south.present()?.replica
    const global = counters()
    if (!hosts || !global) return [networkFaults.center.databases]
    if (Number(global['sb_cfg']) < wanted) return [networkFaults.center.northd]
    return chassisIn(hosts).flatMap(({ name, followed }) =>
      followed < wanted ? [networkFaults.host(name)] : [],
    )
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  const late = setTimeout(resolve, settleMs)
  tell = () => {
    if (look().length === 0) resolve()
  }
  tell()
  await promise
  clearTimeout(late)
  const found = look()
  close()
  return found
}
