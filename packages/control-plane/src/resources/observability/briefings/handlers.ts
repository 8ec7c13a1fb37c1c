import {
  oneInstanceSentences,
  STUCK_AFTER_MS,
  type tables,
  type Troubles,
  type Wire,
} from '@steading/api'
import { hostSilentTitle, instanceIsTransitioning, pauseMessages } from '@steading/api/rules'
import { may } from '../../../kernel/authz/actor.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { readLive } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { hostWaitOf } from '../../hardware/host-fencing/events.ts'
import { firingAlerts } from '../alert-rules/firing-now.ts'
import { findingsIn, findingsOfFleet } from '../overview/attention.ts'
import { readableProjects } from '../overview/projects.ts'
import { briefFleet, briefProject, briefSilo } from './briefing.ts'

const alertsOf = ({ items, more }: Wire.FiringAlerts): Troubles => {
  const [first] = items
  const path = (name: string, project: string | null) =>
    project === null
      ? `/system/alert-rules/${encodeURIComponent(name)}`
      : `/projects/${encodeURIComponent(project)}/alert-rules/${encodeURIComponent(name)}`
  return {
    count: items.length,
    atLeast: more,
    first: first && {
      name: first.rule_name,
      sentence: first.rule_name,
      path: path(first.rule_name, first.project_name),
      began: first.time_fired,
    },
    critical: items.some(({ severity }) => severity === 'critical'),
    since: more ? null : (items.map(({ time_fired }) => time_fired).toSorted()[0] ?? null),
  }
}

export const briefingHandlers: Handlers<typeof tables.briefingOperations> = {
  async project_briefing(ctx) {
    const project = await lookup(ctx, 'project', ctx.query.project)
    const silo = await readLive(ctx.db, 'silo', project.silo_id)
    const findings = await findingsIn(ctx, { silo, projectIds: [project.id] }, 'project')
    return briefProject(ctx, project, findings)
  },

  async silo_briefing(ctx) {
    const silo = await lookup(ctx, 'silo', ctx.actor.siloId)
    const projectIds = await readableProjects(ctx.db, ctx.actor)
    const findings = await findingsIn(ctx, { silo, projectIds }, 'silo')
    return briefSilo(ctx, silo, { projectIds, findings })
  },

  async fleet_briefing(ctx) {
    authorize(ctx, 'fleet', {})
    const isSimulated = ctx.services.simulation !== undefined
    return briefFleet(ctx, await findingsOfFleet(ctx), isSimulated)
  },

  async instance_briefing(ctx) {
    const { actor, db, now } = ctx
    const { project = null } = ctx.query
    const row = await lookup(ctx, 'instance', ctx.query.instance, { project })
    const { id, run_state: state, time_run_state_updated: since, pause, sled_id } = row
    const sled =
      sled_id !== null && may(actor, 'read', 'sled', {})
        ? await db
            .selectFrom('sled')
            .select(['id', 'name'])
            .where('id', '=', sled_id)
            .executeTakeFirst()
        : undefined
    const isStuck =
      instanceIsTransitioning(state) && Date.parse(since) < now.getTime() - STUCK_AFTER_MS
    const isHostSilent = (await hostWaitOf(db, sled_id)) !== null
    const trouble = isHostSilent
      ? hostSilentTitle
      : pause
        ? pauseMessages[pause].title
        : isStuck
          ? `The instance is stuck in state ${state}`
          : null
    const sentences = oneInstanceSentences({
      state,
      since,
      trouble,
      sled: sled && { name: sled.name, path: `/system/inventory/sleds/${sled.id}/instances` },
      alerts: alertsOf(await firingAlerts(ctx, { instance: id })),
    })
    return { place: id, sentences, steps: [], dismissed: false }
  },
}
