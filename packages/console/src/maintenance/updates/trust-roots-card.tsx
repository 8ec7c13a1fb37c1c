import type { UpdatesTrustRoot } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { CreateButton } from '../../page/create-action.tsx'
import { LoadError } from '../../page/load-error.tsx'
import { pathTo } from '../../data/addresses.ts'
import { Card, CardEmpty } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { CopyableId } from '../../ui/copy-button.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { Table } from '../../ui/table.tsx'
import { DateTime } from '../../ui/time.tsx'
import { trustRootsQuery } from './queries.ts'

const create = {
  label: 'Add trust root',
  icon: Plus,
  variant: 'secondary' as const,
  calls: 'systemUpdateTrustRootCreate' as const,
  path: pathTo('/system/update/trust-roots-new'),
}

/** Facts from a root document, which was validated when it was added. */
const saidBy = ({ rootRole }: UpdatesTrustRoot) =>
  (rootRole as { signed: { version: number; expires: string } }).signed

const columns: Column<UpdatesTrustRoot>[] = [
  { id: 'id', header: 'ID', cell: ({ id }) => <CopyableId id={id} /> },
  {
    id: 'version',
    header: 'Version',
    width: 96,
    cell: (root) => saidBy(root).version,
  },
  {
    id: 'expires',
    header: 'Expires',
    width: 200,
    phone: 'first',
    labelled: true,
    cell: (root) => <DateTime date={new Date(saidBy(root).expires)} />,
  },
  {
    id: 'created',
    header: 'Added',
    width: 200,
    phone: 'second',
    labelled: true,
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
]

function useActions(): (root: UpdatesTrustRoot) => MenuAction[] {
  const remove = useDeleteAction('systemUpdateTrustRootDelete', 'trust root', {
    toast: 'Trust root deleted',
  })
  return (root) => [
    copyAction('Copy document', JSON.stringify(root.rootRole)),
    remove(
      root.id,
      { path: { trustRootId: root.id } },
      {
        extra: 'Repositories that it has signed can no longer be uploaded. Existing releases stay.',
      },
    ),
  ]
}

/** The trust roots that verify repositories of releases. */
export function TrustRootsCard() {
  const { data, error, refetch } = useQuery(trustRootsQuery)
  const actions = useActions()
  return (
    <Card
      title="Trust roots"
      description="A repository must be signed by one of these roots"
      actions={<CreateButton {...create} />}
    >
      {error && !data && <LoadError what="The trust roots" error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <CardEmpty
          title="No trust roots"
          body="A trust root verifies releases before they are accepted. The publisher of the releases provides it as a TUF root document."
        />
      )}
      {data && data.items.length > 0 && (
        <Table label="Trust roots" columns={columns} rows={data.items} actions={actions} />
      )}
    </Card>
  )
}
