import type { tables, Wire } from '@steading/api'
import {
  nameTextProblem,
  OIDC_NAME_MAX,
  userIdentityMessages as messages,
} from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, findLive } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { endCredentials } from '../auth/end-credentials.ts'
import { userChanged } from '../users/create.ts'
import { adoptUsers, type LinkedProvider, linkUser, providersOf, unlinkUser } from './identities.ts'
import { lastSignInColumn } from './last-sign-in.ts'
import type { UserIdentityTable } from './table.ts'

/** Finds a provider of either protocol by its id. */
async function lookupProvider(
  ctx: LookupContext<'saml_identity_provider' | 'oidc_identity_provider'>,
  id: string,
): Promise<LinkedProvider & { last_sign_in: string | null }> {
  const isOidc = await findLive(ctx.db, 'oidc_identity_provider', id, 'id')
  return isOidc
    ? { ...(await lookup(ctx, 'oidc_identity_provider', id)), type: 'oidc' }
    : { ...(await lookup(ctx, 'saml_identity_provider', id)), type: 'saml' }
}

const toWire = (
  provider: LinkedProvider,
  { name, time_created }: Pick<UserIdentityTable, 'name' | 'time_created'>,
): Wire.UserIdentity => ({
  provider_id: provider.id,
  provider_type: provider.type,
  provider_name: provider.name,
  name,
  time_created,
})

const linksOf = (ctx: Pick<LookupContext<'silo_user'>, 'db'>, userId: string) =>
  ctx.db
    .selectFrom('user_identity')
    .select(['provider_id', 'name', 'time_created'])
    .where('user_id', '=', userId)
    .orderBy('time_created')
    .orderBy('name')
    .limit(1000)
    .execute()

/** @throws ApiError 400 for a user who cannot sign in through the provider */
function requireLinkable(
  { silo_id, is_service }: Row<'silo_user'>,
  provider: LinkedProvider,
): void {
  if (is_service) throw fail.invalidRequest(messages.local)
  if (silo_id !== provider.silo_id) throw fail.invalidRequest(messages.otherSilo)
}

export const userIdentityHandlers: Handlers<typeof tables.userIdentityOperations> = {
  async user_identity_list(ctx) {
    const { id, silo_id } = await lookup(ctx, 'silo_user', ctx.params.user_id, ctx.query)
    const providers = new Map(
      (await providersOf(ctx.db, silo_id)).map((provider) => [provider.id, provider]),
    )
    const items = (await linksOf(ctx, id)).flatMap((link) => {
      const provider = providers.get(link.provider_id)
      // A deleted provider signs nobody in.
      return provider ? [toWire(provider, link)] : []
    })
    return { items }
  },

  async user_identity_link(ctx) {
    const user = await lookup(ctx, 'silo_user', ctx.params.user_id, ctx.query)
    const provider = await lookupProvider(ctx, ctx.body.provider)
    requireLinkable(user, provider)
    const name = ctx.body.name.trim()
    if (name === '' || name.length > OIDC_NAME_MAX || nameTextProblem(name)) {
      throw fail.invalidValue('name', messages.badName)
    }
    const link = await linkUser(ctx, provider, { userId: user.id, name })
    await userChanged(ctx, user, 'update')
    return toWire(provider, link)
  },

  async user_identity_unlink(ctx) {
    const { user_id, provider_id } = ctx.params
    const user = await lookup(ctx, 'silo_user', user_id, ctx.query)
    if (!(await unlinkUser(ctx.db, user.id, provider_id))) {
      throw fail.notFoundById('identity-provider', provider_id)
    }
    await endCredentials(ctx, user.id, 'administrator')
    await userChanged(ctx, user, 'update')
  },

  async identity_provider_last_sign_in(ctx) {
    const { last_sign_in } = await lookupProvider(ctx, ctx.params.provider_id)
    return { sign_in: last_sign_in === null ? null : lastSignInColumn.read(last_sign_in) }
  },

  async identity_provider_adopt_users(ctx) {
    const provider = await lookupProvider(ctx, ctx.params.provider_id)
    authorize(ctx, 'silo_user', { siloId: provider.silo_id })
    return { count: await adoptUsers(ctx, provider) }
  },
}
