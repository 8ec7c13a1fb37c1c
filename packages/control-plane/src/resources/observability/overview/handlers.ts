import type { tables, Wire } from '@steading/api'
import { may } from '../../../kernel/authz/actor.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { readLive } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { briefFleet, briefProject, briefSilo } from '../briefings/briefing.ts'
import { attentionOf, findingsIn, findingsOfFleet } from './attention.ts'
import { capacityOf, capacityOfFleet } from './capacity.ts'
import { chartsOfFleet, chartsOfProject, chartsOfSilo } from './charts.ts'
import { inventoryOfFleet, inventoryOfProjects, inventoryOfSilo } from './inventory.ts'
import { maySeeAllProjects, readableProjects } from './projects.ts'
import { logOfFleet, logOfProject, logOfSilo } from '../audit-log/readable-log.ts'
import { timelineOf } from './timeline.ts'

/** How each section is read; null for one that the caller may not read. */
type Sections = {
  [Name in keyof Wire.Overview]: () => Promise<Wire.Overview[Name]> | Wire.Overview[Name]
}

/** Reads one section after the other; other calls have their turn in between. */
async function overviewOf(sections: Sections): Promise<Wire.Overview> {
  const read: Partial<Record<keyof Wire.Overview, unknown>> = {}
  for (const [name, section] of Object.entries(sections)) {
    read[name as keyof Wire.Overview] = await section()
    await yieldToEventLoop()
  }
  return read as Wire.Overview
}

export const overviewHandlers: Handlers<typeof tables.overviewOperations> = {
  async project_overview(ctx) {
    const { actor, db, now } = ctx
    const { database } = ctx.services
    const project = await lookup(ctx, 'project', ctx.query.project)
    const { id, silo_id: siloId } = project
    const silo = await readLive(db, 'silo', siloId)
    const projectIds = [id]
    const findings = await findingsIn(ctx, { silo, projectIds }, 'project')
    return overviewOf({
      briefing: () => briefProject(ctx, project, findings),
      attention: () => attentionOf(findings),
      inventory: async () => ({
        project: await inventoryOfProjects(db, projectIds, undefined),
        silo: null,
        fleet: null,
      }),
      capacity: () => capacityOf(project, silo),
      charts: () => chartsOfProject(db, id, now),
      timeline: () => timelineOf(database, actor, logOfProject(actor, id), now),
    })
  },

  async silo_overview(ctx) {
    const { actor, db, now } = ctx
    const { database } = ctx.services
    const silo = await lookup(ctx, 'silo', actor.siloId)
    const { id } = silo
    const projectIds = await readableProjects(db, actor)
    const readsAll = maySeeAllProjects(actor)
    const readsNone = !readsAll && projectIds.length === 0
    const images = may(actor, 'read', 'silo_image', { siloId: id }) ? id : undefined
    const readsLog = !readsNone || may(actor, 'list', 'audit_log', { siloId: id })
    const findings = await findingsIn(ctx, { silo, projectIds }, 'silo')
    return overviewOf({
      briefing: () => briefSilo(ctx, silo, { projectIds, findings }),
      attention: () => attentionOf(findings),
      inventory: async () => ({
        project: readsNone ? null : await inventoryOfProjects(db, projectIds, images),
        silo: await inventoryOfSilo(db, id, projectIds),
        fleet: null,
      }),
      capacity: () => capacityOf(silo, silo),
      charts: () => chartsOfSilo(db, id, now, readsAll),
      timeline: () =>
        readsLog ? timelineOf(database, actor, logOfSilo(actor, projectIds), now) : null,
    })
  },

  async fleet_overview(ctx) {
    authorize(ctx, 'fleet', {})
    const { actor, db, now } = ctx
    const { database, hardware, simulation } = ctx.services
    const findings = await findingsOfFleet(ctx)
    return overviewOf({
      briefing: () => briefFleet(ctx, findings, simulation !== undefined),
      attention: () => attentionOf(findings),
      inventory: async () => ({ project: null, silo: null, fleet: await inventoryOfFleet(db) }),
      capacity: () => capacityOfFleet(db, hardware.replicas),
      charts: () => chartsOfFleet(db, now),
      timeline: () => timelineOf(database, actor, logOfFleet, now),
    })
  },
}
