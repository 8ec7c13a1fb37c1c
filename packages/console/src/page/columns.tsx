import { Suspense } from 'react'
import { TAGS_COLUMN } from '../data/list-search.ts'
import { lazyPart } from '../ui/lazy-part.ts'
import { Description } from '../ui/text.tsx'
import { DateTime } from '../ui/time.tsx'

/** Time of creation. */
export const createdColumn = {
  id: 'created',
  header: 'created',
  sort: 'time_created',
  width: 176,
  cell: ({ timeCreated }: { timeCreated: Date }) => <DateTime date={timeCreated} />,
}

export const descriptionColumn = {
  id: 'description',
  header: 'description',
  sort: 'description',
  cell: ({ description }: { description: string }) => <Description text={description} />,
}

const TagsCell = lazyPart(() => import('../workspace/tags/tags-cell.tsx'))

/** The column of tags, which every list has. Its code is loaded once it is shown. */
export const tagsColumn = {
  id: TAGS_COLUMN,
  header: 'tags',
  optional: true,
  width: 208,
  cell: (row: object) => (
    <Suspense>
      <TagsCell {...row} />
    </Suspense>
  ),
} as const
