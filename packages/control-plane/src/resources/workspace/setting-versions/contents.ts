/** The present contents of settings, in parts by key. */
import { canonicalJson, FLEET_ID, type SettingName } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { rowsOf, readLive } from '../../../kernel/kinds.ts'
import { policyOf } from '../../identity/second-factors/factors.ts'
import { ruleRows } from '../../networking/firewall-rules/rules.ts'
import { destinationOf, targetOf } from '../../networking/routers/wire.ts'
import { readCatalog } from '../../storage/image-catalog/catalog.ts'
import { readAllowed } from '../../system-networking/allow-list/read.ts'
import { isEnabled } from '../../system-networking/networking-settings/settings.ts'
import { readPriceList } from '../../tenancy/price-list/prices.ts'
import { toWireQuotas } from '../../tenancy/quotas/quotas.ts'

/** Parts of a setting as JSON, by key. */
export type Parts = ReadonlyMap<string, string>

const partsOf = (contents: object): Parts =>
  new Map(Object.entries(contents).map(([key, value]) => [key, canonicalJson(value)]))

const siloOf = (db: Db, id: string) => readLive(db, 'silo', id)

/** A member of a policy, with all of its roles. */
export interface PolicyMember {
  identity_type: 'silo_user' | 'silo_group'
  role_names: string[]
}

const policy = (resource: 'fleet' | 'silo' | 'project') => async (db: Db, id: string) => {
  const rows = await db
    .selectFrom('role_assignment')
    .select(['identity_type', 'identity_id', 'role_name'])
    .where('resource_type', '=', resource)
    .where('resource_id', '=', id)
    .orderBy('role_name')
    .execute()
  const members: Record<string, PolicyMember> = {}
  for (const { identity_id, identity_type, role_name } of rows) {
    members[identity_id] ??= { identity_type, role_names: [] }
    members[identity_id].role_names.push(role_name)
  }
  return partsOf(members)
}

/** Routes to subnets are left out: they come and go with the subnets. */
async function routes(db: Db, routerId: string): Promise<Parts> {
  const rows = await rowsOf(db, 'router_route')
    .selectAll()
    .where('its.vpc_router_id', '=', routerId)
    .where('its.kind', 'in', ['default', 'custom'])
    .execute()
  return new Map(
    rows.map((row) => {
      const { name, description, kind } = row
      const ends = { destination: destinationOf(row), target: targetOf(row) }
      return [name, canonicalJson({ description, kind, ...ends })]
    }),
  )
}

/** Targets and filters are JSON already, and a VPC may have a thousand rules. */
async function firewallRules(db: Db, id: string): Promise<Parts> {
  const rows = await ruleRows(db, { id })
  return new Map(
    rows.map(({ name, targets, filters, action, description, direction, priority, status }) => {
      const plain = JSON.stringify({ action, description, direction, priority, status })
      return [name, `${plain.slice(0, -1)},"targets":${targets},"filters":${filters}}`]
    }),
  )
}

/** The contents of each setting, by the id of the resource that it belongs to. */
export const presentParts: Record<SettingName, (db: Db, thing: string) => Promise<Parts>> = {
  firewall_rules: firewallRules,
  routes,
  project_policy: policy('project'),
  silo_policy: policy('silo'),
  fleet_policy: (db) => policy('fleet')(db, FLEET_ID),
  async silo_quotas(db, id) {
    const { cpus, memory, storage } = toWireQuotas(await siloOf(db, id))
    return partsOf({ cpus, memory, storage })
  },
  sign_in_policy: async (db, id) => partsOf({ second_factor: await policyOf(db, id) }),
  async auth_settings(db, id) {
    const { device_token_max_ttl_seconds } = await siloOf(db, id)
    return partsOf({ device_token_max_ttl_seconds })
  },
  async deletion_policy(db, id) {
    const { restorable_hours } = await siloOf(db, id)
    return partsOf({ restorable_hours })
  },
  async image_policy(db, id) {
    const { members_use_silo_images } = await siloOf(db, id)
    return partsOf({ members_use_silo_images: members_use_silo_images === 1 })
  },
  allow_list: async (db) => partsOf({ allowed_ips: (await readAllowed(db)).allowed }),
  inbound_icmp: async (db) => partsOf({ enabled: await isEnabled(db, 'inbound_icmp') }),
  networking_settings: async (db) =>
    partsOf({
      external_jumbo_frames_opt_in_enabled: await isEnabled(db, 'external_jumbo_frames'),
    }),
  async price_list(db) {
    const { currency, shown_to_silos, versions } = await readPriceList(db)
    return partsOf({ currency, shown_to_silos, versions })
  },
  /** Null: the list of the product, which may change with an update. */
  async image_catalog(db) {
    const { images, is_default } = await readCatalog(db)
    return partsOf({ images: is_default ? null : images })
  },
}
