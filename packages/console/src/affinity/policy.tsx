import type { AffinityPolicy } from '@steading/api/client'
import { Badge, type BadgeColor } from '../ui/badge.tsx'

export const affinitySummary =
  'Instances of an anti-affinity group are placed on different sleds, so that one that fails does not take all of them with it.'

export const policyHelp =
  "Determines whether member instances are allowed to start when the anti-affinity rule can't be satisfied, i.e. when every sled already holds a member."

const policyColors: Record<AffinityPolicy, BadgeColor> = { allow: 'neutral', fail: 'violet' }

export const PolicyBadge = ({ policy }: { policy: AffinityPolicy }) => (
  <Badge color={policyColors[policy]} icon={false}>
    {policy}
  </Badge>
)

export const GroupTypeBadge = () => <Badge icon={false}>anti-affinity</Badge>
