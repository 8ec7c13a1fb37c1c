import type { tables } from '@steading/api'
import { access, accessMessages, type KindName } from '@steading/api/rules'
import { may } from '../../../kernel/authz/actor.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { holdersOf } from './holders.ts'
import { findIdentities } from './identities.ts'
import {
  fleetChange,
  groupChanges,
  previewOf,
  projectChange,
  siloChange,
  userChanges,
} from './preview.ts'
import { fleetPlace, type Question } from './sources.ts'
import { accessOf } from './user-access.ts'

/** The question with its scope: the fleet, silo or project that contains resources of the kind. */
async function questionOf(ctx: Context<'access_list'>): Promise<Question> {
  const { action, project } = ctx.query
  const kind = ctx.query.kind as KindName
  const { scope } = access[kind]
  if (scope !== 'project' && project) {
    throw fail.invalidRequest(`things of kind ${kind} are not in a project`)
  }
  if (scope === 'fleet') {
    authorize(ctx, 'fleet', {})
    return { kind, action: action!, place: fleetPlace, siloId: undefined }
  }
  if (scope === 'silo') {
    const { id, name } = await lookup(ctx, 'silo', ctx.actor.siloId)
    return { kind, action: action!, place: { level: scope, id, name }, siloId: id }
  }
  if (!project) throw fail.invalidRequest(`project is required for kind ${kind}`)
  const { id, name, silo_id } = await lookup(ctx, 'project', project)
  return { kind, action: action!, place: { level: scope, id, name }, siloId: silo_id }
}

export const accessHandlers: Handlers<typeof tables.accessOperations> = {
  async identity_list(ctx) {
    const { silo, search, ids, limit, assignable, project } = ctx.query
    if ((assignable === 'project') !== (project !== undefined)) {
      throw fail.invalidRequest(accessMessages.assignableProject)
    }
    const siloId = (await lookup(ctx, 'silo', silo ?? ctx.actor.siloId)).id
    authorize(ctx, 'silo_user', { siloId })
    authorize(ctx, 'silo_group', { siloId })
    return findIdentities(ctx.db, siloId, {
      search,
      ids: ids?.split(','),
      limit,
      assignable:
        assignable === 'project'
          ? { project: (await lookup(ctx, 'project', project!)).id }
          : assignable,
    })
  },

  async access_list(ctx) {
    const question = await questionOf(ctx)
    const fleetKnown = may(ctx.actor, 'read', 'fleet', {})
    return holdersOf(ctx.db, question, ctx.page, { search: ctx.query.search, fleetKnown })
  },

  async user_access_view(ctx) {
    const user = await lookup(ctx, 'silo_user', ctx.params.user_id)
    const { project } = ctx.query
    return accessOf(
      ctx.db,
      ctx.actor,
      user,
      project ? await lookup(ctx, 'project', project) : undefined,
    )
  },

  async access_preview(ctx) {
    const { db, body } = ctx
    if (body.type === 'group') {
      const group = await lookup(ctx, 'silo_group', body.group_id)
      const { changes, more } = await groupChanges(db, group, body.members)
      return previewOf(db, changes, more)
    }
    if (body.type === 'user') {
      const { user_id, silo } = body
      const user = await lookup(ctx, 'silo_user', user_id, { silo })
      const { changes, more } = await userChanges(db, user)
      return previewOf(db, changes, more)
    }
    const after = body.policy.role_assignments
    if (body.type === 'fleet_policy') {
      authorize(ctx, 'fleet', {})
      return previewOf(db, await fleetChange(db, after))
    }
    if (body.type === 'silo_policy') {
      const silo = await lookup(ctx, 'silo', body.silo ?? ctx.actor.siloId)
      return previewOf(db, await siloChange(db, silo.id, after))
    }
    const project = await lookup(ctx, 'project', body.project)
    return previewOf(db, await projectChange(db, project, after))
  },
}
