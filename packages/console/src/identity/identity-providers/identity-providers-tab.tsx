import type { IdentityProvider } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { IdCard, Plus } from 'lucide-react'
import { usePrefetchedQuery } from '../../data/api.ts'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import { type Create, CreateButton, useCreate } from '../../page/create-action.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { pathTo } from '../../page/path-to.ts'
import { siloQuery, useSiloParam, siloTabs } from '../../tenancy/silos/queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { Tag } from '../../ui/tag.tsx'
import { identityProvidersQuery } from './queries.ts'

const columnsOf = (silo: string): Column<IdentityProvider>[] => [
  {
    id: 'name',
    header: 'name',
    cell: ({ name, providerType }) =>
      providerType === 'saml' ? (
        <CellLink to="/system/silos/$silo/idps/saml/$provider" params={{ silo, provider: name }}>
          {name}
        </CellLink>
      ) : (
        name
      ),
  },
  { ...descriptionColumn, phone: 'second' },
  {
    id: 'type',
    header: 'Type',
    width: 96,
    phone: 'first',
    cell: ({ providerType }) => <Tag>{providerType}</Tag>,
  },
  createdColumn,
]

const rowActions = ({ id }: IdentityProvider) => [copyAction('Copy ID', id)]

export function IdentityProvidersTab() {
  const silo = useSiloParam()
  const { identityMode } = usePrefetchedQuery(siloQuery(silo)).data
  const { data, error, refetch } = useQuery(identityProvidersQuery(silo))
  const isLocal = identityMode === 'local_only'
  const create: Create = {
    label: 'New provider',
    quickLabel: 'New identity provider',
    icon: Plus,
    variant: 'secondary',
    calls: 'samlIdentityProviderCreate',
    path: pathTo('/system/silos/$silo/idps-new', { silo }),
  }
  useCreate(isLocal ? undefined : create)
  return (
    <TabPanel of={siloTabs} tab="Identity providers">
      <Card
        title="Identity providers"
        description="Sign-in services for the users of this silo"
        actions={
          isLocal ? (
            <Button
              icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
              disabledReason="The users of this silo have passwords, and sign in here"
            >
              New provider
            </Button>
          ) : (
            <CreateButton {...create} />
          )
        }
      >
        <LoadedTable
          what="The identity providers"
          label="Identity providers"
          columns={columnsOf(silo)}
          read={{ rows: data?.items, error, refetch }}
          actions={rowActions}
          skeletonRows={2}
          empty={{
            icon: IdCard,
            title: 'No identity providers',
            body: isLocal
              ? 'The users of this silo have passwords'
              : 'Users can sign in once this silo has one',
          }}
        />
      </Card>
      <Outlet />
    </TabPanel>
  )
}
