/** How many hosts are silent at the same time, as the server that asks sees it. */
import type { Db } from '../../../kernel/db/database.ts'
import type { HostEnrolment } from '../../../kernel/ports/host-enrolment.ts'

/** Hosts that are called at the same time. */
const CALLS_AT_ONCE = 16

export interface Census {
  silent: number
  count: number
}

/** All hosts in service that are not fenced, with whether they answered when they were last asked. */
const hostsInService = (db: Db) =>
  db
    .selectFrom('host')
    .innerJoin('sled', 'sled.id', 'host.sled_id')
    .select(['sled.name as serial', 'sled.responding'])
    .where('host.time_deleted', 'is', null)
    .where('host.state', '=', 'in_service')
    .where('sled.policy', '=', 'in_service')
    .where('sled.fenced', '=', 0)
    .orderBy('sled.name')
    .execute()

export async function knownCensus(db: Db): Promise<Census> {
  const hosts = await hostsInService(db)
  return {
    silent: hosts.filter(({ responding }) => responding === 0).length,
    count: hosts.length,
  }
}

/**
 * Calls the hosts that are said to answer, until half of all have done so: others may reach them
 * while this server does not.
 */
export async function takeCensus(
  db: Db,
  enrolment: Pick<HostEnrolment, 'answers'>,
): Promise<Census> {
  const hosts = await hostsInService(db)
  const count = hosts.length
  const others = hosts.filter(({ responding }) => responding === 1)
  let answered = 0
  for (let at = 0; at < others.length && answered * 2 < count; at += CALLS_AT_ONCE) {
    const some = others.slice(at, at + CALLS_AT_ONCE)
    const answers = await Promise.all(some.map(({ serial }) => enrolment.answers(serial)))
    answered += answers.filter(Boolean).length
  }
  return { silent: count - answered, count }
}
