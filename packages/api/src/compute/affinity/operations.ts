import { affinityGroup, antiAffinityGroup } from './schemas.ts'
import { affinityPolicies, affinityTypes } from './rules.ts'
import { usual } from '../../kinds/usual.ts'

/** Both searches have the same filters, so that one list can show both kinds of group. */
const filters = { type: affinityTypes, policy: affinityPolicies }

export const affinityOperations = {
  ...usual('affinity_group', { item: affinityGroup.Group, tag: 'experimental' })({
    list: {},
    search: { pages: affinityGroup.Listed, items: 'AffinityGroup', columns: ['policy'], filters },
    create: { body: affinityGroup.Create },
    view: {},
    update: { body: affinityGroup.Update },
    delete: {},
    member_list: {
      route: 'GET members',
      summary: 'List the members of an affinity group',
      permission: { affinity_group: 'list' },
      pages: affinityGroup.Member,
    },
    member_instance_view: {
      route: 'GET members/instance/{instance}',
      summary: 'Show a member of an affinity group',
      permission: { affinity_group: 'read', instance: 'read' },
      answer: affinityGroup.Member,
    },
    member_instance_add: {
      route: 'POST members/instance/{instance}',
      summary: 'Add a stopped instance to an affinity group',
      permission: { affinity_group: 'modify', instance: 'read' },
      success: { status: 201, schema: affinityGroup.Member },
    },
    member_instance_delete: {
      route: 'DELETE members/instance/{instance}',
      summary: 'Remove an instance from an affinity group',
      permission: { affinity_group: 'modify', instance: 'read' },
    },
  }),
  ...usual('anti_affinity_group', { item: antiAffinityGroup.Group, tag: 'affinity' })({
    list: {},
    search: {
      pages: antiAffinityGroup.Listed,
      items: 'AntiAffinityGroup',
      columns: ['policy'],
      filters,
    },
    create: { body: antiAffinityGroup.Create },
    view: {},
    update: { body: antiAffinityGroup.Update },
    delete: {},
    member_list: {
      route: 'GET members',
      summary: 'List the members of an anti-affinity group',
      permission: { anti_affinity_group: 'list' },
      pages: antiAffinityGroup.Member,
    },
    member_instance_view: {
      route: 'GET members/instance/{instance}',
      summary: 'Show a member of an anti-affinity group',
      permission: { anti_affinity_group: 'read', instance: 'read' },
      answer: antiAffinityGroup.Member,
    },
    member_instance_add: {
      route: 'POST members/instance/{instance}',
      summary: 'Add a stopped instance to an anti-affinity group',
      permission: { anti_affinity_group: 'modify', instance: 'read' },
      success: { status: 201, schema: antiAffinityGroup.Member },
    },
    member_instance_delete: {
      route: 'DELETE members/instance/{instance}',
      summary: 'Remove an instance from an anti-affinity group',
      permission: { anti_affinity_group: 'modify', instance: 'read' },
    },
  }),
  ...usual('instance')({
    affinity_group_list: {
      route: 'GET affinity-groups',
      tags: ['experimental'],
      summary: 'List the affinity groups of an instance',
      permission: { instance: 'list' },
      pages: affinityGroup.Group,
    },
    anti_affinity_group_list: {
      route: 'GET anti-affinity-groups',
      summary: 'List the anti-affinity groups of an instance',
      permission: { instance: 'list' },
      pages: antiAffinityGroup.Group,
    },
  }),
}
