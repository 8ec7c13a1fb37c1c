import type { FloatingIp } from '@steading/api/client'
import { floatingIpCannotDelete } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { undoable } from '../../workspace/deleted-resources/restorable.tsx'
import { INTERNET_END } from '../reachability/ends.ts'
import { PlannedChanges } from '../reachability/planned-changes.tsx'
import { useReachabilityTest } from '../reachability/test-action.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Mono, Strong } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { showAtOnce } from './columns.tsx'

type Confirmed = Pick<FloatingIp, 'id' | 'name' | 'ip'>

/** Detaches the address from its instance, after confirmation. */
export function useDetachFloatingIp() {
  const detach = useApiAction('floatingIpDetach', {
    onSuccess: ({ name }) => {
      doneToast('Floating IP', name, 'detached')
    },
  })
  return ({ id, name, ip }: Confirmed, instance?: string) =>
    confirmAction({
      title: 'Detach floating IP',
      body: (
        <>
          Are you sure you want to detach floating IP <Strong>{name}</Strong>
          {instance && (
            <>
              {' '}
              from instance <Strong>{instance}</Strong>
            </>
          )}
          ? The instance will no longer be reachable at <Mono>{ip}</Mono>.
        </>
      ),
      below: <PlannedChanges change={{ body: { type: 'floating_ip_detach', floatingIp: id } }} />,
      errorTitle: 'Error detaching floating IP',
      danger: true,
      ...detach({ path: { floatingIp: id } }),
    })
}

/** The row actions of a floating IP. */
export function useFloatingIpActions(
  project: string,
  onAttach: (floatingIp: FloatingIp) => void,
  onMove: (floatingIp: FloatingIp) => void,
): (floatingIp: FloatingIp) => MenuAction[] {
  const navigate = useNavigate()
  const instances = useQuery(projectInstancesQuery(project)).data?.items
  const detach = useDetachFloatingIp()
  const testReachability = useReachabilityTest(project)
  const remove = useDeleteAction('floatingIpDelete', 'floating IP')
  return (floatingIp) => {
    const { id, name, ip, instanceId } = floatingIp
    return [
      {
        label: 'Edit',
        calls: 'floatingIpUpdate',
        onAction: () => {
          showAtOnce(project, floatingIp)
          void navigate({
            to: '/projects/$project/floating-ips/$floatingIp/edit',
            params: { project, floatingIp: name },
          })
        },
      },
      ...(instanceId
        ? [
            { label: 'Move', calls: 'floatingIpAttach', onAction: () => onMove(floatingIp) },
            {
              label: 'Detach',
              calls: 'floatingIpDetach',
              onAction: () =>
                detach(floatingIp, instances?.find(({ id }) => id === instanceId)?.name),
            },
          ]
        : [{ label: 'Attach', calls: 'floatingIpAttach', onAction: () => onAttach(floatingIp) }]),
      ...testReachability({ from: INTERNET_END, to: ip }),
      remove(
        name,
        { path: { floatingIp: name }, query: { project } },
        {
          disabledReason: floatingIpCannotDelete(instanceId),
          extra: (
            <>
              Its address <Mono>{ip}</Mono> goes back to the pool and can be given to another
              project.
            </>
          ),
          around: (confirmation) => undoable({ kind: 'floating_ip', id, name }, confirmation),
        },
      ),
    ]
  }
}
