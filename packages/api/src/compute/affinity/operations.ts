import { affinityGroup, antiAffinityGroup } from './schemas.ts'
import { affinityPolicies, affinityTypes } from './rules.ts'
import type { Action } from '../../rules/roles.ts'
import { usual } from '../../kinds/usual.ts'

/** The rows that say more than their id. The two kinds of group differ in names and words alone. */
function groupRows<Kind extends 'affinity_group' | 'anti_affinity_group'>(
  kind: Kind,
  words: string,
  { Listed, Member }: typeof affinityGroup,
) {
  const may = <Wanted extends Action>(action: Wanted) =>
    ({ [kind]: action }) as Record<Kind, Wanted>
  return {
    search: {
      pages: Listed,
      columns: ['policy'],
      // Both have the same filters, so that one list can show both kinds of group.
      filters: { type: affinityTypes, policy: affinityPolicies },
    },
    members: {
      route: 'GET members',
      summary: `List the members of ${words}`,
      permission: may('list'),
      pages: Member,
    },
    view: {
      route: 'GET members/instance/{instance}',
      summary: `Show a member of ${words}`,
      permission: { ...may('read'), instance: 'read' },
      answer: Member,
    },
    add: {
      route: 'POST members/instance/{instance}',
      summary: `Add a stopped instance to ${words}`,
      permission: { ...may('modify'), instance: 'read' },
      success: { status: 201, schema: Member },
      changes: ['instance'],
    },
    remove: {
      route: 'DELETE members/instance/{instance}',
      summary: `Remove an instance from ${words}`,
      permission: { ...may('modify'), instance: 'read' },
      changes: ['instance'],
    },
  } as const
}

const together = groupRows('affinity_group', 'an affinity group', affinityGroup)
const apart = groupRows('anti_affinity_group', 'an anti-affinity group', antiAffinityGroup)

export const affinityOperations = {
  ...usual('affinity_group', { item: affinityGroup.Group, tag: 'experimental' })({
    affinity_group_list: {},
    affinity_group_search: together.search,
    affinity_group_create: { body: affinityGroup.Create },
    affinity_group_view: {},
    affinity_group_update: { body: affinityGroup.Update },
    affinity_group_delete: {},
    affinity_group_member_list: together.members,
    affinity_group_member_instance_view: together.view,
    affinity_group_member_instance_add: together.add,
    affinity_group_member_instance_delete: together.remove,
  }),
  ...usual('anti_affinity_group', { item: antiAffinityGroup.Group, tag: 'affinity' })({
    anti_affinity_group_list: {},
    anti_affinity_group_search: apart.search,
    anti_affinity_group_create: { body: antiAffinityGroup.Create },
    anti_affinity_group_view: {},
    anti_affinity_group_update: { body: antiAffinityGroup.Update },
    anti_affinity_group_delete: {},
    anti_affinity_group_member_list: apart.members,
    anti_affinity_group_member_instance_view: apart.view,
    anti_affinity_group_member_instance_add: apart.add,
    anti_affinity_group_member_instance_delete: apart.remove,
  }),
  ...usual('instance')({
    instance_affinity_group_list: {
      route: 'GET affinity-groups',
      tags: ['experimental'],
      summary: 'List the affinity groups of an instance',
      permission: { instance: 'list' },
      pages: affinityGroup.Group,
    },
    instance_anti_affinity_group_list: {
      route: 'GET anti-affinity-groups',
      summary: 'List the anti-affinity groups of an instance',
      permission: { instance: 'list' },
      pages: antiAffinityGroup.Group,
    },
  }),
}
