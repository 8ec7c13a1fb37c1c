import type { Sled, SledDetails } from '@steading/api/client'
import { type ReactNode, Suspense } from 'react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { whenReread } from '../../data/api.ts'
import { useCapability, useEnginePart } from '../../data/capabilities.ts'
import { pathTo } from '../../data/addresses.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'

const ExpungeConsequences = lazyPart(() =>
  import('./expunge-consequences.tsx').then((module) => ({ default: module.ExpungeConsequences })),
)

const EXPUNGED = 'The sled is expunged'

/** Adds a toast to an action, shown on success. */
const withToast = <A extends { action: () => Promise<unknown> }>(act: A, content: ReactNode) => ({
  ...act,
  action: async () => {
    await act.action()
    addToast({ content })
  },
})

type AnySled = Sled & Partial<SledDetails>

/** The actions of operators on a sled. */
export function useSledActions(): (sled: AnySled) => MenuAction[] {
  const extended = useCapability('hardware')
  const simulated = useCapability('simulation')
  const hasMaintenance = useCapability('sledMaintenance')
  const hasReplicas = useEnginePart('replicas')
  const setPolicy = useApiAction('sledSetProvisionPolicy', { onSuccess: whenReread })
  const expunge = useApiAction('sledExpunge', { onSuccess: whenReread })
  const power = useApiAction('simulatedSledSetPower', { onSuccess: whenReread })
  return (sled) => {
    const { id, baseboard, policy } = sled
    const { serial } = baseboard
    const disabledReason = policy.kind === 'expunged' ? EXPUNGED : undefined
    const takesNew = policy.kind === 'in_service' && policy.provisionPolicy === 'provisionable'
    const actions: MenuAction[] = [
      takesNew || policy.kind === 'expunged'
        ? {
            label: 'Stop new instances',
            calls: 'sledSetProvisionPolicy',
            disabledReason,
            onAction: () =>
              confirmAction({
                title: 'Stop new instances',
                body: (
                  <>
                    No new instance will be placed on <Strong>{serial}</Strong>. Instances already
                    running on it stay there until they are stopped; when they are started again,
                    they go to other sleds.
                    {hasReplicas && ' Its disks keep storing replicas.'}
                  </>
                ),
                errorTitle: `Could not change ${serial}`,
                ...withToast(
                  setPolicy({ path: { sledId: id }, body: { state: 'non_provisionable' } }),
                  <>
                    No new instances on sled <b>{serial}</b>
                  </>,
                ),
              }),
          }
        : {
            label: 'Allow new instances',
            calls: 'sledSetProvisionPolicy',
            onAction: () =>
              confirmAction({
                title: 'Allow new instances',
                body: (
                  <>
                    New instances will be placed on <Strong>{serial}</Strong> again.
                    {sled.maintenance && ' Its maintenance ends.'}
                  </>
                ),
                errorTitle: `Could not change ${serial}`,
                ...withToast(
                  setPolicy({ path: { sledId: id }, body: { state: 'provisionable' } }),
                  <>
                    New instances are allowed on sled <b>{serial}</b>
                  </>,
                ),
              }),
          },
    ]
    if (hasMaintenance && policy.kind === 'in_service') {
      actions.unshift({
        label: 'Maintenance',
        local: true,
        href: pathTo('/system/inventory/sleds/$sledId/maintenance', { sledId: id }),
      })
    }
    if (simulated && sled.responding !== undefined && sled.state === 'active') {
      const on = !sled.responding
      actions.push({
        label: on ? 'Switch on' : 'Switch off',
        calls: 'simulatedSledSetPower',
        onAction: () =>
          confirmAction({
            title: on ? 'Switch sled on' : 'Switch sled off',
            body: on ? (
              <>
                The simulated sled <Strong>{serial}</Strong> will respond again.
              </>
            ) : (
              <>
                The simulated sled <Strong>{serial}</Strong> will stop responding, as if it had
                failed: its instances fail, and are restarted elsewhere if they may.
              </>
            ),
            errorTitle: `Could not switch ${serial}`,
            ...withToast(
              power({ path: { serial }, body: { on } }),
              <>
                Sled <b>{serial}</b> switched {on ? 'on' : 'off'}
              </>,
            ),
          }),
      })
    }
    if (extended) {
      actions.push({
        label: 'Expunge',
        danger: true,
        calls: 'sledExpunge',
        disabledReason,
        onAction: () =>
          confirmAction({
            title: 'Expunge sled',
            danger: true,
            body: (
              <Suspense fallback={<p className="text-secondary">Loading the consequences…</p>}>
                <ExpungeConsequences sledId={id} serial={serial} />
              </Suspense>
            ),
            errorTitle: `Could not expunge ${serial}`,
            ...withToast(
              expunge({ path: { sledId: id } }),
              <>
                Sled <b>{serial}</b> expunged
              </>,
            ),
          }),
      })
    }
    return actions
  }
}
