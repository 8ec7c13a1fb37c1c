/** Compares the networks that VPCs should have with those that the rows say. */
import { kinds } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import type { EventFeed, Follower } from '../../../kernel/events/feed.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import type { Log } from '../../../kernel/settings.ts'
import { createTask, type Task } from '../../../kernel/task.ts'
import { notApplied, planRows } from '../applied-networks/rows.ts'
import { desiredNetworks } from './desired.ts'

/** Projects whose VPCs may have changed. */
type Touched = readonly string[] | 'all'

/** Ids per statement; both databases accept more parameters. */
const CHUNK = 1000

async function planSome(db: Db, now: Date, projects: Touched): Promise<boolean> {
  let live = rowsOf(db, 'vpc').select(['its.id', 'its.project_id']).orderBy('its.id')
  let planned = db.selectFrom('vpc_network').select(['id', 'wanted', 'generation'])
  if (projects !== 'all') {
    live = live.where('its.project_id', 'in', projects)
    planned = planned.where('project_id', 'in', projects)
  }
  const rows = await planned.execute()
  const vpcs = await live.execute()
  const projectOf = new Map(vpcs.map(({ id, project_id }) => [id, project_id]))
  async function* wanted() {
    for await (const [id, { digest }] of desiredNetworks(db, idsIn(vpcs))) {
      yield { ...notApplied, id, project_id: projectOf.get(id)!, wanted: digest }
    }
  }
  return planRows(db, now, { table: 'vpc_network', planned: rows, wanted: wanted() })
}

/**
 * Gives each VPC a row with the digest of the present network, and makes the rows due whose network
 * has changed or whose VPC is gone.
 * @param projects only VPCs of these projects are read
 * @returns whether any row is due
 */
export async function planVpcNetworks(
  db: Db,
  now: Date,
  projects: Touched = 'all',
): Promise<boolean> {
  if (projects === 'all') return planSome(db, now, projects)
  let due = false
  for (let at = 0; at < projects.length; at += CHUNK) {
    due = (await planSome(db, now, projects.slice(at, at + CHUNK))) || due
  }
  return due
}

/** Changes of a burst are planned together. Milliseconds. */
const BURST_MS = 20

/** The projects of the events that a follower has not seen. */
function touchedBy(follower: Follower): Touched {
  const projects = new Set<string>()
  let hasGroups = false
  for (;;) {
    const events = follower.take()
    if (events === 'reset') return 'all'
    if (events.length === 0) return hasGroups ? 'all' : [...projects]
    for (const { resource, project_id } of events) {
      if (project_id !== null) projects.add(project_id)
      // A group has members in several projects, and some have just left it.
      hasGroups ||= resource === kinds.multicast_group.resource
    }
  }
}

export interface VpcNetworkPlanner {
  task: Task
  start: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Plans the VPCs of a project after each event in it, also of other servers. A lost event is found
 * by the resync.
 */
export function createVpcNetworkPlanner(parts: {
  db: Db
  feed: EventFeed
  clock: () => Date
  log: Log
  wake: () => void
}): VpcNetworkPlanner {
  const { db, feed, clock, log, wake } = parts
  let follower: Follower | undefined
  const task = createTask(
    { clock, log },
    { name: 'planning the networks of VPCs', every: Infinity },
    async () => {
      const touched = follower ? touchedBy(follower) : []
      if (touched.length > 0 && (await planVpcNetworks(db, clock(), touched))) wake()
    },
  )
  return {
    task,
    async start() {
      follower = await feed.follow({
        userId: undefined,
        wake: () => task.soon(BURST_MS),
        close() {},
      })
      await task.start()
    },
    async stop() {
      follower?.leave()
      await task.stop()
    },
  }
}
