/** The part of an overview that needs attention. */
import type { Wire } from '@steading/api'
import { ATTENTION_SHOWN, attentionClassOf, type IssueKind, type ReadWithin } from '@steading/api'
import { may } from '../../../kernel/authz/actor.ts'
import {
  bySeverity,
  findIssues,
  type FoundIssue,
  issue,
  limited,
  type Search,
} from '../../../kernel/issues.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { instanceIssuesIn } from '../../compute/instances/issues.ts'
import { scheduleIssuesIn } from '../../compute/schedules/issues.ts'
import { endingCertificates } from '../../identity/certificates/ending.ts'
import { certificateIssue } from '../../identity/certificates/issues.ts'
import { nearQuota } from '../../tenancy/silos/issues.ts'
import { ruleIssuesIn } from '../alert-rules/issues.ts'
import { issueFinders } from '../issues/all.ts'
import { inParts } from './projects.ts'

/** Issues of an unknown age come last. */
const began = ({ time_began }: FoundIssue): string => time_began ?? ''

/** Issues of a place. */
export interface Findings {
  items: readonly FoundIssue[]
  /** Some kind has more issues than are listed. */
  more: boolean
}

export function attentionOf({ items, more }: Findings): Wire.OverviewAttention {
  const worst = items.toSorted(
    (one, other) =>
      bySeverity(one, other) ||
      began(other).localeCompare(began(one)) ||
      one.id.localeCompare(other.id),
  )
  const critical = items.filter(({ severity }) => severity === 'critical').length
  return {
    items: worst.slice(0, ATTENTION_SHOWN).map((found) => {
      const { facts: _, ...one } = found
      return { ...one, class: attentionClassOf(one.kind as IssueKind) }
    }),
    critical,
    warning: items.length - critical,
    more,
  }
}

/** Issues that members of projects can know of. */
export async function findingsIn(
  search: Search,
  { silo, projectIds }: { silo: Row<'silo'>; projectIds: readonly string[] },
  within: ReadWithin,
): Promise<Findings> {
  const found = (
    await inParts(projectIds, async (some) => [
      ...(await instanceIssuesIn(search, some, within)),
      ...(await ruleIssuesIn(search, some, within)),
      ...(await scheduleIssuesIn(search, some, within)),
    ])
  ).flat()
  const shares = nearQuota(silo)
  if (shares.length > 0) {
    const facts = { name: silo.name, shares, within }
    // Operators change quotas, and nobody else.
    found.push({ ...issue('silo_near_quota', silo.id, null, facts), next: null })
  }
  if (within === 'silo') found.push(...(await certificatesOf(search, silo.id)))
  return limited(found)
}

async function certificatesOf(search: Search, siloId: string): Promise<FoundIssue[]> {
  const { actor, db, now } = search
  if (!may(actor, 'list', 'certificate', { siloId })) return []
  const ending = await endingCertificates(db, now, siloId)
  return ending.map((one) => certificateIssue(one, { actor, now, within: 'silo' }))
}

export const findingsOfFleet = (search: Search): Promise<Findings> =>
  findIssues(search, issueFinders)
