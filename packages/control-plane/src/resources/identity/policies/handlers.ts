import type { tables, Wire } from '@steading/api'
import {
  FLEET_ID,
  noIdentity,
  type RoleOf,
  ROLES_TOLD,
  rolesChanged,
  serviceAccountMessages,
} from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { RoleAssignmentTable } from './table.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Changed } from '../../../kernel/events/outbox.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { type Versioning, versioning } from '../../workspace/setting-versions/keep.ts'
import { giveRoles, takeRoles } from './assignments.ts'

/** The resource that a policy belongs to. */
type Subject = Pick<RoleAssignmentTable, 'resource_type' | 'resource_id'> & Omit<Changed, 'id'>

const fleet: Subject = { resource_type: 'fleet', resource_id: FLEET_ID, name: 'fleet' }
const ofSilo = (silo: Row<'silo'>): Subject => ({
  resource_type: 'silo',
  resource_id: silo.id,
  name: silo.name,
  silo_id: silo.id,
})
const ofProject = (project: Row<'project'>): Subject => ({
  resource_type: 'project',
  resource_id: project.id,
  name: project.name,
  silo_id: project.silo_id,
  project_id: project.id,
})

/** A policy of any level; the contract defines the roles for each level. */
interface Policy<Role> {
  role_assignments: { identity_id: string; identity_type: Wire.IdentityType; role_name: Role }[]
}
type AnyRole = RoleAssignmentTable['role_name']

async function read<Role extends AnyRole>(db: Db, subject: Subject): Promise<Policy<Role>> {
  const rows = await db
    .selectFrom('role_assignment')
    .select(['identity_type', 'identity_id', 'role_name'])
    .where('resource_type', '=', subject.resource_type)
    .where('resource_id', '=', subject.resource_id)
    .orderBy('role_name')
    .orderBy('identity_id')
    .execute()
  return { role_assignments: rows as Policy<Role>['role_assignments'] }
}

type Assignment = Pick<RoleAssignmentTable, 'identity_type' | 'identity_id'>

/**
 * Refuses roles of service accounts on the fleet, and outside of their project.
 * @throws ApiError 400
 */
async function requireOwnPlace(
  db: Db,
  { resource_type, resource_id }: Subject,
  userIds: readonly string[],
): Promise<void> {
  const accounts = await db
    .selectFrom('service_account')
    .select(['name', 'project_id'])
    .where('id', 'in', userIds)
    .execute()
  const { noFleetRoles, onlyInProject } = serviceAccountMessages
  for (const { name, project_id } of accounts) {
    const refusal =
      resource_type === 'fleet'
        ? noFleetRoles(name)
        : project_id !== null && project_id !== resource_id && onlyInProject(name)
    if (refusal) throw fail.invalidValue('role_assignments', refusal)
  }
}

/**
 * Refuses roles for identities that do not exist: a role on the fleet may be assigned in every
 * silo, others in the silo of their subject. Existing assignments of the policy remain valid, so
 * that one of a deleted identity does not block other changes.
 * @throws ApiError 400
 */
async function requireIdentities(
  db: Db,
  subject: Subject,
  before: readonly Assignment[],
  wanted: readonly Assignment[],
): Promise<void> {
  const { silo_id } = subject
  const had = new Set(before.map(({ identity_id }) => identity_id))
  for (const kind of ['silo_user', 'silo_group'] as const) {
    const ids = wanted
      .filter(({ identity_type, identity_id }) => identity_type === kind && !had.has(identity_id))
      .map(({ identity_id }) => identity_id)
    if (ids.length === 0) continue
    if (kind === 'silo_user') await requireOwnPlace(db, subject, ids)
    let rows = rowsOf(db, kind).select('its.id').where('its.id', 'in', ids)
    if (silo_id) rows = rows.where('its.silo_id', '=', silo_id)
    const known = new Set((await rows.execute()).map(({ id }) => id))
    const stranger = ids.find((id) => !known.has(id))
    if (stranger) throw fail.invalidValue('role_assignments', noIdentity(kind, stranger))
  }
}

type Role = Assignment & { role_name: AnyRole }

/** Text about the roles that a change gave and took, with the names of users and groups. */
async function rolesText(
  db: Db,
  before: readonly Role[],
  after: readonly Role[],
): Promise<string | undefined> {
  const key = ({ identity_id, role_name }: Role) => `${identity_id} ${role_name}`
  const [had, has] = [new Set(before.map(key)), new Set(after.map(key))]
  const given = after.filter((role) => !had.has(key(role)))
  const changed = new Set(given.map(({ identity_id }) => identity_id))
  const taken = before.filter((role) => !has.has(key(role)) && !changed.has(role.identity_id))
  const ids = [...given, ...taken].map(({ identity_id }) => identity_id)
  if (ids.length === 0) return undefined
  const names = new Map<string, string>()
  for (const kind of ['silo_user', 'silo_group'] as const) {
    const rows = await rowsOf(db, kind)
      .select(['its.id', 'its.display_name'])
      .where('its.id', 'in', ids.slice(0, ROLES_TOLD))
      .execute()
    for (const { id, display_name } of rows) names.set(id, display_name)
  }
  return rolesChanged(
    ...([given, taken].map((roles) =>
      roles.map(({ identity_id, role_name }) => ({
        name: names.get(identity_id),
        role: role_name,
      })),
    ) as [RoleOf[], RoleOf[]]),
  )
}

/** Replaces all assignments of a subject. */
const replace = <Role extends AnyRole>(
  work: Versioning & Pick<Context, 'emit' | 'audit'>,
  subject: Subject,
  policy: Policy<Role>,
): Promise<Policy<Role>> => {
  const { resource_type, resource_id } = subject
  return versioning(work, `${resource_type}_policy`, resource_id, () =>
    assignAnew(work, subject, policy),
  )
}

async function assignAnew<Role extends AnyRole>(
  { db, emit, audit }: Pick<Context, 'db' | 'emit' | 'audit'>,
  subject: Subject,
  policy: Policy<Role>,
): Promise<Policy<Role>> {
  const { resource_type, resource_id, ...about } = subject
  const assignments = policy.role_assignments.map(({ identity_type, identity_id, role_name }) => ({
    resource_type,
    resource_id,
    identity_type,
    identity_id,
    role_name,
  }))
  const distinct = new Set(assignments.map((row) => `${row.identity_id} ${row.role_name}`))
  if (distinct.size < assignments.length) {
    throw fail.invalidValue('role_assignments', 'the same role is assigned twice to an identity')
  }
  const before = await read(db, subject)
  await requireIdentities(db, subject, before.role_assignments, assignments)
  const roles = await rolesText(db, before.role_assignments, assignments)
  if (roles) audit.tell({ roles })
  await takeRoles(db, { resource_type, resource_id })
  await giveRoles(db, assignments)
  await emit('policy', 'update', { id: resource_id, ...about })
  return read(db, subject)
}

export const policyHandlers: Handlers<typeof tables.policyOperations> = {
  async system_policy_view(ctx) {
    authorize(ctx, 'fleet', {})
    return read(ctx.db, fleet)
  },

  async system_policy_update(ctx) {
    authorize(ctx, 'fleet', {})
    return replace(ctx, fleet, ctx.body)
  },

  policy_view: async (ctx) => read(ctx.db, ofSilo(await lookup(ctx, 'silo', ctx.actor.siloId))),
  policy_update: async (ctx) =>
    replace(ctx, ofSilo(await lookup(ctx, 'silo', ctx.actor.siloId)), ctx.body),
  silo_policy_view: async (ctx) => read(ctx.db, ofSilo(await lookup(ctx, 'silo', ctx.params.silo))),
  silo_policy_update: async (ctx) =>
    replace(ctx, ofSilo(await lookup(ctx, 'silo', ctx.params.silo)), ctx.body),
  project_policy_view: async (ctx) =>
    read(ctx.db, ofProject(await lookup(ctx, 'project', ctx.params.project))),
  project_policy_update: async (ctx) =>
    replace(ctx, ofProject(await lookup(ctx, 'project', ctx.params.project)), ctx.body),
}
