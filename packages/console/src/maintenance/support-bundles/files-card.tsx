import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { Card } from '../../ui/card.tsx'
import { CellButton } from '../../ui/cells.tsx'
import type { Column } from '../../ui/column.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { SearchField } from '../../ui/list-controls/search-field.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { Size } from '../../ui/text.tsx'
import { download } from '../../page/download.ts'
import { type BundleFile, downloadPath, filesQuery } from './queries.ts'

const FilePreview = lazyPart(() => import('./file-preview.tsx'))

/** Splits a path into its folder, with slash, and its name. */
const partsOf = (name: string): [folder: string, file: string] => {
  const slash = name.lastIndexOf('/') + 1
  return [name.slice(0, slash), name.slice(slash)]
}

const columnsOf = (
  files: BundleFile[] | undefined,
  open: (file: BundleFile) => void,
): Column<BundleFile>[] => [
  {
    id: 'file',
    header: 'file',
    cell: (file) => {
      const [folder, name] = partsOf(file.name)
      return (
        <CellButton onClick={() => open(file)}>
          {folder && <span className="font-normal text-secondary">{folder}</span>}
          {name}
        </CellButton>
      )
    },
  },
  // The column appears only if a file has a problem, which is rare.
  ...(files?.some(({ problem }) => problem)
    ? [
        {
          id: 'problem',
          header: 'problem',
          phone: 'second' as const,
          cell: ({ problem }: BundleFile) => problem ?? null,
        },
      ]
    : []),
  {
    id: 'size',
    header: 'size',
    width: 120,
    phone: 'first',
    cell: ({ size }) => (size === undefined ? null : <Size bytes={size} />),
  },
]

/** The files of an active bundle: searched, previewed, and downloaded one by one. */
export function FilesCard({ id }: { id: string }) {
  const { data: files, error, refetch } = useQuery(filesQuery(id))
  const [search, setSearch] = useState('')
  const [opened, setOpened] = useState<BundleFile>()
  const found = files?.filter(({ name }) => name.includes(search.toLowerCase()))
  const total = files?.reduce((sum, { size = 0 }) => sum + size, 0) ?? 0
  const actions = ({ name }: BundleFile): MenuAction[] => [
    copyAction('Copy path', name),
    {
      label: 'Download',
      onAction: () => void download(downloadPath(id, name), partsOf(name)[1]),
    },
  ]
  return (
    <>
      <Card
        title="Files"
        description={
          files ? (
            <>
              {files.length} files, <Size bytes={total} /> when unpacked
            </>
          ) : (
            'Contents of the bundle'
          )
        }
        actions={<SearchField label="Search files" value={search} onChange={setSearch} />}
      >
        <LoadedTable
          what="The files"
          label="Files"
          columns={columnsOf(files, setOpened)}
          rowKey={({ name }) => name}
          actions={actions}
          read={{ rows: found, error, refetch }}
          empty={{
            icon: FileText,
            title: search ? 'No file found' : 'No files',
            body: search ? 'No path contains this text' : 'The bundle is empty',
          }}
        />
      </Card>
      {opened && (
        <DialogPart onDismiss={() => setOpened(undefined)}>
          <FilePreview bundle={id} file={opened} onDismiss={() => setOpened(undefined)} />
        </DialogPart>
      )}
    </>
  )
}
