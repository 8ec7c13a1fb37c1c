import type { Instance } from '@steading/api/client'
import { instanceCannot } from '@steading/api/rules'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { queryClient, whenReread } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import { instanceEnd } from '../../networking/reachability/ends.ts'
import { useReachabilityTest } from '../../networking/reachability/test-action.ts'
import { pathTo } from '../../data/addresses.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { addToast } from '../../ui/toasts.tsx'
import { InstanceName, useStartInstance } from './start-instance.tsx'
import {
  instanceQuery,
  markInstanceDeleting,
  showInstance,
  unmarkInstanceDeleting,
} from './queries.ts'

const STOPPED = 'It keeps its disks and IP addresses. Its CPU and memory are released.'

type Options = {
  project: string
  onResize: (instance: Instance) => void
  /** Called after deletion, to leave the page of the instance. */
  onDeleted?: () => Promise<unknown>
}

export type InstanceActions = Record<
  'start' | 'stop' | 'reboot' | 'resize' | 'serialConsole' | 'delete',
  MenuAction
> &
  Record<'copy' | 'testReachability', MenuAction[]>

/** The actions of an instance, in its row and on its page. */
export function useInstanceActions(options: Options): (instance: Instance) => InstanceActions {
  const { project, onResize, onDeleted } = options
  const show = (instance: Instance) => showInstance(project, instance)
  const start = useStartInstance(project)
  const stop = useApiAction('instanceStop', { onSuccess: show })
  const reboot = useApiAction('instanceReboot', { onSuccess: show })
  const remove = useApiAction('instanceDelete')
  const deletion = useDeletion()
  const testReachability = useReachabilityTest(project)
  const clones = useCapability('instanceClones')
  const templates = useCapability('instanceTemplates')

  return (instance) => {
    const { name, runState } = instance
    const params = { project, instance: name }
    const args = { path: { instance: name }, query: { project } }
    const said = (doing: string) =>
      addToast({
        content: (
          <>
            {doing} instance <b>{name}</b>
          </>
        ),
      })
    return {
      start: start(instance),
      stop: {
        label: 'Stop',
        calls: 'instanceStop',
        consequence: STOPPED,
        disabledReason: instanceCannot('stop', runState),
        onAction: () =>
          confirmAction({
            title: 'Stop instance',
            body: (
              <>
                <p>
                  Are you sure you want to stop <InstanceName>{name}</InstanceName>?
                </p>
                <p className="mt-2">{STOPPED}</p>
              </>
            ),
            errorTitle: `Error stopping ${name}`,
            danger: true,
            code: stop(args).code,
            action: async () => {
              await stop(args).action()
              said('Stopping')
            },
          }),
      },
      reboot: {
        label: 'Reboot',
        calls: 'instanceReboot',
        disabledReason: instanceCannot('reboot', runState),
        onAction: () =>
          confirmAction({
            title: 'Reboot instance',
            body: (
              <>
                Are you sure you want to reboot <InstanceName>{name}</InstanceName>?
              </>
            ),
            errorTitle: `Error rebooting ${name}`,
            danger: true,
            code: reboot(args).code,
            action: async () => {
              await reboot(args).action()
              said('Rebooting')
            },
          }),
      },
      resize: {
        label: 'Resize',
        calls: 'instanceUpdate',
        disabledReason: instanceCannot('resize', runState),
        onAction: () => onResize(instance),
      },
      copy: [
        clones && {
          label: 'Clone',
          href: pathTo('/projects/$project/instances/$instance/clone', params),
        },
        templates && {
          label: 'Save as template',
          href: `${pathTo('/projects/$project/instance-templates-new', params)}?from=${name}`,
        },
      ].filter((action) => action !== false),
      serialConsole: {
        label: 'View serial console',
        href: pathTo('/projects/$project/instances/$instance/serial-console', params),
      },
      testReachability: testReachability({ to: instanceEnd(name) }),
      delete: deletion({
        kind: 'instance',
        id: instance.id,
        name,
        project,
        cannot: instanceCannot('delete', runState),
        extra: 'Any attached disks will be detached but not deleted.',
        code: remove(args).code,
        leaveTo: onDeleted && pathTo('/projects/$project/instances', { project }),
        action: async () => {
          markInstanceDeleting(params)
          try {
            await remove(args).action()
            said('Deleting')
            await onDeleted?.()
            queryClient.removeQueries({ queryKey: instanceQuery(params).queryKey })
            // The row is not refetched until the instance is deleted.
            await whenReread()
          } finally {
            unmarkInstanceDeleting(params)
          }
        },
      }),
    }
  }
}
