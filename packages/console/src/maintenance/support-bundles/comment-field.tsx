import { bundleCommentProblem } from '@steading/api/rules'
import type { Control } from 'react-hook-form'
import { TextField } from '../../ui/form/text-field.tsx'

export interface CommentValues {
  comment: string
}

export const CommentField = ({ control }: { control: Control<CommentValues> }) => (
  <TextField
    name="comment"
    label="Comment"
    description="What is wrong, since when, and what has been tried. It is shown beside the bundle and is no part of it."
    rows={6}
    control={control}
    validate={bundleCommentProblem}
  />
)
