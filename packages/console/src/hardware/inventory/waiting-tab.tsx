import type { UnadoptedPhysicalDisk, UninitializedSled } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { HardDrive, Server } from 'lucide-react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { whenReread } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Strong } from '../../ui/text.tsx'
import { partColumn, revisionColumn } from './baseboard-columns.tsx'
import {
  membershipQuery,
  racksQuery,
  requestsQuery,
  waitingDisksQuery,
  waitingSledsQuery,
} from './queries.ts'
import { InventoryTab } from './tab.tsx'

/** Banner for a membership change that waits for sleds to confirm it, with an action to abort. */
function Change({ rackId }: { rackId: string }) {
  const { data } = useQuery(membershipQuery(rackId))
  const abort = useApiAction('rackMembershipAbort', { onSuccess: whenReread })
  if (data?.state !== 'in_progress') return null
  const serials = data.unacknowledgedMembers.map(({ serialNumber }) => serialNumber)
  return (
    <Banner
      className="mx-(--gutter)"
      title="Sleds are being added"
      action={
        <Button
          variant="secondary"
          calls="rackMembershipAbort"
          onClick={() =>
            confirmAction({
              title: 'Give up adding sleds',
              body: 'The sleds that were to be added stay as they are, and can be added later.',
              errorTitle: 'Could not give up adding sleds',
              ...abort({ path: { rackId } }),
            })
          }
        >
          Give up
        </Button>
      }
    >
      {serials.length > 0
        ? `Waiting for ${serials.join(', ')} to confirm.`
        : 'All of them have confirmed.'}
    </Banner>
  )
}

const sledColumns: Column<UninitializedSled>[] = [
  { id: 'serial', header: 'serial number', cell: ({ baseboard }) => baseboard.serial },
  { ...partColumn, phone: 'second', labelled: true },
  revisionColumn,
  {
    id: 'cubby',
    header: 'slot',
    width: 72,
    align: 'end',
    phone: 'first',
    labelled: true,
    cell: ({ cubby }) => cubby,
  },
]

function WaitingSleds() {
  const sleds = useQuery(waitingSledsQuery)
  const simulated = useCapability('simulation')
  const add = useApiAction('rackMembershipAddSleds', { onSuccess: whenReread })
  const insert = useApiAction('simulatedSledInsert', { onSuccess: whenReread })
  const actions = ({ baseboard, rackId }: UninitializedSled): MenuAction[] => [
    {
      label: 'Add sled',
      calls: 'rackMembershipAddSleds',
      onAction: () =>
        confirmAction({
          title: 'Add sled',
          body: (
            <>
              <Strong>{baseboard.serial}</Strong> and its disks are put into service, and new
              instances will be placed on it.
            </>
          ),
          errorTitle: `Could not add ${baseboard.serial}`,
          ...add({
            path: { rackId },
            body: { sledIds: [{ partNumber: baseboard.part, serialNumber: baseboard.serial }] },
          }),
        }),
    },
  ]
  return (
    <Card
      title="Sleds"
      description="In the rack but not in service yet"
      actions={
        simulated && (
          <Button
            variant="secondary"
            calls="simulatedSledInsert"
            onClick={() =>
              confirmAction({
                title: 'Insert simulated sled',
                body: 'A new sled is put into the next free slot of the simulated rack. It is then waiting to be added.',
                errorTitle: 'Could not insert a sled',
                ...insert({}),
              })
            }
          >
            Insert simulated sled
          </Button>
        )
      }
    >
      <LoadedTable
        label="Waiting sleds"
        what="The waiting sleds"
        read={{ ...sleds, rows: sleds.data?.items }}
        columns={sledColumns}
        rowKey={({ baseboard }) => baseboard.serial}
        actions={actions}
        empty={{
          icon: Server,
          title: 'No waiting sleds',
          body: 'New sleds in the rack are shown here until they are added',
        }}
      />
    </Card>
  )
}

type DiskRow = UnadoptedPhysicalDisk & { requested: string | undefined }

const diskColumns: Column<DiskRow>[] = [
  { id: 'serial', header: 'serial number', cell: ({ diskId }) => diskId.serial },
  {
    id: 'model',
    header: 'model number',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ diskId }) => diskId.model,
  },
  {
    id: 'form',
    header: 'Form factor',
    width: 112,
    cell: ({ variant }) => (variant === 'u2' ? 'U.2' : 'M.2'),
  },
  { id: 'slot', header: 'slot', width: 72, align: 'end', cell: ({ slot }) => slot },
  {
    id: 'state',
    header: 'state',
    width: 144,
    phone: 'first',
    cell: ({ requested }) =>
      requested === undefined ? (
        <StateBadge tone="off">Not used</StateBadge>
      ) : (
        <StateBadge tone="changing">Being adopted</StateBadge>
      ),
  },
]

function WaitingDisks() {
  const disks = useQuery(waitingDisksQuery)
  const requests = useQuery(requestsQuery)
  const adopt = useApiAction('physicalDiskEnableAdoption', { onSuccess: whenReread })
  const withdraw = useApiAction('physicalDiskDisableAdoption', { onSuccess: whenReread })
  const rows = disks.data?.items.map((disk) => ({
    ...disk,
    requested: requests.data?.items.find(({ diskId }) => diskId.serial === disk.diskId.serial)?.id,
  }))
  const actions = ({ diskId, requested }: DiskRow): MenuAction[] => [
    {
      label: 'Adopt disk',
      calls: 'physicalDiskEnableAdoption',
      disabledReason: requested === undefined ? undefined : 'It is being adopted',
      onAction: () =>
        confirmAction({
          title: 'Adopt disk',
          body: (
            <>
              <Strong>{diskId.serial}</Strong> is put into service. What is on it is overwritten.
            </>
          ),
          errorTitle: `Could not adopt ${diskId.serial}`,
          ...adopt({ body: diskId }),
        }),
    },
    {
      label: 'Withdraw request',
      calls: 'physicalDiskDisableAdoption',
      disabledReason: requested === undefined ? 'No operator has asked to adopt it' : undefined,
      onAction: () =>
        requested !== undefined &&
        confirmAction({
          title: 'Withdraw request',
          body: (
            <>
              <Strong>{diskId.serial}</Strong> stays as it is, and can be adopted later.
            </>
          ),
          errorTitle: `Could not withdraw the request for ${diskId.serial}`,
          ...withdraw({ path: { physicalDiskAdoptionReqId: requested } }),
        }),
    },
  ]
  return (
    <Card title="Disks" description="Disks in active sleds, not yet adopted">
      <LoadedTable
        label="Waiting disks"
        what="The waiting disks"
        read={{ ...disks, rows }}
        columns={diskColumns}
        rowKey={({ diskId }) => diskId.serial}
        actions={actions}
        empty={{
          icon: HardDrive,
          title: 'No waiting disks',
          body: 'New disks in sleds are shown here until they are adopted',
        }}
      />
    </Card>
  )
}

export function WaitingTab() {
  const racks = useQuery(racksQuery)
  return (
    <InventoryTab tab="waiting">
      <div className="flex flex-col gap-6 py-4">
        {racks.data?.items.map(({ id }) => (
          <Change key={id} rackId={id} />
        ))}
        <WaitingSleds />
        <WaitingDisks />
      </div>
    </InventoryTab>
  )
}
