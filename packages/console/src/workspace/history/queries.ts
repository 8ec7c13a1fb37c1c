import type { HistoryEntry } from '@steading/api/client'
import type { HistoryKind } from '@steading/api/rules'
import { apiQuery, PAGE_SIZE } from '../../data/api.ts'
import { usePages } from '../../page/use-pages.ts'

/** How often the history is read again: refusals change nothing, so no event tells of them. */
const POLL_MS = 5_000

/** What was done with a thing, the latest first. */
export const useHistory = (kind: HistoryKind, id: string) =>
  usePages<HistoryEntry>((pageToken) => ({
    ...apiQuery('historyList', {
      query: { kind, id, sortBy: 'time_and_id_descending', limit: PAGE_SIZE, pageToken },
    }),
    refetchInterval: pageToken === undefined && POLL_MS,
  }))
