import { affinityGroup, antiAffinityGroup } from './schemas.ts'
import { affinityPolicies, affinityTypes } from './rules.ts'
import { usual } from '../../kinds/usual.ts'

/** Both searches have the same filters, so that one list can show both kinds of group. */
const filters = { type: affinityTypes, policy: affinityPolicies }

export const affinityOperations = {
  ...usual('affinity_group', { item: affinityGroup.Group, tag: 'experimental' })({
    affinity_group_list: {},
    affinity_group_search: {
      pages: affinityGroup.Listed,
      items: 'AffinityGroup',
      columns: ['policy'],
      filters,
    },
    affinity_group_create: { body: affinityGroup.Create },
    affinity_group_view: {},
    affinity_group_update: { body: affinityGroup.Update },
    affinity_group_delete: {},
    affinity_group_member_list: {
      route: 'GET members',
      summary: 'List the members of an affinity group',
      permission: { affinity_group: 'list' },
      pages: affinityGroup.Member,
    },
    affinity_group_member_instance_view: {
      route: 'GET members/instance/{instance}',
      summary: 'Show a member of an affinity group',
      permission: { affinity_group: 'read', instance: 'read' },
      answer: affinityGroup.Member,
    },
    affinity_group_member_instance_add: {
      route: 'POST members/instance/{instance}',
      summary: 'Add a stopped instance to an affinity group',
      permission: { affinity_group: 'modify', instance: 'read' },
      success: { status: 201, schema: affinityGroup.Member },
    },
    affinity_group_member_instance_delete: {
      route: 'DELETE members/instance/{instance}',
      summary: 'Remove an instance from an affinity group',
      permission: { affinity_group: 'modify', instance: 'read' },
    },
  }),
  ...usual('anti_affinity_group', { item: antiAffinityGroup.Group, tag: 'affinity' })({
    anti_affinity_group_list: {},
    anti_affinity_group_search: {
      pages: antiAffinityGroup.Listed,
      items: 'AntiAffinityGroup',
      columns: ['policy'],
      filters,
    },
    anti_affinity_group_create: { body: antiAffinityGroup.Create },
    anti_affinity_group_view: {},
    anti_affinity_group_update: { body: antiAffinityGroup.Update },
    anti_affinity_group_delete: {},
    anti_affinity_group_member_list: {
      route: 'GET members',
      summary: 'List the members of an anti-affinity group',
      permission: { anti_affinity_group: 'list' },
      pages: antiAffinityGroup.Member,
    },
    anti_affinity_group_member_instance_view: {
      route: 'GET members/instance/{instance}',
      summary: 'Show a member of an anti-affinity group',
      permission: { anti_affinity_group: 'read', instance: 'read' },
      answer: antiAffinityGroup.Member,
    },
    anti_affinity_group_member_instance_add: {
      route: 'POST members/instance/{instance}',
      summary: 'Add a stopped instance to an anti-affinity group',
      permission: { anti_affinity_group: 'modify', instance: 'read' },
      success: { status: 201, schema: antiAffinityGroup.Member },
    },
    anti_affinity_group_member_instance_delete: {
      route: 'DELETE members/instance/{instance}',
      summary: 'Remove an instance from an anti-affinity group',
      permission: { anti_affinity_group: 'modify', instance: 'read' },
    },
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
