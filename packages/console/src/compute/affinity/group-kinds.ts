import type { AffinityGroup, AntiAffinityGroup } from '@steading/api/client'
import { type affinityTypeOf, thingWords } from '@steading/api/rules'
import { pathTo } from '../../page/path-to.ts'
import { capitalized } from '../../ui/list-controls/count-text.ts'

/** Groups that keep their instances apart, and groups that keep them together. */
export const groupKinds = ['anti_affinity_group', 'affinity_group'] as const
export type GroupKind = keyof typeof affinityTypeOf
/** Groups of both kinds have the same properties. */
export type Group = AffinityGroup & AntiAffinityGroup

/** Which group of a project, by its name. */
export type GroupParams = { kind: GroupKind; project: string; group: string }

export const groupNoun = (kind: GroupKind): string => thingWords(kind)
/** For the beginning of a sentence. */
export const groupTitle = (kind: GroupKind): string => capitalized(groupNoun(kind))

const pages = {
  anti_affinity_group: '/projects/$project/affinity/$antiAffinityGroup',
  affinity_group: '/projects/$project/affinity-groups/$affinityGroup',
} as const

/** The address of a group's page. */
export const groupPath = ({ kind, project, group }: GroupParams): string =>
  pathTo(pages[kind], { project, [groupParameters[kind]]: group })

/** The parameter of a group in the paths of the operations and pages of its kind. */
export const groupParameters = {
  anti_affinity_group: 'antiAffinityGroup',
  affinity_group: 'affinityGroup',
} as const

/**
 * How the operations of a kind name a group in their path. The type has the parameters of both kinds,
 * because the compiler does not hold one of two paths against the calls of both.
 */
export const groupArgument = ({ kind, group }: Omit<GroupParams, 'project'>) =>
  ({ [groupParameters[kind]]: group }) as {
    [Parameter in (typeof groupParameters)[GroupKind]]: string
  }
