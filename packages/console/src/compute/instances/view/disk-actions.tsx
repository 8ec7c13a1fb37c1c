import type { Disk, Instance } from '@steading/api/client'
import { BOOT_DISK_STAYS, instanceCannot } from '@steading/api/rules'
import type { ReactNode } from 'react'
import { useApiAction } from '../../../workspace/as-code/as-code.tsx'
import { useReplacingAction } from '../../../workspace/as-code/replacing-action.ts'
import { instanceUpdate, instanceQuery, showInstance, type InstanceParams } from '../queries.ts'
import { useSnapshotDisk } from '../../../storage/snapshots/use-snapshot-disk.tsx'
import { useDiskChanges } from '../../../storage/disks/disk-changes.tsx'
import { confirmAction } from '../../../ui/confirm.tsx'
import type { MenuAction } from '../../../ui/menu-action.ts'
import { doneToast } from '../../../ui/toasts.tsx'

export const bootDiskAdvice =
  'Setting a boot disk is recommended unless you intend to manage boot order within the instance.'

const Name = ({ children }: { children: ReactNode }) => (
  <b className="font-medium wrap-anywhere text-primary">{children}</b>
)

type DiskActions = {
  ofBootDisk: (disk: Disk) => MenuAction[]
  ofOtherDisk: (disk: Disk) => MenuAction[]
}

/** The actions of an instance's disks. */
export function useInstanceDiskActions(params: InstanceParams, instance: Instance): DiskActions {
  const args = { path: { instance: params.instance }, query: { project: params.project } }
  const update = useReplacingAction('instanceUpdate', (updated) =>
    showInstance(params.project, updated),
  )
  const detach = useApiAction('instanceDiskDetach', {
    onSuccess: ({ name }) => {
      doneToast('Disk', name, 'detached')
    },
  })
  const setBootDisk = (bootDisk: string | null) =>
    update(
      { ...args, body: instanceUpdate(instance, { bootDisk }) },
      { shown: instance, read: instanceQuery(params) },
    )
  const snapshotActions = useSnapshotDisk(params.project)
  const changes = useDiskChanges(params.project)
  const bootDiskReason = instanceCannot('updateBootDisk', instance.runState)

  return {
    ofBootDisk: (disk) => [
      ...snapshotActions(disk),
      ...changes(disk),
      {
        label: 'Unset as boot disk',
        calls: 'instanceUpdate',
        disabledReason: bootDiskReason,
        onAction: () =>
          confirmAction({
            title: 'Unset boot disk',
            body: (
              <>
                <p>
                  Are you sure you want to unset <Name>{disk.name}</Name> as the boot disk? It will
                  remain attached to the instance.
                </p>
                <p className="mt-2">{bootDiskAdvice}</p>
              </>
            ),
            errorTitle: 'Could not unset boot disk',
            ...setBootDisk(null),
          }),
      },
      {
        label: 'Detach',
        calls: 'instanceDiskDetach',
        disabledReason: BOOT_DISK_STAYS,
      },
    ],
    ofOtherDisk: (disk) => {
      const { id, name } = disk
      const change = Boolean(instance.bootDiskId)
      return [
        ...snapshotActions(disk),
        ...changes(disk),
        {
          label: 'Set as boot disk',
          calls: 'instanceUpdate',
          disabledReason: bootDiskReason,
          onAction: () =>
            confirmAction({
              title: change ? 'Change boot disk' : 'Set boot disk',
              body: change ? (
                <>
                  <p>
                    Are you sure you want to change the boot disk to <Name>{name}</Name>?
                  </p>
                  <p className="mt-2">
                    The current boot disk will remain attached to the instance.
                  </p>
                </>
              ) : (
                <>
                  Are you sure you want to set <Name>{name}</Name> as the boot disk?
                </>
              ),
              errorTitle: `Could not ${change ? 'change' : 'set'} boot disk`,
              ...setBootDisk(id),
            }),
        },
        {
          label: 'Detach',
          calls: 'instanceDiskDetach',
          disabledReason: instanceCannot('detachDisk', instance.runState),
          onAction: () =>
            confirmAction({
              title: 'Detach disk',
              body: (
                <>
                  Are you sure you want to detach <Name>{name}</Name>?
                </>
              ),
              errorTitle: 'Could not detach disk',
              danger: true,
              ...detach({ ...args, body: { disk: name } }),
            }),
        },
      ]
    },
  }
}
