import type { SavedView } from '@steading/api/client'

/** What a view keeps of a list. */
export type ViewContent = Pick<SavedView, 'query' | 'columns'>
