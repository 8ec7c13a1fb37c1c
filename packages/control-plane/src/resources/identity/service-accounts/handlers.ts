import type { tables } from '@steading/api'
import { kinds, SERVICE_ACCOUNTS_MAX, serviceAccountMessages } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import type { LookupContext } from '../../../kernel/lookup.ts'
import { countRows } from '../../../kernel/db/rows.ts'
import { createToken } from '../access-tokens/create.ts'
import { projectsOfToken } from '../access-tokens/projects.ts'
import { pageOfTokens, toWireTokenDetails } from '../access-tokens/kind.ts'
import { createServiceAccount, deleteServiceAccount, updateServiceAccount } from './change.ts'
import { containerOf } from '../../tenancy/projects/placed.ts'
import {
  lookupAccount,
  placeOfAccounts,
  serviceAccountKind,
  type ServiceAccountRow,
} from './lookup.ts'
import { toWireServiceAccount } from './kind.ts'

type Either = 'service_account' | 'silo_service_account'

/** The place of a call: a project whose accounts the caller may list or create, or the silo. */
async function placeOf(
  ctx: LookupContext<Either | 'project'>,
  project: string | undefined,
): Promise<Pick<ServiceAccountRow, 'silo_id' | 'project_id'>> {
  const place = await placeOfAccounts(ctx, project)
  const { silo_id: siloId, project_id: projectId } = place
  if (projectId !== null) authorize(ctx, 'service_account', { siloId, projectId })
  return place
}

const accountsIn = (
  { db }: Pick<LookupContext<Either>, 'db'>,
  { silo_id, project_id }: Pick<ServiceAccountRow, 'silo_id' | 'project_id'>,
) => {
  const rows = rowsOf(db, serviceAccountKind({ project_id }))
  return project_id === null
    ? rows.where('its.silo_id', '=', silo_id)
    : rows.where('its.project_id', '=', project_id)
}

export const serviceAccountHandlers: Handlers<typeof tables.serviceAccountOperations> = {
  async service_account_search(ctx) {
    const place = await placeOf(ctx, ctx.query.project)
    return searchList(ctx, serviceAccountKind(place), containerOf(place))
  },

  async service_account_create(ctx) {
    const place = await placeOf(ctx, ctx.query.project)
    const count = await countRows(accountsIn(ctx, place))
    if (count >= SERVICE_ACCOUNTS_MAX) {
      throw fail.invalidRequest(serviceAccountMessages.tooMany)
    }
    return toWireServiceAccount(await createServiceAccount(ctx, { ...ctx.body, ...place }))
  },

  service_account_view: async (ctx) =>
    toWireServiceAccount(await lookupAccount(ctx, ctx.params.service_account)),

  async service_account_update(ctx) {
    const account = await lookupAccount(ctx, ctx.params.service_account)
    const { name, description } = ctx.body
    const values = {
      name: name ?? account.name,
      description: description ?? account.description,
    }
    return toWireServiceAccount(await updateServiceAccount(ctx, account, values))
  },

  async service_account_delete(ctx) {
    await deleteServiceAccount(ctx, await lookupAccount(ctx, ctx.params.service_account))
  },

  async service_account_token_list(ctx) {
    const { id } = await lookupAccount(ctx, ctx.params.service_account)
    return pageOfTokens(ctx, ctx.page, id)
  },

  async service_account_token_create(ctx) {
    const user = await lookupAccount(ctx, ctx.params.service_account)
    const projects = await projectsOfToken(ctx, ctx.body.projects)
    const { row, token } = await createToken(ctx, {
      user,
      body: ctx.body,
      projects,
      credential: ctx.http.credential!,
      clientAddress: ctx.http.clientAddress,
    })
    const [details] = await toWireTokenDetails(ctx.db, [row])
    return { ...details!, token }
  },

  async service_account_token_delete(ctx) {
    const { id: user_id } = await lookupAccount(ctx, ctx.params.service_account)
    const id = ctx.params.token_id
    const revoked = await ctx.db
      .deleteFrom('access_token')
      .where('id', '=', id)
      .where('user_id', '=', user_id)
      .returning('name')
      .executeTakeFirst()
    if (!revoked) throw fail.notFoundById(kinds.access_token.type, id)
    await ctx.emit('access_token', 'delete', { id, name: revoked.name, user_id })
  },
}
