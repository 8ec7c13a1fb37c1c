/** Versions of firewall rules, routes and settings: who changed them, why, and their contents. */

/** A versioned part of a resource. */
export interface VersionedSetting {
  /** The kind of the resource that it belongs to; its id is `thing` in calls. */
  of: 'vpc' | 'vpc_router' | 'project' | 'silo' | 'fleet'
  /** The operation whose permission readers of versions need. */
  read: string
  /** The operation whose permission restoring needs. */
  change: string
  /** The calls are about the caller's own silo only. */
  ownSilo?: true
  /** In a sentence. */
  words: string
  /** Noun for a part of it, and for several; by default it has fields. */
  items?: readonly [one: string, several: string]
}

/** All versioned settings. None of them contains a secret. */
export const versionedSettings = {
  firewall_rules: {
    of: 'vpc',
    read: 'vpc_firewall_rules_view',
    change: 'vpc_firewall_rules_update',
    words: 'the firewall rules',
    items: ['rule', 'rules'],
  },
  routes: {
    of: 'vpc_router',
    read: 'vpc_router_route_list',
    change: 'vpc_router_route_create',
    words: 'the routes',
    items: ['route', 'routes'],
  },
  project_policy: {
    of: 'project',
    read: 'project_policy_view',
    change: 'project_policy_update',
    words: 'access to the project',
    items: ['member', 'members'],
  },
  silo_policy: {
    of: 'silo',
    read: 'silo_policy_view',
    change: 'silo_policy_update',
    words: 'access to the silo',
    items: ['member', 'members'],
  },
  fleet_policy: {
    of: 'fleet',
    read: 'system_policy_view',
    change: 'system_policy_update',
    words: 'access to the fleet',
    items: ['member', 'members'],
  },
  silo_quotas: {
    of: 'silo',
    read: 'silo_quotas_view',
    change: 'silo_quotas_update',
    words: 'the quotas',
  },
  sign_in_policy: {
    of: 'silo',
    read: 'sign_in_policy_view',
    change: 'sign_in_policy_update',
    words: 'the sign-in policy',
  },
  auth_settings: {
    of: 'silo',
    read: 'auth_settings_view',
    change: 'auth_settings_update',
    ownSilo: true,
    words: 'the token lifetime',
  },
  deletion_policy: {
    of: 'silo',
    read: 'deletion_policy_view',
    change: 'deletion_policy_update',
    ownSilo: true,
    words: 'the deletion policy',
  },
  image_policy: {
    of: 'silo',
    read: 'image_policy_view',
    change: 'image_policy_update',
    ownSilo: true,
    words: 'the image policy',
  },
  allow_list: {
    of: 'fleet',
    read: 'networking_allow_list_view',
    change: 'networking_allow_list_update',
    words: 'the allow list',
  },
  inbound_icmp: {
    of: 'fleet',
    read: 'networking_inbound_icmp_view',
    change: 'networking_inbound_icmp_update',
    words: 'inbound ICMP',
  },
  networking_settings: {
    of: 'fleet',
    read: 'system_networking_settings_view',
    change: 'system_networking_settings_update',
    words: 'jumbo frames',
  },
  price_list: {
    of: 'fleet',
    read: 'price_list_view',
    change: 'price_list_update',
    words: 'the prices',
  },
  image_catalog: {
    of: 'fleet',
    read: 'image_catalog_view',
    change: 'image_catalog_update',
    words: 'the well-known images',
  },
} as const satisfies Record<string, VersionedSetting>

export type SettingName = keyof typeof versionedSettings
export const settingNames = Object.keys(versionedSettings) as SettingName[]

/** Number of versions that are kept of each setting of a resource; older ones are removed. */
export const SETTING_VERSIONS_MAX = 100
/**
 * Bytes of contents that the versions of one setting of a resource may take; older versions are
 * removed. Parts that are the same in several versions count once.
 */
export const SETTING_VERSIONS_BYTES = 4 * 1024 * 1024
/** Milliseconds for which versions are kept; the newest one stays. */
export const SETTING_VERSIONS_KEPT_MS = 365 * 24 * 60 * 60 * 1000

/** Characters. */
export const CHANGE_REASON_MAX = 512

/** Problem with the reason of a change, or undefined. */
export function changeReasonProblem(reason: string): string | undefined {
  if (reason.length > CHANGE_REASON_MAX) {
    return `reason may contain at most ${CHANGE_REASON_MAX} characters`
  }
  // Lines may break.
  return /[^\P{Cc}\n]/u.test(reason) ? 'control character in a reason' : undefined
}

/** Names of parts that no longer exist, in versions. */
export const missingKinds = [
  'silo_user',
  'silo_group',
  'vpc',
  'vpc_subnet',
  'instance',
  'internet_gateway',
] as const
export type MissingKind = (typeof missingKinds)[number]

/** The version that stands for the contents of now. */
export const PRESENT_VERSION = 'present'

/** The parts of a setting by key: rules by name, members by id, fields by name. */
export type SettingContents = Readonly<Record<string, unknown>>

export interface SettingDifference {
  key: string
  change: 'added' | 'changed' | 'removed'
  before: unknown
  after: unknown
}

/** Text of a JSON value that does not depend on the order of its properties. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const properties = Object.keys(value)
    .toSorted()
    .map((key) => [key, (value as Record<string, unknown>)[key]] as const)
    .filter(([, property]) => property !== undefined)
  const texts = properties.map(
    ([key, property]) => `${JSON.stringify(key)}:${canonicalJson(property)}`,
  )
  return `{${texts.join(',')}}`
}

/** Compares two contents, by key. */
export function settingDifferences(
  before: SettingContents,
  after: SettingContents,
): SettingDifference[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return keys.flatMap((key): SettingDifference[] => {
    const [old, now] = [before[key], after[key]]
    if (old === undefined) return [{ key, change: 'added', before: old, after: now }]
    if (now === undefined) return [{ key, change: 'removed', before: old, after: now }]
    if (canonicalJson(old) === canonicalJson(now)) return []
    return [{ key, change: 'changed', before: old, after: now }]
  })
}
