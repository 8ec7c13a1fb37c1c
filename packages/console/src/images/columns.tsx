import type { Image } from '@steading/api/client'
import type { ReactNode } from 'react'
import { createdColumn, descriptionColumn } from '../page/columns.tsx'
import type { Column } from '../ui/column.ts'
import { Size, Truncate } from '../ui/text.tsx'

/** @param link the name of an image, leading to its details */
export const imageColumns = (link: (image: Image) => ReactNode): Column<Image>[] => [
  { id: 'name', header: 'name', sort: 'name', cell: link, className: 'max-w-72' },
  descriptionColumn,
  {
    id: 'os',
    header: 'OS',
    sort: 'os',
    cell: ({ os }) => (os ? <Truncate text={os} className="max-w-40" /> : null),
  },
  {
    id: 'version',
    header: 'version',
    sort: 'version',
    cell: ({ version }) => (version ? <Truncate text={version} className="max-w-40" /> : null),
  },
  {
    id: 'size',
    header: 'size',
    sort: 'size',
    cell: ({ size }) => <Size bytes={size} />,
    align: 'end',
  },
  createdColumn,
]
