import type { HistoryKind } from '@steading/api/rules'
import { anySearch } from '../../data/addresses.ts'

/** A resource whose history is shown over the page. */
export type Shown = { kind: HistoryKind; id: string }

/** The same page with or without a history over it. */
export const withHistory = (shown?: Shown) =>
  anySearch((before) => ({ ...before, history: shown && `${shown.kind}.${shown.id}` }))

/** Validates `?history=` of an address. */
export const readHistorySearch = ({ history }: Record<string, unknown>): { history?: string } =>
  typeof history === 'string' && history ? { history } : {}
