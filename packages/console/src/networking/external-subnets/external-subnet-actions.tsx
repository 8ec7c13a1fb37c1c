import type { ExternalSubnet } from '@steading/api/client'
import { externalSubnetCannotDelete } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { undoable } from '../../workspace/deleted-resources/restorable.tsx'
import { PlannedChanges } from '../reachability/planned-changes.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Mono, Strong } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { showAtOnce } from './columns.tsx'

/** Detaches the subnet from its instance, after confirmation. */
export function useDetachExternalSubnet() {
  const detach = useApiAction('externalSubnetDetach', {
    onSuccess: ({ name }) => {
      doneToast('External subnet', name, 'detached')
    },
  })
  return ({ id, name }: ExternalSubnet, from: { words: string; instance?: string }) =>
    confirmAction({
      title: 'Detach external subnet',
      body: (
        <>
          Are you sure you want to detach external subnet <Strong>{name}</Strong>
          {from.instance && (
            <>
              {' '}
              {from.words} <Strong>{from.instance}</Strong>
            </>
          )}
          ?
        </>
      ),
      below: (
        <PlannedChanges change={{ body: { type: 'external_subnet_detach', externalSubnet: id } }} />
      ),
      errorTitle: 'Error detaching external subnet',
      danger: true,
      ...detach({ path: { externalSubnet: id } }),
    })
}

/** The row actions of an external subnet. */
export function useExternalSubnetActions(
  project: string,
  onAttach: (externalSubnet: ExternalSubnet) => void,
): (externalSubnet: ExternalSubnet) => MenuAction[] {
  const navigate = useNavigate()
  const instances = useQuery(projectInstancesQuery(project)).data?.items
  const detach = useDetachExternalSubnet()
  const remove = useDeleteAction('externalSubnetDelete', 'external subnet')
  return (externalSubnet) => {
    const { id, name, subnet, instanceId } = externalSubnet
    return [
      {
        label: 'Edit',
        calls: 'externalSubnetUpdate',
        onAction: () => {
          showAtOnce(project, externalSubnet)
          void navigate({
            to: '/projects/$project/external-subnets/$externalSubnet/edit',
            params: { project, externalSubnet: name },
          })
        },
      },
      instanceId
        ? {
            label: 'Detach',
            calls: 'externalSubnetDetach',
            onAction: () =>
              detach(externalSubnet, {
                words: 'from instance',
                instance: instances?.find(({ id }) => id === instanceId)?.name,
              }),
          }
        : {
            label: 'Attach',
            calls: 'externalSubnetAttach',
            onAction: () => onAttach(externalSubnet),
          },
      remove(
        name,
        { path: { externalSubnet: name }, query: { project } },
        {
          disabledReason: externalSubnetCannotDelete(instanceId),
          extra: (
            <>
              Its addresses <Mono>{subnet}</Mono> go back to the pool and can be given to another
              project.
            </>
          ),
          around: (confirmation) => undoable({ kind: 'external_subnet', id, name }, confirmation),
        },
      ),
    ]
  }
}
