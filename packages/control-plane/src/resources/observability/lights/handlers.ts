import type { tables } from '@steading/api'
import { LIGHT_UNITS_MAX } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { readableProjects } from '../overview/projects.ts'
import { lightsOfProjects, lightsOfSleds } from './lights.ts'

const byName = (one: { name: string }, other: { name: string }): number =>
  one.name < other.name ? -1 : 1

export const lightHandlers: Handlers<typeof tables.lightOperations> = {
  async fleet_lights(ctx) {
    authorize(ctx, 'fleet', {})
    const sleds = await rowsOf(ctx.db, 'sled')
      .selectAll()
      .where('its.state', '=', 'active')
      .orderBy('its.rack_id')
      .orderBy('its.slot')
      .orderBy('its.id')
      .execute()
    const shown = sleds.slice(0, LIGHT_UNITS_MAX)
    return { units: await lightsOfSleds(ctx.db, shown), more: sleds.length - shown.length }
  },

  async silo_lights(ctx) {
    const { actor, db } = ctx
    await lookup(ctx, 'silo', actor.siloId)
    const ids = new Set(await readableProjects(db, actor))
    const ofSilo = await rowsOf(db, 'project')
      .select(['its.id', 'its.name'])
      .where('its.silo_id', '=', actor.siloId)
      .execute()
    const projects = ofSilo.filter(({ id }) => ids.has(id)).toSorted(byName)
    const shown = projects.slice(0, LIGHT_UNITS_MAX)
    return { units: await lightsOfProjects(db, shown), more: projects.length - shown.length }
  },

  async sled_lights(ctx) {
    const sled = await lookup(ctx, 'sled', ctx.query.sled)
    return { units: await lightsOfSleds(ctx.db, [sled]), more: 0 }
  },
}
