import type { InstanceNetworkInterface } from '@steading/api/client'
import { instanceCannot, nicCannot, type InstanceState } from '@steading/api/rules'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { invalidate, useApiMutation, usePrefetchedQuery } from '../data/api.ts'
import { transitIpsOf } from '../network-interfaces/stacks.ts'
import { useQuickActions } from '../shell/quick-actions.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardEmpty } from '../ui/card.tsx'
import { confirmDelete } from '../ui/confirm.tsx'
import type { MenuAction } from '../ui/menu.tsx'
import { Table } from '../ui/table.tsx'
import { addToast, errorToast } from '../ui/toasts.tsx'
import { nicColumns } from './nic-columns.tsx'
import { instanceNicsQuery, useInstance, useInstanceParams } from './queries.ts'

const NicCreateForm = lazy(() => import('../network-interfaces/nic-create.tsx'))
const NicEditForm = lazy(() => import('../network-interfaces/nic-edit.tsx'))

type Nic = InstanceNetworkInterface
type Open = { kind: 'create' } | { kind: 'edit'; nic: Nic }

export function NicsCard() {
  const params = useInstanceParams()
  const { runState } = useInstance(params)
  const nics = usePrefetchedQuery(instanceNicsQuery(params)).data.items
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const actions = useNicActions(runState, nics, (nic) => setOpen({ kind: 'edit', nic }))
  const reason = instanceCannot('updateNic', runState)
  const add = useCallback(() => setOpen({ kind: 'create' }), [])
  useQuickActions(
    useMemo(
      () => (reason ? [] : [{ label: 'Add network interface', onAction: add }]),
      [reason, add],
    ),
  )
  return (
    <Card
      title="Network interfaces"
      actions={
        <Button size="sm" disabledReason={reason} onClick={add}>
          Add network interface
        </Button>
      }
    >
      <Table
        label="Network interfaces"
        columns={nicColumns}
        rows={nics}
        actions={actions}
        empty={
          <CardEmpty
            title="No network interfaces"
            body="Create a network interface to see it here"
          />
        }
      />
      <Suspense>
        {open?.kind === 'create' && <NicCreateForm params={params} onDismiss={close} />}
        {open?.kind === 'edit' && <NicEditForm nic={open.nic} onDismiss={close} />}
      </Suspense>
    </Card>
  )
}

function useNicActions(runState: InstanceState, nics: Nic[], onEdit: (nic: Nic) => void) {
  const { mutate: makePrimary } = useApiMutation('instanceNetworkInterfaceUpdate', {
    onSuccess: () => invalidate('instanceNetworkInterfaceList'),
    onError: ({ message }) => errorToast('Could not make interface primary', message),
  })
  const { mutateAsync: remove } = useApiMutation('instanceNetworkInterfaceDelete', {
    onSuccess: () => invalidate('instanceNetworkInterfaceList', 'instanceExternalIpList'),
  })
  return (nic: Nic): MenuAction[] => {
    const { id, name } = nic
    const cannot = (action: Parameters<typeof nicCannot>[0]) =>
      nicCannot(action, runState, { primary: nic.primary, others: nics.length > 1 })
    return [
      {
        label: 'Make primary',
        disabledReason: cannot('makePrimary'),
        onAction: () =>
          makePrimary({
            path: { interface: id },
            // What is left out would be cleared.
            body: { primary: true, transitIps: transitIpsOf(nic) },
          }),
      },
      { label: 'Edit', disabledReason: cannot('edit'), onAction: () => onEdit(nic) },
      {
        label: 'Delete',
        disabledReason: cannot('delete'),
        onAction: () =>
          confirmDelete({
            kind: 'network interface',
            name,
            action: async () => {
              await remove({ path: { interface: id } })
              addToast({
                content: (
                  <>
                    Network interface <b>{name}</b> deleted
                  </>
                ),
              })
            },
          }),
      },
    ]
  }
}
