import type { Image } from '@steading/api/client'
import type { ReactNode } from 'react'
import type { Column } from '../ui/column.ts'
import { Description, Size, Truncate } from '../ui/text.tsx'
import { DateTime } from '../ui/time.tsx'

/** @param link the name of an image, leading to its details */
export const imageColumns = (link: (image: Image) => ReactNode): Column<Image>[] => [
  { header: 'name', sort: 'name', cell: link, className: 'max-w-72' },
  {
    header: 'description',
    sort: 'description',
    cell: ({ description }) => <Description text={description} />,
  },
  {
    header: 'OS',
    sort: 'os',
    cell: ({ os }) => (os ? <Truncate text={os} className="max-w-40" /> : null),
  },
  {
    header: 'version',
    sort: 'version',
    cell: ({ version }) => (version ? <Truncate text={version} className="max-w-40" /> : null),
  },
  { header: 'size', sort: 'size', cell: ({ size }) => <Size bytes={size} />, align: 'end' },
  {
    header: 'created',
    sort: 'time_created',
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
]
