import type { PhysicalDisk, PhysicalDiskDetails } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useCapability } from '../../data/capabilities.ts'
import type { Column } from '../../ui/column.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import { CopyableId } from '../../ui/copy-button.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { EmptyCell, Size, Strong } from '../../ui/text.tsx'
import { Health, LifeState, PolicyKind } from './badges.tsx'
import { allSledsQuery } from './queries.ts'
import { whenReread } from '../../data/api.ts'

/** A physical disk; rows of searched lists include its usage. */
export type DiskRow = PhysicalDisk & Partial<PhysicalDiskDetails>

/** The serial of a disk's sled, from the list of sleds if the row lacks it. */
function SledSerial({ sledId }: { sledId: string }) {
  const { data } = useQuery(allSledsQuery)
  return data?.items.find(({ id }) => id === sledId)?.baseboard.serial ?? <EmptyCell />
}

export const diskColumns: Column<DiskRow>[] = [
  { id: 'serial', header: 'serial number', sort: 'name', cell: ({ serial }) => serial },
  { id: 'id', header: 'ID', width: 176, optional: true, cell: ({ id }) => <CopyableId id={id} /> },
  {
    id: 'form',
    header: 'Form factor',
    width: 136,
    sort: 'form_factor',
    phone: 'second',
    labelled: true,
    cell: ({ formFactor }) => (formFactor === 'u2' ? 'U.2' : 'M.2'),
  },
  { id: 'model', header: 'model number', width: 176, sort: 'model', cell: ({ model }) => model },
  {
    id: 'sled',
    header: 'sled',
    width: 112,
    phone: 'second',
    labelled: true,
    cell: ({ sledSerial, sledId }) =>
      sledSerial ?? (sledId ? <SledSerial sledId={sledId} /> : <EmptyCell />),
  },
  {
    id: 'policy',
    header: 'policy',
    width: 128,
    cell: ({ policy }) => <PolicyKind kind={policy.kind} />,
  },
  {
    id: 'state',
    header: 'state',
    width: 120,
    sort: 'state',
    cell: ({ state }) => <LifeState state={state} />,
  },
  {
    id: 'health',
    header: 'health',
    width: 96,
    phone: 'first',
    cell: ({ healthy }) => <Health works={healthy} bad="Failed" />,
  },
  {
    id: 'used',
    header: 'used',
    width: 88,
    align: 'end',
    sort: 'used',
    cell: ({ used }) => (used === undefined ? <EmptyCell /> : <Size bytes={used} />),
  },
  {
    id: 'size',
    header: 'size',
    width: 88,
    align: 'end',
    sort: 'size',
    cell: ({ size }) => (size === undefined ? <EmptyCell /> : <Size bytes={size} />),
  },
]

/** Actions of simulated disks only: fail, work again, and be replaced. */
function useSimulatedDisk(): (disk: DiskRow) => MenuAction[] {
  const simulated = useCapability('simulation')
  const setHealth = useApiAction('simulatedDiskSetHealth', { onSuccess: whenReread })
  const replace = useApiAction('simulatedDiskReplace', { onSuccess: whenReread })
  return ({ serial, state, healthy }) => {
    if (!simulated || healthy === undefined) return []
    const works: MenuAction = {
      label: healthy ? 'Let it fail' : 'Let it work again',
      calls: 'simulatedDiskSetHealth',
      onAction: () =>
        confirmAction({
          title: healthy ? 'Let disk fail' : 'Let disk work again',
          body: healthy ? (
            <>
              The simulated disk <Strong>{serial}</Strong> will fail: its replicas are rebuilt on
              other disks.
            </>
          ) : (
            <>
              The simulated disk <Strong>{serial}</Strong> will work again and take new replicas.
            </>
          ),
          errorTitle: `Could not change ${serial}`,
          ...setHealth({ path: { serial }, body: { healthy: !healthy } }),
        }),
    }
    const makesWay: MenuAction = {
      label: 'Replace with a new disk',
      calls: 'simulatedDiskReplace',
      onAction: () =>
        confirmAction({
          title: 'Replace disk',
          body: (
            <>
              The simulated disk <Strong>{serial}</Strong> is taken out of its slot. A new one is
              put in and is waiting to be adopted.
            </>
          ),
          errorTitle: `Could not replace ${serial}`,
          ...replace({ path: { serial } }),
        }),
    }
    return state === 'active' ? [works, makesWay] : [makesWay]
  }
}

/** The actions of operators on a physical disk. */
export function useDiskActions(): (disk: DiskRow) => MenuAction[] {
  const extended = useCapability('hardware')
  const simulated = useSimulatedDisk()
  const expunge = useApiAction('physicalDiskExpunge', { onSuccess: whenReread })
  return (disk) => {
    const { id, serial, policy } = disk
    if (!extended) return []
    return [
      ...simulated(disk),
      {
        label: 'Expunge',
        danger: true,
        calls: 'physicalDiskExpunge',
        disabledReason: policy.kind === 'expunged' ? 'The disk is expunged' : undefined,
        onAction: () =>
          confirmAction({
            title: 'Expunge disk',
            danger: true,
            body: (
              <>
                <Strong>{serial}</Strong> is removed from service for good. Its replicas will be
                rebuilt on other disks.
              </>
            ),
            errorTitle: `Could not expunge ${serial}`,
            ...expunge({ path: { diskId: id } }),
          }),
      },
    ]
  }
}
