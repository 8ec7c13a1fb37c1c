import type { AffinityPolicy } from '@steading/api/client'
import { affinityTypeOf } from '@steading/api/rules'
import { CellLink } from '../../ui/link.tsx'
import { Tag } from '../../ui/tag.tsx'
import { type GroupKind, groupPath, type GroupParams } from './group-kinds.ts'

/** Explains how each kind of group places its members. */
export const groupPurposes = {
  anti_affinity_group:
    'Instances of an anti-affinity group are placed on different sleds, so that the failure of one sled does not take all of them down.',
  affinity_group:
    'Instances of an affinity group are placed on the same sled, so that traffic between them does not leave it.',
} as const satisfies Record<GroupKind, string>

export const affinitySummary = Object.values(groupPurposes).join(' ')

export const policyHelps = {
  anti_affinity_group:
    "Determines whether member instances are allowed to start when the anti-affinity rule can't be satisfied, i.e. when every sled already holds a member.",
  affinity_group:
    "Determines whether member instances are allowed to start when the affinity rule can't be satisfied, i.e. when the sled of the other members has no room.",
} as const satisfies Record<GroupKind, string>

export const PolicyTag = ({ policy }: { policy: AffinityPolicy }) => <Tag>{policy}</Tag>

export const GroupTypeTag = ({ kind }: { kind: GroupKind }) => <Tag>{affinityTypeOf[kind]}</Tag>

/** The name of a group in a table, linked to its page. */
export const GroupLink = (params: GroupParams) => (
  <CellLink to={groupPath(params) as '/'}>{params.group}</CellLink>
)
