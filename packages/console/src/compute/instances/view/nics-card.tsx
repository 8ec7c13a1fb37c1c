import type { InstanceNetworkInterface } from '@steading/api/client'
import { instanceCannot, nicCannot, type InstanceState } from '@steading/api/rules'
import { useMemo, useState } from 'react'
import { useApiAction } from '../../../workspace/as-code/as-code.tsx'
import { useReplacingAction } from '../../../workspace/as-code/replacing-action.ts'
import { apiQuery, usePrefetchedQuery, whenReread } from '../../../data/api.ts'
import {
  instanceNicsQuery,
  useInstance,
  useInstanceParams,
  type InstanceParams,
} from '../queries.ts'
import { transitIpsOf } from '../../../networking/network-interfaces/stacks.ts'
import { instanceEnd } from '../../../networking/reachability/ends.ts'
import { PlannedChanges } from '../../../networking/reachability/planned-changes.tsx'
import { useReachabilityTest } from '../../../networking/reachability/test-action.ts'
import { ActionButtons } from '../../../ui/action-buttons.tsx'
import { Card, CardEmpty } from '../../../ui/card.tsx'
import { confirmDelete, showCode } from '../../../ui/confirm.tsx'
import { DialogPart } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import type { MenuAction } from '../../../ui/menu-action.ts'
import { Table } from '../../../ui/table.tsx'
import { doneToast, errorToast } from '../../../ui/toasts.tsx'
import { nicColumns } from './nic-columns.tsx'

const NicCreateForm = lazyPart(
  () => import('../../../networking/network-interfaces/nic-create.tsx'),
)
const NicEditForm = lazyPart(() => import('../../../networking/network-interfaces/nic-edit.tsx'))

type Nic = InstanceNetworkInterface
type Open = { kind: 'create' } | { kind: 'edit'; nic: Nic }

export function NicsCard() {
  const params = useInstanceParams()
  const { runState } = useInstance(params)
  const nics = usePrefetchedQuery(instanceNicsQuery(params)).data.items
  const columns = useMemo(() => nicColumns(params.project), [params.project])
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const actions = useNicActions(params, runState, nics, (nic) => setOpen({ kind: 'edit', nic }))
  return (
    <Card
      title="Network interfaces"
      actions={
        <ActionButtons
          size="sm"
          actions={[
            {
              label: 'Add network interface',
              calls: 'instanceNetworkInterfaceCreate',
              disabledReason: instanceCannot('updateNic', runState),
              onAction: () => setOpen({ kind: 'create' }),
            },
          ]}
        />
      }
    >
      <Table
        label="Network interfaces"
        columns={columns}
        rows={nics}
        actions={actions}
        empty={
          <CardEmpty
            title="No network interfaces"
            body="Create a network interface to see it here"
          />
        }
      />
      <DialogPart onDismiss={close}>
        {open?.kind === 'create' && <NicCreateForm params={params} onDismiss={close} />}
        {open?.kind === 'edit' && <NicEditForm nic={open.nic} onDismiss={close} />}
      </DialogPart>
    </Card>
  )
}

function useNicActions(
  { project, instance }: InstanceParams,
  runState: InstanceState,
  nics: Nic[],
  onEdit: (nic: Nic) => void,
) {
  const testReachability = useReachabilityTest(project)
  const makePrimary = useReplacingAction('instanceNetworkInterfaceUpdate', whenReread)
  const deletion = useApiAction('instanceNetworkInterfaceDelete', {
    onSuccess: whenReread,
  })
  return (nic: Nic): MenuAction[] => {
    const { id, name } = nic
    const cannot = (action: Parameters<typeof nicCannot>[0]) =>
      nicCannot(action, runState, { primary: nic.primary, others: nics.length > 1 })
    const primary = makePrimary(
      {
        path: { interface: id },
        // Omitted properties would be cleared.
        body: { primary: true, transitIps: transitIpsOf(nic) },
      },
      { shown: nic, read: apiQuery('instanceNetworkInterfaceView', { path: { interface: id } }) },
    )
    const { action: remove, code } = deletion({ path: { interface: id } })
    return [
      {
        label: 'Make primary',
        calls: 'instanceNetworkInterfaceUpdate',
        disabledReason: cannot('makePrimary'),
        onAction: () =>
          void primary
            .action()
            .catch(({ message }: Error) => errorToast('Could not make interface primary', message)),
      },
      {
        label: 'Show as code',
        local: true,
        disabledReason: cannot('makePrimary'),
        onAction: () => showCode({ title: `Make ${name} primary`, code: primary.code }),
      },
      {
        label: 'Edit',
        calls: 'instanceNetworkInterfaceUpdate',
        disabledReason: cannot('edit'),
        onAction: () => onEdit(nic),
      },
      ...testReachability({ to: instanceEnd(instance, name) }),
      {
        label: 'Delete',
        calls: 'instanceNetworkInterfaceDelete',
        danger: true,
        disabledReason: cannot('delete'),
        onAction: () =>
          confirmDelete({
            kind: 'network interface',
            name,
            below: (
              <PlannedChanges
                change={{ body: { type: 'network_interface_delete', interface: nic.id } }}
              />
            ),
            code,
            action: async () => {
              await remove()
              doneToast('Network interface', name, 'deleted')
            },
          }),
      },
    ]
  }
}
