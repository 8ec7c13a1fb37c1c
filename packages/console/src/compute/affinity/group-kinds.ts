import type { AffinityGroup, AntiAffinityGroup } from '@steading/api/client'
import type { affinityTypeOf } from '@steading/api/rules'
import { pathTo } from '../../data/addresses.ts'

/** Anti-affinity groups keep their instances apart; affinity groups keep them together. */
export const groupKinds = ['anti_affinity_group', 'affinity_group'] as const
export type GroupKind = keyof typeof affinityTypeOf
/** Groups of both kinds have the same properties. */
export type Group = AffinityGroup & AntiAffinityGroup

/** Identifies a group of a project by its name. */
export type GroupParams = { kind: GroupKind; project: string; group: string }

const pages = {
  anti_affinity_group: '/projects/$project/affinity/$antiAffinityGroup',
  affinity_group: '/projects/$project/affinity-groups/$affinityGroup',
} as const

/** The path of a group's page. */
export const groupPath = ({ kind, project, group }: GroupParams): string =>
  pathTo(pages[kind], { project, [groupParameters[kind]]: group })

/** The path parameter for a group, in operations and pages of each kind. */
export const groupParameters = {
  anti_affinity_group: 'antiAffinityGroup',
  affinity_group: 'affinityGroup',
} as const

/**
 * The path argument for a group. The type has the parameters of both kinds because the compiler
 * cannot check one of two paths against the calls of both kinds.
 */
export const groupArgument = ({ kind, group }: Omit<GroupParams, 'project'>) =>
  ({ [groupParameters[kind]]: group }) as {
    [Parameter in (typeof groupParameters)[GroupKind]]: string
  }
