import type { AffinityPolicy } from '@steading/api/client'
import { Tag } from '../ui/tag.tsx'

export const affinitySummary =
  'Instances of an anti-affinity group are placed on different sleds, so that the failure of one sled does not take all of them down.'

export const policyHelp =
  "Determines whether member instances are allowed to start when the anti-affinity rule can't be satisfied, i.e. when every sled already holds a member."

export const PolicyTag = ({ policy }: { policy: AffinityPolicy }) => <Tag>{policy}</Tag>

export const GroupTypeTag = () => <Tag>anti-affinity</Tag>
