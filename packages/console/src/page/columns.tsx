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
