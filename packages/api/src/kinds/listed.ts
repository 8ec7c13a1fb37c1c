/** Kinds of resources that have a list in `/x/v1`. */
import { type KindsWith, kindsWith } from './kinds.ts'

export type ListedKind = KindsWith<'listed'>
export const listedKinds = kindsWith('listed')

/** Kinds of resources that have a history. */
export type HistoryKind = ListedKind | KindsWith<'history'>
export const historyKinds: readonly HistoryKind[] = [
  ...new Set<HistoryKind>([...listedKinds, ...kindsWith('history')]),
]
