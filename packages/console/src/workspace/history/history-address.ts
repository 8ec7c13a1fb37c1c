import type { HistoryKind } from '@steading/api/rules'
import { anySearch } from '../../data/same-page.ts'

/** A thing whose history is shown over the page. */
export type Shown = { kind: HistoryKind; id: string }

/** The same page with a history over it, or without one. */
export const withHistory = (shown?: Shown) =>
  anySearch((before) => ({ ...before, history: shown && `${shown.kind}.${shown.id}` }))

/** What `?history=` of an address may be. */
export const readHistorySearch = ({ history }: Record<string, unknown>): { history?: string } =>
  typeof history === 'string' && history ? { history } : {}
