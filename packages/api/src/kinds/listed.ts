/** Kinds of things that have a list in `/x/v1`. */
import { type KindsWith, kindsWith } from './kinds.ts'

export type ListedKind = KindsWith<'listed'>
export const listedKinds = kindsWith('listed')
