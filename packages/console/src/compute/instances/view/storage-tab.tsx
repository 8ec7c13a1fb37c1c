import type { Disk } from '@steading/api/client'
import {
  diskIsTransitioning,
  firmwareChoice,
  firmwareNames,
  instanceCannot,
  instanceIsTransitioning,
  startedStates,
} from '@steading/api/rules'
import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { usePrefetchedQuery } from '../../../data/api.ts'
import { useLiveState } from '../../../data/live.ts'
import { DiskDetails } from '../../../storage/disks/disk-details.tsx'
import { instanceDisksQuery, useInstance, useInstanceParams } from '../queries.ts'
import { ActionButtons } from '../../../ui/action-buttons.tsx'
import { Card, CardEmpty } from '../../../ui/card.tsx'
import { DialogPart } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Table } from '../../../ui/table.tsx'
import { HelpTip } from '../../../ui/tooltip.tsx'
import { useFailureView } from '../failure.ts'
import { bootDiskAdvice, useInstanceDiskActions } from './disk-actions.tsx'
import { instanceDiskColumns } from './disk-columns.tsx'
import { TabPanel } from '../../../page/page-tabs.tsx'
import { instanceTabs } from './instance-page.tsx'

const AttachDiskModal = lazyPart(() =>
  import('./attach-disk.tsx').then((module) => ({ default: module.AttachDiskModal })),
)
const CreateAttachedDisk = lazyPart(() =>
  import('./attach-disk.tsx').then((module) => ({ default: module.CreateAttachedDisk })),
)

type Open = { kind: 'attach' | 'create' } | { kind: 'details'; id: string }

export function StorageTab() {
  const params = useInstanceParams()
  const instance = useInstance(params)
  const disks = useInstanceDisks()
  const firmware = useFailureView(params, instance, startedStates)?.firmware
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const { ofBootDisk, ofOtherDisk } = useInstanceDiskActions(params, instance)
  const columns = useMemo(
    () => instanceDiskColumns(({ id }) => setOpen({ kind: 'details', id })),
    [],
  )
  const reason = instanceCannot('attachDisk', instance.runState)

  const isBootDisk = ({ id }: Disk) => id === instance.bootDiskId
  const others = disks.filter((disk) => !isBootDisk(disk))
  const shown = open?.kind === 'details' ? disks.find(({ id }) => id === open.id) : undefined
  return (
    <TabPanel of={instanceTabs} tab="Storage">
      <Card
        title="Boot disk"
        actions={
          // Beside the heading, where it moves nothing when it has been read.
          firmware && (
            <span className="text-secondary">
              <span className="max-sm:hidden">Booted by</span> {firmwareNames[firmware]}{' '}
              <HelpTip>{firmwareChoice}</HelpTip>
            </span>
          )
        }
      >
        <Table
          label="Boot disk"
          columns={columns}
          rows={disks.filter(isBootDisk)}
          actions={ofBootDisk}
          empty={<CardEmpty title="No boot disk set" body={noBootDisk(others)} />}
        />
      </Card>
      <Card
        title="Additional disks"
        actions={
          <ActionButtons
            size="sm"
            actions={[
              {
                label: 'Attach existing disk',
                calls: 'instanceDiskAttach',
                disabledReason: reason,
                onAction: () => setOpen({ kind: 'attach' }),
              },
              {
                label: 'Create disk',
                calls: 'diskCreate',
                disabledReason: reason && 'Instance must be stopped to create and attach a disk',
                onAction: () => setOpen({ kind: 'create' }),
              },
            ]}
          />
        }
      >
        <Table
          label="Additional disks"
          columns={columns}
          rows={others}
          actions={ofOtherDisk}
          empty={<CardEmpty title="No other disks" body="Attach a disk to see it here" />}
        />
      </Card>
      <DialogPart onDismiss={close}>
        {open?.kind === 'attach' && (
          <AttachDiskModal
            params={params}
            onDismiss={close}
            onCreate={() => setOpen({ kind: 'create' })}
          />
        )}
        {open?.kind === 'create' && <CreateAttachedDisk params={params} onDismiss={close} />}
      </DialogPart>
      {shown && <DiskDetails disk={shown} onDismiss={close} />}
    </TabPanel>
  )
}

function noBootDisk(others: Disk[]): string {
  if (others.length === 0) return 'Attach a disk to be able to set a boot disk.'
  if (others.length > 1) return bootDiskAdvice
  return `Instance will boot from ${others[0]!.name} because it is the only disk.`
}

/**
 * The disks of the instance. Without live events, they are polled while a disk or the instance is
 * in a transitional state.
 */
function useInstanceDisks(): Disk[] {
  const params = useInstanceParams()
  const live = useLiveState() === 'live'
  const moving = instanceIsTransitioning(useInstance(params).runState)
  useQuery({
    ...instanceDisksQuery(params),
    refetchInterval: ({ state: { data } }) =>
      !live && (moving || data?.items.some(({ state }) => diskIsTransitioning(state.state)))
        ? 2000
        : false,
  })
  return usePrefetchedQuery(instanceDisksQuery(params)).data.items
}
