import type { UserBuiltin } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { UserCog } from 'lucide-react'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'

const query = apiQuery('userBuiltinList', { query: { limit: ALL_ITEMS } })

const columns: Column<UserBuiltin>[] = [
  { id: 'name', header: 'name', width: 240, cell: ({ name }) => name },
  { ...descriptionColumn, sort: undefined },
  { ...createdColumn, sort: undefined },
]

/** Users that are parts of the system itself. */
export function BuiltinUsers() {
  const { data, error, refetch } = useQuery(query)
  return (
    <Card title="Built-in users" description="Services of the system, which cannot sign in">
      <LoadedTable
        label="Built-in users"
        what="The built-in users"
        read={{ rows: data?.items, error, refetch }}
        columns={columns}
        actions={() => []}
        skeletonRows={4}
        empty={{
          icon: UserCog,
          title: 'No built-in users',
          body: 'Services of the system are shown here',
        }}
      />
    </Card>
  )
}
