import type { HistoryEntry, AuditedResource, AuditEntry } from '@steading/api/client'
import { type HistoryKind, type KindName, kindTable } from '@steading/api/rules'
import { apiQuery, PAGE_SIZE } from '../../data/api.ts'
import { usePages } from '../../page/use-pages.ts'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { StateBadge } from '../../ui/state-badge.tsx'

/** Polling interval: refused actions change nothing, so they cause no events. */
const POLL_MS = 5_000

/** The history of a resource, latest first. */
export const useHistory = (kind: HistoryKind, id: string) =>
  usePages<HistoryEntry>((pageToken) => ({
    ...apiQuery('historyList', {
      query: { kind, id, sortBy: 'time_and_id_descending', limit: PAGE_SIZE, pageToken },
    }),
    refetchInterval: pageToken === undefined && POLL_MS,
  }))

type Result = HistoryEntry['result']

export function ResultBadge({ result }: { result: Result }) {
  switch (result.kind) {
    case 'success':
      return <StateBadge tone="works">Succeeded</StateBadge>
    case 'unknown':
      return <StateBadge tone="off">Not known</StateBadge>
    case 'error':
      return (
        <StateBadge tone="failed">{result.httpStatusCode >= 500 ? 'Failed' : 'Refused'}</StateBadge>
      )
  }
}

/** Reason for a failed action. */
export const reasonOf = (result: Result): string | undefined =>
  result.kind === 'error' ? result.errorMessage : undefined

const isKind = (kind: string): kind is KindName => Object.hasOwn(kindTable, kind)

/** The sentence about an action: `Created disk data`. */
export const sentenceOf = ({ sentence }: Pick<HistoryEntry, 'sentence'>): string =>
  capitalized(sentence)

/** `Disk data`. */
export function targetText({ kind, name, id }: AuditedResource): string {
  const words = isKind(kind) ? kindTable[kind].words : kind.replaceAll('_', ' ')
  return `${words} ${name || id || ''}`.trimEnd()
}

/** Readers of a history do not learn about users of other silos, all of whom are operators. */
export const nameOfUser = ({ user }: Pick<HistoryEntry, 'user'>): string =>
  user?.displayName ?? 'An operator'

export function actorText({
  user,
  actorKind,
  authMethod,
}: Pick<AuditEntry, 'user' | 'actorKind' | 'authMethod'>): string {
  if (user) return user.displayName || user.id
  if (actorKind === 'unauthenticated') return 'Not signed in'
  if (actorKind === 'scim' || authMethod === 'scim_token') return 'SCIM'
  return actorKind === 'user_builtin' ? 'The system' : 'An operator'
}
