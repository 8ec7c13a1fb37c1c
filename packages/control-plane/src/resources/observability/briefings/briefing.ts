/** Briefings: how a place is doing, and the first steps there. */
import {
  fleetSentences,
  type InstanceFacts,
  instancesPath,
  ISSUES_OF_A_KIND,
  placeWords,
  projectSentences,
  type ReadWithin,
  siloSentences,
  type Trouble,
  type Troubles,
  type Wire,
} from '@steading/api'
import { FLEET_ID, type OverviewScope } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type FoundIssue, ISSUE_ROWS, type Search } from '../../../kernel/issues.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Findings } from '../overview/attention.ts'
import { presentSleds } from '../overview/inventory.ts'
import { inParts, maySeeAllProjects } from '../overview/projects.ts'
import { stepsOfFleet, stepsOfProject, stepsOfSilo } from './steps.ts'

const troubleOf = ({ sentence, path, time_began, resource }: FoundIssue, within?: ReadWithin) => {
  const { name = '', project, silo } = resource ?? {}
  const place = project && silo ? placeWords(project, silo, within) : ''
  return { name: `Instance ${name}${place}`, sentence, path, began: time_began }
}

/** @param atLeast whether some were not counted */
function troublesOf(troubles: readonly Trouble[], atLeast: boolean): Troubles {
  const times = troubles.map(({ began }) => began)
  const known = times.every((time) => time !== null) && !atLeast
  return {
    count: troubles.length,
    atLeast,
    first: troubles[0],
    since: known ? (times.toSorted()[0] ?? null) : null,
  }
}

const isFailed = ({ kind }: FoundIssue) => kind === 'instance_failed'
const isCriticalAlert = ({ kind }: FoundIssue) => kind === 'alert_rule_critical'
const isFiring = (issue: FoundIssue) =>
  isCriticalAlert(issue) || issue.kind === 'alert_rule_warning'

/** Sorts what needs attention, as the sentences tell it. */
function sorted({ items, more }: Findings, hampered: readonly Trouble[], within?: ReadWithin) {
  const some = (which: (issue: FoundIssue) => boolean, also: readonly Trouble[] = []) => {
    const found = items.filter(which)
    const full = [...Map.groupBy(found, ({ kind }) => kind).values()].some(
      (ofKind) => ofKind.length >= ISSUES_OF_A_KIND,
    )
    const troubles = [...found.map((issue) => troubleOf(issue, within)), ...also]
    return troublesOf(troubles, (more && full) || also.length === ISSUE_ROWS)
  }
  return {
    failed: some(isFailed),
    alerts: { ...some(isFiring), critical: items.some(isCriticalAlert) },
    others: some((issue) => !isFailed(issue) && !isFiring(issue), hampered),
  }
}

/** Instances of some projects by their state. */
export const instanceCounts = (projectIds: readonly string[]) => sql<{
  state: string
  count: number | string
}>`
  select run_state as state, count(*) as count from instance
  where time_deleted is null and project_id in (${sql.join(projectIds)}) group by run_state`

/** Instances without an issue whose machine is paused, or is being repaired. */
const hamperedIn = (db: Db, projectIds: readonly string[]) =>
  db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .select(['instance.name', 'instance.pause', 'project.name as project'])
    .select(({ fn }) =>
      fn.coalesce('instance.time_paused', 'instance.time_run_state_updated').as('since'),
    )
    .where('instance.time_deleted', 'is', null)
    .where((eb) =>
      eb.or([eb('instance.pause', 'is not', null), eb('instance.run_state', '=', 'repairing')]),
    )
    .where('instance.project_id', 'in', [...projectIds])
    .orderBy('since')
    .limit(ISSUE_ROWS)
    .execute()

async function instancesIn(db: Db, siloName: string, projectIds: string[], within: ReadWithin) {
  const parts = await inParts(projectIds, async (some) => ({
    counts: (await instanceCounts(some).execute(db)).rows,
    hampered: await hamperedIn(db, some),
  }))
  const sum = (state?: string) =>
    parts
      .flatMap(({ counts }) => counts)
      .filter((row) => state === undefined || row.state === state)
      .reduce((all, { count }) => all + Number(count), 0)
  const hampered = parts
    .flatMap((part) => part.hampered)
    .slice(0, ISSUE_ROWS)
    .map(({ name, project, pause, since }): Trouble => {
      const called = `Instance ${name}${placeWords(project, siloName, within)}`
      const page = `/projects/${encodeURIComponent(project)}/instances/${encodeURIComponent(name)}/storage`
      const sentence = `${called} is ${pause ? 'paused' : 'being repaired'}`
      return { name: called, sentence, path: page, began: since }
    })
  return { total: sum(), running: sum('running'), failed: sum('failed'), hampered }
}

const isDismissed = async (db: Db, userId: string, place: string): Promise<boolean> =>
  (await db
    .selectFrom('dismissal')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', place)
    .executeTakeFirst()) !== undefined

async function briefing(
  { db, actor }: Search,
  place: string,
  sentences: Wire.BriefingSentence[],
  steps: Wire.BriefingStep[],
): Promise<Wire.Briefing> {
  const dismissed = steps.length > 0 && (await isDismissed(db, actor.userId, place))
  return { place, sentences, steps, dismissed }
}

/** Pages with everything that needs attention. */
const attentionPaths: Record<Exclude<OverviewScope, 'project'>, string> = {
  silo: '/overview',
  fleet: '/system/issues',
}

export async function briefProject(
  search: Search,
  project: Row<'project'>,
  findings: Findings,
): Promise<Wire.Briefing> {
  const { db, actor } = search
  const { id, name } = project
  const { total, running, failed, hampered } = await instancesIn(
    db,
    actor.siloName,
    [id],
    'project',
  )
  const troubles = sorted(findings, hampered, 'project')
  const instances: InstanceFacts = { total, running, path: instancesPath(name, 'running') }
  const sentences = projectSentences({
    ...troubles,
    failed: { ...troubles.failed, count: failed, atLeast: false },
    instances,
    paths: {
      failed: instancesPath(name, 'failed'),
      attention: `/projects/${encodeURIComponent(name)}/overview`,
    },
  })
  return briefing(search, id, sentences, await stepsOfProject(db, project, actor))
}

/** @param of the projects that the caller may read, with their issues */
export async function briefSilo(
  search: Search,
  silo: Row<'silo'>,
  { projectIds, findings }: { projectIds: string[]; findings: Findings },
): Promise<Wire.Briefing> {
  const { db, actor } = search
  const { total, running, failed, hampered } = await instancesIn(db, silo.name, projectIds, 'silo')
  const troubles = sorted(findings, hampered, 'silo')
  const sentences = siloSentences({
    ...troubles,
    failed: { ...troubles.failed, count: failed, atLeast: false },
    instances: { total, running, path: null },
    projects: projectIds.length,
    readsAll: maySeeAllProjects(actor),
    paths: { failed: attentionPaths.silo, attention: attentionPaths.silo },
  })
  return briefing(search, silo.id, sentences, await stepsOfSilo(db, silo, actor))
}

export async function briefFleet(
  search: Search,
  findings: Findings,
  isSimulated: boolean,
): Promise<Wire.Briefing> {
  const { db, actor } = search
  const sleds = await presentSleds(db)
  const sentences = fleetSentences({
    ...sorted(findings, []),
    sleds: {
      total: sleds.length,
      inService: sleds.filter((condition) => condition === 'in_service').length,
      path: '/system/inventory/sleds',
    },
    paths: { failed: attentionPaths.fleet, attention: attentionPaths.fleet },
  })
  return briefing(search, FLEET_ID, sentences, await stepsOfFleet(db, actor, isSimulated))
}
