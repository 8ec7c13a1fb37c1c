/** Marks of rules that the engine does not enforce, or not entirely. */
import { type NetworkNeed, notEnforced } from '@steading/api/rules'
import { useEngine } from '../../data/capabilities.ts'
import { Banner } from '../../ui/banner.tsx'
import { Tag } from '../../ui/tag.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import type { RuleUpdate } from './rules.ts'

type RuleProps = { rule: Pick<RuleUpdate, 'status' | 'direction' | 'action' | 'filters'> }

const none: readonly NetworkNeed[] = []

/** Why the engine does not enforce a rule; empty if it does, and where the engine is unknown. */
const useReasons = ({ rule }: RuleProps): string[] =>
  notEnforced(rule, useEngine()?.networkLacks ?? none)

/** The mark of a rule in a list. Its form has the reasons as text. */
export function NotEnforcedTag(props: RuleProps) {
  const reasons = useReasons(props)
  if (reasons.length === 0) return null
  return (
    <span {...tooltip(reasons.join(' '))}>
      <Tag>not enforced</Tag>
    </span>
  )
}

/** The notice at a rule. */
export function NotEnforcedNotice(props: RuleProps) {
  const reasons = useReasons(props)
  if (reasons.length === 0) return null
  return (
    <Banner variant="notice" title="Not enforced, or not entirely">
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </Banner>
  )
}
