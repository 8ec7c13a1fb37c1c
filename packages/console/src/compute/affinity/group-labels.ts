import { kindLabels } from '@steading/api/rules'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import type { GroupKind } from './group-kinds.ts'

export const groupNoun = (kind: GroupKind): string => kindLabels(kind)
/** For the beginning of a sentence. */
export const groupTitle = (kind: GroupKind): string => capitalized(groupNoun(kind))
