import {
  FLEET_ID,
  generatePassword,
  GiB,
  parseAddress,
  RESTORABLE_HOURS_DEFAULT,
  TiB,
} from '@steading/api/rules'
import { CLOCK_MARK } from './kernel/clock-mark.ts'
import type { Db, OpenDatabase, Tx } from './kernel/db/database.ts'
import { BOOTSTRAPPED, readSetting, writeSetting } from './kernel/db/setting.ts'
import type { PasswordHasher } from './kernel/ports/passwords.ts'
import { named } from './kernel/search/name-key.ts'
import { type PasswordRules, problemOfNew } from './resources/identity/auth/new-password.ts'
import { giveRoles } from './resources/identity/policies/assignments.ts'
import { addressKey } from './resources/networking/addresses/keys.ts'

/** The password given for the user `admin` breaks the rules. */
export class AdminPasswordError extends Error {}

export interface BootstrapOptions {
  /** Generated if absent. */
  adminPassword?: string
  /**
   * Called with a generated password before the first commit, so that the password cannot be
   * lost: after a crash in between, the next start generates another one.
   */
  announce?: (credentials: FirstCredentials) => void
}

const FIRST = { silo: 'main', user: 'admin' }

/** The credentials of the administrator for the first sign-in. */
export type FirstCredentials = typeof FIRST & { password: string }

/** The capacity of one rack, so that a first trial does not hit a quota. */
const QUOTA = { cpus: 512, memory: 2 * TiB, storage: 40 * TiB }
/** Shared address space (RFC 6598): large, and never the network of a real customer. */
const POOL_RANGE = { first: '100.64.0.1', last: '100.64.255.254' }

async function createDefaultPool(tx: Tx, siloId: string, time: string): Promise<void> {
  const id = crypto.randomUUID()
  await tx
    .insertInto('ip_pool')
    .values({
      id,
      ...named('default'),
      description: 'Addresses for instances',
      time_created: time,
      time_modified: time,
      time_deleted: null,
      ip_version: 'v4',
      pool_type: 'unicast',
    })
    .execute()
  await tx
    .insertInto('ip_pool_range')
    .values({
      id: crypto.randomUUID(),
      ip_pool_id: id,
      first_key: addressKey(parseAddress(POOL_RANGE.first)!),
      last_key: addressKey(parseAddress(POOL_RANGE.last)!),
      time_created: time,
    })
    .execute()
  await tx
    .insertInto('ip_pool_silo_link')
    .values({ ip_pool_id: id, silo_id: siloId, is_default: 1 })
    .execute()
}

/** The pool of system services, which always exists. Operators add its ranges. */
async function createServicePool(tx: Tx, time: string): Promise<void> {
  await tx
    .insertInto('ip_pool')
    .values({
      id: crypto.randomUUID(),
      ...named('services'),
      description: 'Addresses for system services',
      time_created: time,
      time_modified: time,
      time_deleted: null,
      ip_version: 'v4',
      pool_type: 'unicast',
      assignment: 'system_services',
    })
    .execute()
}

/**
 * Images without contents, from which simulated machines boot. Real machines would find nothing on
 * them: their first image is one of the catalog, or a user's own.
 */
async function createSimulatedImages(tx: Tx, siloId: string, time: string): Promise<void> {
  const images = [
    {
      name: 'debian-13',
      description: 'Debian 13 (trixie), simulated',
      os: 'Debian',
      version: '13',
      size: 2 * GiB,
    },
    {
      name: 'ubuntu-24-04',
      description: 'Ubuntu 24.04 LTS, simulated',
      os: 'Ubuntu',
      version: '24.04',
      size: 3 * GiB,
    },
  ]
  for (const image of images) {
    await tx
      .insertInto('image')
      .values({
        id: crypto.randomUUID(),
        ...image,
        ...named(image.name),
        time_created: time,
        time_modified: time,
        time_deleted: null,
        silo_id: siloId,
        project_id: null,
        block_size: 512,
        snapshot_id: null,
      })
      .execute()
  }
}

/**
 * On an empty database: the fleet, silo `main` with its admin, an address pool, and images where
 * machines are simulated, in one transaction. On any other it does nothing.
 * @throws AdminPasswordError
 */
export async function bootstrap(
  { transaction, db }: OpenDatabase,
  rules: PasswordRules & { passwords: PasswordHasher; isSimulated: boolean },
  now: Date,
  options: BootstrapOptions,
): Promise<{ created: boolean }> {
  const done = async (on: Db): Promise<boolean> =>
    (await readSetting(on, BOOTSTRAPPED)) !== undefined
  if (await done(db)) return { created: false }
  if (options.adminPassword !== undefined) {
    const problem = await problemOfNew(rules, options.adminPassword, 'admin')
    if (problem) throw new AdminPasswordError(problem)
  }
  const password = options.adminPassword ?? generatePassword()
  // Before the transaction, because hashing is slow.
  const hash = await rules.passwords.hash(password)
  if (!options.adminPassword) options.announce?.({ ...FIRST, password })
  const time = now.toISOString()
  const created = await transaction(async (tx) => {
    // Another process may have set up the database first; then its password is valid, not the one
    // just announced.
    if (await done(tx)) return false
    await tx.insertInto('setting').values({ key: BOOTSTRAPPED, value: time }).execute()
    await writeSetting(tx, CLOCK_MARK, time)
    const siloId = crypto.randomUUID()
    const userId = crypto.randomUUID()
    const times = { time_created: time, time_modified: time, time_deleted: null }
    await tx
      .insertInto('silo')
      .values({
        id: siloId,
        ...named(FIRST.silo),
        description: 'The first silo',
        ...times,
        identity_mode: 'local_only',
        discoverable: 1,
        listed_in: FLEET_ID,
        admin_group_name: null,
        mapped_fleet_roles: '{}',
        quota_cpus: QUOTA.cpus,
        quota_memory: QUOTA.memory,
        quota_storage: QUOTA.storage,
        used_cpus: 0,
        used_memory: 0,
        used_storage: 0,
        device_token_max_ttl_seconds: null,
        restorable_hours: RESTORABLE_HOURS_DEFAULT,
        members_use_silo_images: 1,
      })
      .execute()
    await tx
      .insertInto('silo_user')
      .values({
        id: userId,
        silo_id: siloId,
        external_id: FIRST.user,
        display_name: FIRST.user,
        password_hash: hash,
        password_generated: options.adminPassword ? 0 : 1,
        ...times,
      })
      .execute()
    const admin = { identity_type: 'silo_user', identity_id: userId, role_name: 'admin' } as const
    await giveRoles(tx, [
      { ...admin, resource_type: 'fleet', resource_id: FLEET_ID },
      { ...admin, resource_type: 'silo', resource_id: siloId },
    ])
    await createDefaultPool(tx, siloId, time)
    await createServicePool(tx, time)
    if (rules.isSimulated) await createSimulatedImages(tx, siloId, time)
    return true
  })
  return { created }
}
