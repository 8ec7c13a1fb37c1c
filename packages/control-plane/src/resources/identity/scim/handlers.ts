import type { tables } from '@steading/api'
import { SCIM_OPERATIONS_MAX, SCIM_TYPE } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import { removeAssignments } from '../policies/remove-assignments.ts'
import { deleteUser } from '../users/delete.ts'
import { groupType, userType } from './attributes.ts'
import { configOf, listSchemas, listTypes, schemaById, resourceTypeById } from './discovery.ts'
import {
  changeGroup,
  groupConditions,
  type GroupRow,
  groupsOf,
  makeGroup,
  removeGroup,
  requireGroup,
  toScimGroups,
} from './groups.ts'
import { memberChange, memberIds } from './members.ts'
import { changesOf, patched } from './patch.ts'
import {
  answered,
  type Call,
  filtered,
  isConditional,
  listOf,
  pageOf,
  requireVersion,
  siloOf,
} from './resource.ts'
import { type ListQuery, searchQueryOf } from './search.ts'
import { type Selection, selected, selectionOf } from './selection.ts'
import {
  changeUser,
  countOf,
  makeUser,
  requireUser,
  userConditions,
  type UserRow,
  usersOf,
  userValues,
  toScimUsers,
} from './users.ts'
import { objectOf, property, readOperations, readResource, type Values } from './values.ts'

/** Answers with a user. */
async function userAnswer(call: Call, selection: Selection, user: UserRow): Promise<Values> {
  const [answer] = await toScimUsers(call, [user])
  return answered(call, userType, selection, answer!)
}

async function groupAnswer(call: Call, selection: Selection, group: GroupRow): Promise<Values> {
  const [answer] = await toScimGroups(call, [group], selection)
  return answered(call, groupType, selection, answer!)
}

/**
 * A user for a change.
 * @throws ApiError 404, 412
 */
async function userToChange(call: Call, id: string): Promise<UserRow> {
  const user = await requireUser(call.db, siloOf(call), id)
  if (isConditional(call)) requireVersion(call, (await toScimUsers(call, [user]))[0]!)
  return user
}

/**
 * A group for a change.
 * @throws ApiError 404, 412
 */
async function groupToChange(call: Call, id: string): Promise<GroupRow> {
  const group = await requireGroup(call.db, siloOf(call), id)
  const withoutMembers = { only: new Map() }
  requireVersion(call, (await toScimGroups(call, [group], withoutMembers))[0]!)
  return group
}

/** The members in the body of a group. */
const membersIn = (body: unknown): string[] =>
  memberIds(property(objectOf(body, 'The body'), 'members'))

async function listUsers(call: Call, query: ListQuery): Promise<Values> {
  const selection = selectionOf(userType, query)
  const page = pageOf(query)
  const users = usersOf(call.db, siloOf(call))
  const found = filtered(userType, query.filter, userConditions, users)
  const { total } = await found.select(countOf.as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .selectAll('its')
    .select('scim.profile')
    .orderBy('its.id')
    .limit(page.count)
    .offset(page.startIndex - 1)
    .execute()
  const resources = (await toScimUsers(call, rows)).map((user) =>
    selected(userType, selection, user),
  )
  return listOf(resources, Number(total), page)
}

async function listGroups(call: Call, query: ListQuery): Promise<Values> {
  const selection = selectionOf(groupType, query)
  const page = pageOf(query)
  const groups = groupsOf(call.db, siloOf(call))
  const found = filtered(groupType, query.filter, groupConditions, groups)
  const { total } = await found.select(countOf.as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .selectAll('its')
    .orderBy('its.id')
    .limit(page.count)
    .offset(page.startIndex - 1)
    .execute()
  const resources = (await toScimGroups(call, rows, selection)).map((group) =>
    selected(groupType, selection, group),
  )
  return listOf(resources, Number(total), page)
}

export const scimHandlers: Handlers<typeof tables.scimOperations> = {
  scim_v2_list_users: (ctx) => listUsers(ctx, ctx.query),
  scim_v2_search_users: (ctx) => listUsers(ctx, searchQueryOf(ctx.body)),

  async scim_v2_create_user(ctx) {
    const selection = selectionOf(userType, ctx.query)
    const user = await makeUser(ctx, siloOf(ctx), readResource(userType, ctx.body))
    return userAnswer(ctx, selection, user)
  },

  async scim_v2_get_user_by_id(ctx) {
    const selection = selectionOf(userType, ctx.query)
    return userAnswer(ctx, selection, await requireUser(ctx.db, siloOf(ctx), ctx.params.id))
  },

  async scim_v2_replace_user(ctx) {
    const selection = selectionOf(userType, ctx.query)
    const user = await userToChange(ctx, ctx.params.id)
    const changed = await changeUser(ctx, user, readResource(userType, ctx.body))
    return userAnswer(ctx, selection, changed)
  },

  async scim_v2_patch_user(ctx) {
    const selection = selectionOf(userType, ctx.query)
    const user = await userToChange(ctx, ctx.params.id)
    const changes = changesOf(userType, readOperations(ctx.body, SCIM_OPERATIONS_MAX))
    const changed = await changeUser(ctx, user, patched(userValues(user), changes))
    return userAnswer(ctx, selection, changed)
  },

  async scim_v2_delete_user(ctx) {
    const { profile: _, ...user } = await userToChange(ctx, ctx.params.id)
    await ctx.db.deleteFrom('scim_user').where('user_id', '=', user.id).execute()
    await deleteUser(ctx, user)
    await removeAssignments(ctx, user.id, user.silo_id)
  },

  scim_v2_list_groups: (ctx) => listGroups(ctx, ctx.query),
  scim_v2_search_groups: (ctx) => listGroups(ctx, searchQueryOf(ctx.body)),

  async scim_v2_create_group(ctx) {
    const selection = selectionOf(groupType, ctx.query)
    const values = readResource(groupType, ctx.body, ['members'])
    const group = await makeGroup(ctx, siloOf(ctx), values, membersIn(ctx.body))
    return groupAnswer(ctx, selection, group)
  },

  async scim_v2_get_group_by_id(ctx) {
    const selection = selectionOf(groupType, ctx.query)
    return groupAnswer(ctx, selection, await requireGroup(ctx.db, siloOf(ctx), ctx.params.id))
  },

  async scim_v2_replace_group(ctx) {
    const selection = selectionOf(groupType, ctx.query)
    const group = await groupToChange(ctx, ctx.params.id)
    const values = readResource(groupType, ctx.body, ['members'])
    const members = { keeps: false, add: new Set(membersIn(ctx.body)), remove: new Set<string>() }
    await changeGroup(ctx, group, values, members)
    return groupAnswer(ctx, selection, await requireGroup(ctx.db, group.silo_id, group.id))
  },

  async scim_v2_patch_group(ctx) {
    const selection = selectionOf(groupType, ctx.query)
    const group = await groupToChange(ctx, ctx.params.id)
    const changes = changesOf(groupType, readOperations(ctx.body, SCIM_OPERATIONS_MAX))
    const ofMembers = changes.filter(({ attribute }) => attribute.name === 'members')
    const others = changes.filter(({ attribute }) => attribute.name !== 'members')
    const before = { displayName: group.display_name, externalId: group.provider_key ?? undefined }
    await changeGroup(ctx, group, patched(before, others), memberChange(ofMembers))
    const wanted = selection.only !== undefined || selection.without !== undefined
    if (!wanted) return new Response(null, { status: 204 })
    const changed = await requireGroup(ctx.db, group.silo_id, group.id)
    const answer = await groupAnswer(ctx, selection, changed)
    const headers = new Headers(ctx.http.responseHeaders)
    headers.set('content-type', SCIM_TYPE)
    return new Response(JSON.stringify(answer), { headers })
  },

  async scim_v2_delete_group(ctx) {
    await removeGroup(ctx, await groupToChange(ctx, ctx.params.id))
  },

  scim_v2_get_service_provider_config: async (ctx) => configOf(ctx),
  scim_v2_get_resource_types: async (ctx) => listTypes(ctx, ctx.query.filter),
  scim_v2_get_resource_type_by_id: async (ctx) => resourceTypeById(ctx, ctx.params.id),
  scim_v2_get_schemas: async (ctx) => listSchemas(ctx, ctx.query.filter),
  scim_v2_get_schema_by_id: async (ctx) => schemaById(ctx, ctx.params.id),
}
