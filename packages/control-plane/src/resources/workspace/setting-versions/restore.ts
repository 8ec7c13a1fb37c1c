/** Restoring a version: the same call that a user would make with its contents. */
import { operations, type OperationId, ParseError, parseValue, type Wire } from '@steading/api'
import {
  canonicalJson,
  type SettingContents,
  type SettingName,
  type versionedSettings,
} from '@steading/api/rules'
import type { Context, Handler } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { requiring, lookup } from '../../../kernel/lookup.ts'
import { authSettingsHandlers } from '../../identity/auth-settings/handlers.ts'
import { policyHandlers } from '../../identity/policies/handlers.ts'
import { secondFactorHandlers } from '../../identity/second-factors/handlers.ts'
import { firewallRuleHandlers } from '../../networking/firewall-rules/handlers.ts'
import { addRoute, changeRoute, takeRoute } from '../../networking/routers/routes.ts'
import { imageCatalogHandlers } from '../../storage/image-catalog/handlers.ts'
import { imagePolicyHandlers } from '../../storage/image-policy/handlers.ts'
import { allowListHandlers } from '../../system-networking/allow-list/handlers.ts'
import { networkingSettingsHandlers } from '../../system-networking/networking-settings/handlers.ts'
import { priceListHandlers } from '../../tenancy/price-list/handlers.ts'
import { quotaHandlers } from '../../tenancy/quotas/handlers.ts'
import { deletedResourceHandlers } from '../deleted-resources/handlers.ts'
import { type PolicyMember, presentParts } from './contents.ts'
import { versioning } from './keep.ts'

type Restoring = Context<'setting_version_restore'>

const handlers = {
  ...authSettingsHandlers,
  ...policyHandlers,
  ...secondFactorHandlers,
  ...firewallRuleHandlers,
  ...imageCatalogHandlers,
  ...allowListHandlers,
  ...networkingSettingsHandlers,
  ...priceListHandlers,
  ...quotaHandlers,
  ...deletedResourceHandlers,
  ...imagePolicyHandlers,
}

type Called = Exclude<(typeof versionedSettings)[SettingName]['change'], 'vpc_router_route_create'>

/** Calls the operation that changes a setting, with its permission and its checks. */
async function call(
  ctx: Restoring,
  id: Called & keyof typeof handlers & OperationId,
  args: { params?: object; query?: object; body: unknown },
): Promise<void> {
  const operation = operations[id]
  const { permission } = operation
  let body: unknown
  try {
    body = parseValue(operation.body, args.body)
  } catch (error) {
    throw error instanceof ParseError ? fail.badRequest(error.message) : error
  }
  const called = {
    ...ctx,
    operationId: id,
    requiredActions: permission,
    params: {},
    query: {},
    headers: {},
    ...args,
    body,
  }
  await (handlers[id] as unknown as Handler<OperationId>)(called as unknown as Context)
}

type Contents<T> = Readonly<Record<string, T>>

const policyBody = (contents: SettingContents) => ({
  role_assignments: Object.entries(contents as Contents<PolicyMember>).flatMap(
    ([identity_id, { identity_type, role_names }]) =>
      role_names.map((role_name) => ({ identity_id, identity_type, role_name })),
  ),
})

type StoredRoute = Omit<Wire.RouterRouteCreate, 'name'> & { kind: 'default' | 'custom' }

/** Replaces the routes of a router. Of default routes, only the target is restored. */
async function restoreRoutes(
  ctx: Restoring,
  routerId: string,
  contents: Contents<StoredRoute>,
): Promise<void> {
  const { permission } = operations.vpc_router_route_create
  const router = await lookup(requiring(ctx, permission), 'vpc_router', routerId)
  await versioning(ctx, 'routes', router.id, async () => {
    const rows = await rowsOf(ctx.db, 'router_route')
      .selectAll()
      .where('its.vpc_router_id', '=', router.id)
      .where('its.kind', 'in', ['default', 'custom'])
      .execute()
    const present = await presentParts.routes(ctx.db, router.id)
    for (const row of rows) {
      if (row.kind === 'custom' && contents[row.name]?.kind !== 'custom') await takeRoute(ctx, row)
    }
    for (const [name, { kind, description, destination, target }] of Object.entries(contents)) {
      const row = rows.find((one) => one.name === name && one.kind === kind)
      const ends = { destination, target }
      if (!row && kind === 'custom') await addRoute(ctx, router, { name, description, ...ends })
      if (!row || present.get(name) === canonicalJson(contents[name])) continue
      await changeRoute(ctx, row, kind === 'custom' ? { description, ...ends } : ends)
    }
  })
}

/** How the contents of each setting are put back. */
const restorations: Record<
  SettingName,
  (ctx: Restoring, thing: string, contents: SettingContents) => Promise<void>
> = {
  firewall_rules: (ctx, vpc, contents) =>
    call(ctx, 'vpc_firewall_rules_update', {
      query: { vpc },
      body: {
        rules: Object.entries(contents).map(([name, rule]) => ({ name, ...(rule as object) })),
      },
    }),
  routes: (ctx, router, contents) => restoreRoutes(ctx, router, contents as Contents<StoredRoute>),
  project_policy: (ctx, project, contents) =>
    call(ctx, 'project_policy_update', { params: { project }, body: policyBody(contents) }),
  silo_policy: (ctx, silo, contents) =>
    call(ctx, 'silo_policy_update', { params: { silo }, body: policyBody(contents) }),
  fleet_policy: (ctx, _, contents) =>
    call(ctx, 'system_policy_update', { body: policyBody(contents) }),
  silo_quotas: (ctx, silo, body) => call(ctx, 'silo_quotas_update', { params: { silo }, body }),
  sign_in_policy: (ctx, silo, body) =>
    call(ctx, 'sign_in_policy_update', { params: { silo }, body }),
  auth_settings: (ctx, _, body) => call(ctx, 'auth_settings_update', { body }),
  deletion_policy: (ctx, _, body) => call(ctx, 'deletion_policy_update', { body }),
  image_policy: (ctx, _, body) => call(ctx, 'image_policy_update', { body }),
  allow_list: (ctx, _, body) => call(ctx, 'networking_allow_list_update', { body }),
  inbound_icmp: (ctx, _, body) => call(ctx, 'networking_inbound_icmp_update', { body }),
  networking_settings: (ctx, _, body) => call(ctx, 'system_networking_settings_update', { body }),
  price_list: (ctx, _, body) => call(ctx, 'price_list_update', { body }),
  image_catalog: (ctx, _, body) => call(ctx, 'image_catalog_update', { body }),
}

/** @throws ApiError the error with which the operation refuses the contents */
export const restoreContents = (
  ctx: Restoring,
  setting: SettingName,
  thing: string,
  contents: SettingContents,
): Promise<void> => restorations[setting](ctx, thing, contents)
