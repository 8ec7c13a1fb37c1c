import type { Sled, SledDetails } from '@steading/api/client'
import { useApiAction } from '../as-code/as-code.tsx'
import { invalidate } from '../data/api.ts'
import { useCapability } from '../data/capabilities.ts'
import { confirmAction } from '../ui/confirm.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { Strong } from '../ui/text.tsx'
import { addToast } from '../ui/toasts.tsx'
import { ExpungeConsequences } from './expunge-consequences.tsx'

export const sledsChanged = () =>
  invalidate(
    'sledList',
    'sledView',
    'sledDetailsView',
    'sledInstanceList',
    'physicalDiskList',
    'sledPhysicalDiskList',
  )

const EXPUNGED = 'The sled is expunged'

type AnySled = Sled & Partial<SledDetails>

/** What operators can do with a sled. */
export function useSledActions(): (sled: AnySled) => MenuAction[] {
  const extended = useCapability('hardware')
  const simulated = useCapability('simulation')
  const setPolicy = useApiAction('sledSetProvisionPolicy', { onSuccess: sledsChanged })
  const expunge = useApiAction('sledExpunge', { onSuccess: sledsChanged })
  const power = useApiAction('simulatedSledSetPower', { onSuccess: sledsChanged })
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
                    No new instance will be placed on <Strong>{serial}</Strong>. Those that run on
                    it stay there until they are stopped.
                  </>
                ),
                errorTitle: `Could not change ${serial}`,
                ...setPolicy({ path: { sledId: id }, body: { state: 'non_provisionable' } }),
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
                  </>
                ),
                errorTitle: `Could not change ${serial}`,
                ...setPolicy({ path: { sledId: id }, body: { state: 'provisionable' } }),
              }),
          },
    ]
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
            ...power({ path: { serial }, body: { on } }),
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
            body: <ExpungeConsequences sledId={id} serial={serial} />,
            errorTitle: `Could not expunge ${serial}`,
            ...expunge({ path: { sledId: id } }),
            action: async () => {
              await expunge({ path: { sledId: id } }).action()
              addToast({
                content: (
                  <>
                    Sled <b>{serial}</b> expunged
                  </>
                ),
              })
            },
          }),
      })
    }
    return actions
  }
}
