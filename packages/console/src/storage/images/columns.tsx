import type { Image } from '@steading/api/client'
import type { ReactNode } from 'react'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { Size, Truncate } from '../../ui/text.tsx'

/** The columns of lists of images. @param link renders the name as a link to the details */
export const imageColumns = (link: (image: Image) => ReactNode): Column<Image>[] => [
  { id: 'name', header: 'name', sort: 'name', cell: link },
  descriptionColumn,
  {
    id: 'os',
    header: 'OS',
    sort: 'os',
    width: 128,
    phone: 'second',
    cell: ({ os }) => (os ? <Truncate text={os} /> : null),
  },
  {
    id: 'version',
    header: 'version',
    sort: 'version',
    width: 112,
    phone: 'second',
    cell: ({ version }) => (version ? <Truncate text={version} /> : null),
  },
  {
    id: 'size',
    header: 'size',
    sort: 'size',
    cell: ({ size }) => <Size bytes={size} />,
    align: 'end',
    width: 96,
    phone: 'first',
  },
  createdColumn,
]
