import type { ExternalSubnet } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState, Suspense } from 'react'
import { usePrefetchedQuery } from '../../../data/api.ts'
import { showAtOnce, subnetColumn } from '../../../networking/external-subnets/columns.tsx'
import { useDetachExternalSubnet } from '../../../networking/external-subnets/external-subnet-actions.tsx'
import {
  availableExternalSubnets,
  externalSubnetsQuery,
} from '../../../networking/external-subnets/queries.ts'
import { versionsOf } from '../../../networking/network-interfaces/stacks.ts'
import { descriptionColumn } from '../../../page/columns.tsx'
import { LoadError } from '../../../page/load-error.tsx'
import { ActionButtons } from '../../../ui/action-buttons.tsx'
import { Card, CardEmpty } from '../../../ui/card.tsx'
import type { Column } from '../../../ui/column.ts'
import { DialogPart } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { CellLink } from '../../../ui/link.tsx'
import { Table } from '../../../ui/table.tsx'
import {
  instanceExternalSubnetsQuery,
  instanceNicsQuery,
  useInstance,
  useInstanceParams,
} from '../queries.ts'
import { ExternalIpsCard } from './external-ips-card.tsx'
import { TabPanel } from '../../../page/page-tabs.tsx'
import { instanceTabs } from './instance-page.tsx'
import { NicsCard } from './nics-card.tsx'

const AttachExternalSubnetModal = lazyPart(() => import('./attach-external-subnet.tsx'))

const columnsOf = (project: string): Column<ExternalSubnet>[] => [
  {
    id: 'name',
    header: 'name',
    cell: (externalSubnet) => (
      <CellLink
        to="/projects/$project/external-subnets/$externalSubnet/edit"
        params={{ project, externalSubnet: externalSubnet.name }}
        onClick={() => showAtOnce(project, externalSubnet)}
      >
        {externalSubnet.name}
      </CellLink>
    ),
  },
  subnetColumn,
  descriptionColumn,
]

export function ExternalSubnetsCard() {
  const params = useInstanceParams()
  const instance = useInstance(params)
  const { data, error, refetch } = useQuery(instanceExternalSubnetsQuery(params))
  const all = useQuery(externalSubnetsQuery(params.project)).data?.items ?? []
  const primary = usePrefetchedQuery(instanceNicsQuery(params)).data.items.find(
    (nic) => nic.primary,
  )
  const available = availableExternalSubnets(all, primary ? versionsOf(primary) : [])
  const columns = useMemo(() => columnsOf(params.project), [params.project])
  const detach = useDetachExternalSubnet()
  const [attaching, setAttaching] = useState(false)
  const close = () => setAttaching(false)
  return (
    <Card
      title="External subnets"
      actions={
        <ActionButtons
          size="sm"
          actions={[
            {
              label: 'Attach external subnet',
              calls: 'externalSubnetAttach',
              disabledReason: available.length === 0 && 'No available external subnets',
              onAction: () => setAttaching(true),
            },
          ]}
        />
      }
    >
      {error && !data ? (
        <LoadError what="The external subnets" error={error} onRetry={refetch} />
      ) : (
        <Table
          label="External subnets"
          columns={columns}
          rows={data?.items}
          actions={(externalSubnet) => [
            {
              label: 'Detach',
              calls: 'externalSubnetDetach',
              onAction: () => detach(externalSubnet, { words: 'from', instance: params.instance }),
            },
          ]}
          empty={
            <CardEmpty
              title="No external subnets"
              body="Attach an external subnet to see it here"
            />
          }
        />
      )}
      <DialogPart onDismiss={close}>
        {attaching && (
          <AttachExternalSubnetModal instance={instance} available={available} onDismiss={close} />
        )}
      </DialogPart>
    </Card>
  )
}

/** Loaded lazily, after the cards that are used more often. */
const MulticastCard = lazyPart(() => import('./multicast-card.tsx'))
const EffectiveRulesCard = lazyPart(() => import('./effective-rules-card.tsx'))

export function NetworkingTab() {
  return (
    <TabPanel of={instanceTabs} tab="Networking">
      <ExternalIpsCard />
      <NicsCard />
      <ExternalSubnetsCard />
      <Suspense>
        <MulticastCard />
        <EffectiveRulesCard />
      </Suspense>
    </TabPanel>
  )
}
