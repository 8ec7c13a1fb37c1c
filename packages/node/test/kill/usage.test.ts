/**
 * Records of use while servers are killed: they are compared with the audit log, with the times of
 * the resources, and with the counters of the quotas, which are all written by other code.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Wire } from '@steading/api'
import { quantityOf, USAGE_DECIMALS } from '@steading/api/rules'
import { expect, inject, test } from 'vitest'
import { GOES_ON } from '../../../control-plane/src/resources/tenancy/usage/table.ts'
import { random } from '../../../control-plane/test/support/random.ts'
import { type Cloud, embeddedCloud, sharedCloud, startServers } from './cloud.ts'
import type { Ask } from './leaks.ts'
import { acknowledgementsBefore, type Api, settled, until, untilGone, Worker } from './workload.ts'

const KILLS = Number(process.env.KILLS ?? 2)
const MOST_BEFORE_KILL = 25
const MOMENT_MS = 25

/** Gives instances tags, which divides their records. */
class Tagger {
  readonly #acknowledged: () => void

  constructor(acknowledged: () => void) {
    this.#acknowledged = acknowledged
  }

  work = (api: Api): Promise<void> =>
    untilGone(api, async (failing) => {
      const { body } = await failing('GET', '/v1/instances?project=work&limit=100')
      const items: { id: string }[] = body?.items ?? []
      const one = items[Math.floor(random() * items.length)]
      if (!one) return pause(5)
      const { status } = await failing('PATCH', `/x/v1/tags/instance/${one.id}`, {
        set: [`round:r${Math.floor(random() * 3)}`],
      })
      if (status === 200) this.#acknowledged()
      return undefined
    })
}

interface Stretch {
  thing_id: string
  metric: string
  start: number
  end: number
}

/** Records of each resource and metric, joined where one begins when another ends. */
async function stretches(ask: Ask): Promise<Stretch[]> {
  const rows = (await ask(`select thing_id, metric, time_start, time_end from usage_record
    order by thing_id, metric, time_start`)) as Record<string, string | number>[]
  const joined: Stretch[] = []
  for (const row of rows) {
    const [start, end] = [Number(row.time_start), Number(row.time_end)]
    expect(start).toBeLessThan(end)
    const last = joined.at(-1)
    const same = last?.thing_id === row.thing_id && last?.metric === row.metric
    if (same) expect(start).toBeGreaterThanOrEqual(last!.end)
    if (same && last!.end === start) last!.end = end
    else joined.push({ thing_id: String(row.thing_id), metric: String(row.metric), start, end })
  }
  return joined
}

/** Successful actions on a resource, with the moments between which each happened. */
interface Action {
  target_id: string
  operation_id: string
  from: number
  to: number
}

async function actions(ask: Ask): Promise<Action[]> {
  const rows = (await ask(`select target_id, operation_id, time_started, time_completed
    from audit_log where result = 'success' and target_id is not null`)) as Record<string, string>[]
  return rows.map(({ target_id, operation_id, time_started, time_completed }) => ({
    target_id: target_id!,
    operation_id: operation_id!,
    // The clock of the database rounds differently.
    from: Date.parse(time_started!) - 1,
    to: Date.parse(time_completed!) + 1,
  }))
}

const near = (moment: number, { from, to }: { from: number; to: number }) =>
  moment >= from && moment <= to

/** Contradictions between the records and the history of instances. */
function instanceFaults(all: readonly Stretch[], done: readonly Action[], ids: readonly string[]) {
  const faults: string[] = []
  for (const id of ids) {
    const its = (metric: string) =>
      all.filter((one) => one.thing_id === id && one.metric === metric)
    const [cpus, memory] = [its('vcpu'), its('memory')]
    const times = (some: Stretch[]) => some.map(({ start, end }) => `${start}-${end}`).join()
    if (times(cpus) !== times(memory)) faults.push(`${id}: vCPUs and memory differ`)
    const of = (...operations: string[]) =>
      done.filter((one) => one.target_id === id && operations.includes(one.operation_id))
    const starts = of('instance_create', 'instance_start')
    const stops = of('instance_stop', 'instance_delete')
    if (cpus.length > starts.length) faults.push(`${id}: more uses than starts`)
    for (const { start, end } of cpus) {
      if (!starts.some(({ from }) => from <= start)) faults.push(`${id}: used before any start`)
      const isStopped = stops.some(({ from }) => from >= start - 1 && from <= end)
      if (end !== GOES_ON && !isStopped) faults.push(`${id}: ended without a stop`)
    }
  }
  return faults
}

/** Contradictions between the records and the times of disks. */
function diskFaults(
  all: readonly Stretch[],
  done: readonly Action[],
  disks: readonly Record<string, string | null>[],
) {
  const faults: string[] = []
  for (const { id, time_created, time_deleted } of disks) {
    const its = all.filter((one) => one.thing_id === id)
    if (its.length !== 1) {
      faults.push(`${id}: ${its.length} uses`)
      continue
    }
    const [{ start, end }] = its as [Stretch]
    const happened = (operation: string, since: string) => {
      const from = Date.parse(since) - 1
      const to = done.find((one) => one.target_id === id && one.operation_id === operation)?.to
      return { from, to: to ?? Infinity }
    }
    if (!near(start, happened('disk_create', time_created!))) faults.push(`${id}: begins wrongly`)
    if (
      time_deleted === null ? end !== GOES_ON : !near(end, happened('disk_delete', time_deleted!))
    )
      faults.push(`${id}: ends wrongly`)
  }
  return faults
}

/** The open records of a project, and its counters. */
const counters = `select used_cpus as vcpu, used_memory / 1073741824 as memory,
  used_storage / 1073741824 as storage from project where name = 'work'`
const goingOn = (metrics: string) => `coalesce((select sum(amount) from usage_record
  where time_end = ${GOES_ON} and metric in (${metrics})
    and project_id = (select id from project where name = 'work')), 0)`

/** @returns the number of acknowledged changes */
async function recordsDespiteKills(cloud: Cloud, servers: number): Promise<number> {
  const { ask } = cloud
  let acknowledged = 0
  let enough = () => {}
  let killAt = 0
  const count = () => {
    acknowledged++
    if (acknowledged >= killAt) enough()
  }
  const { api, kill, restart } = await startServers(cloud, servers)
  const first = new Date().toISOString().slice(0, 10)
  const everybody = [
    ...Array.from({ length: 4 }, (_, index) => new Worker(`w${index}`, count)),
    new Tagger(count),
  ]
  for (let round = 0; round < KILLS; round++) {
    killAt = acknowledged + acknowledgementsBefore(round, MOST_BEFORE_KILL)
    const reached = new Promise<void>((resolve) => (enough = resolve))
    const over = new AbortController()
    const working = Promise.all(
      everybody.map((worker, index) => worker.work(until(over.signal, api(index + round)))),
    )
    await Promise.race([working, reached])
    await pause(random() * MOMENT_MS)
    const victim = round % servers
    await kill(victim)
    await restart(victim)
    over.abort()
    await working
  }
  await settled(api(0))

  const [all, done] = [await stretches(ask), await actions(ask)]
  const rows = async (query: string) => (await ask(query)) as Record<string, string | null>[]
  const ids = (await rows('select id from instance')).map(({ id }) => id!)
  expect(ids.length).toBeGreaterThan(0)
  expect(instanceFaults(all, done, ids)).toEqual([])
  const disks = await rows('select id, time_created, time_deleted from disk')
  expect(diskFaults(all, done, disks)).toEqual([])
  const [counted] = await rows(counters)
  const [recorded] = await rows(`select ${goingOn("'vcpu'")} as vcpu,
    ${goingOn("'memory'")} as memory, ${goingOn("'disk', 'snapshot'")} as storage`)
  const numbers = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]))
  expect(numbers(recorded!)).toEqual(numbers(counted!))

  // The report has the sums of the records, to the millisecond.
  const range = `first_day=${first}&last_day=${new Date().toISOString().slice(0, 10)}`
  const { body } = await api(servers - 1)('GET', `/x/v1/usage?${range}&project=work`)
  const report = body as Wire.UsageReport
  const records = await rows(`select metric, amount, time_start, time_end from usage_record
    where project_id = (select id from project where name = 'work')`)
  const end = Date.parse(report.time_end)
  const sums = new Map<string, bigint>()
  for (const { metric, amount, time_start, time_end } of records) {
    const ms = Math.min(Number(time_end), end) - Number(time_start)
    if (ms > 0) sums.set(metric!, (sums.get(metric!) ?? 0n) + BigInt(amount!) * BigInt(ms))
  }
  expect(report.total.amounts).toEqual(
    report.total.amounts.map(({ metric }) => ({
      metric,
      quantity: quantityOf(sums.get(metric) ?? 0n, USAGE_DECIMALS),
      cost: null,
    })),
  )
  expect(report.total.amounts.map(({ metric }) => metric).toSorted()).toEqual(
    [...sums.keys()].toSorted(),
  )
  return acknowledged
}

const patience = { timeout: 200_000 + KILLS * 75_000 }

test(`records of use are exact in ${KILLS} kills of their server`, patience, async () => {
  expect(await recordsDespiteKills(embeddedCloud(), 1)).toBeGreaterThan(KILLS)
})

test.runIf(inject('postgresUrl'))(
  `records of use are exact on two servers, in ${KILLS} kills of either @long`,
  patience,
  async () => {
    expect(await recordsDespiteKills(await sharedCloud(), 2)).toBeGreaterThan(KILLS)
  },
)
