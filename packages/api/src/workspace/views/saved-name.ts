import { VIEW_NAME_MAX } from '../../rules/limits.ts'
import { viewNameProblem } from './rules.ts'
import { text } from '../../schema.ts'

/** Name of a user's saved item, such as a view: any text. */
export const SavedName = text(
  VIEW_NAME_MAX,
  { minLength: 1, pattern: '^\\S([\\s\\S]*\\S)?$' },
  viewNameProblem,
)
