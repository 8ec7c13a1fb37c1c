import type { InternetGateway } from '@steading/api/client'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import { PlannedChanges } from '../reachability/planned-changes.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import type { VpcParams } from '../vpcs/queries.ts'
import { doneToast } from '../../ui/toasts.tsx'

/** The pending attachment of a pool or an address to a gateway. */
export type PendingAttachment = { what: 'pool' | 'address'; gateway: string }

/** The row actions of a gateway. */
export function useGatewayActions(
  { project, vpc }: VpcParams,
  onAttach: (attaching: PendingAttachment) => void,
): (gateway: InternetGateway) => MenuAction[] {
  const deletion = useDeletion()
  const remove = useApiAction('internetGatewayDelete')
  return ({ id, name }) => {
    const { action, code } = remove({
      path: { gateway: name },
      // The dialog mentions the routes deleted by the cascade.
      query: { project, vpc, cascade: true },
    })
    return [
      {
        label: 'Attach IP pool',
        calls: 'internetGatewayIpPoolCreate',
        onAction: () => onAttach({ what: 'pool', gateway: name }),
      },
      {
        label: 'Attach IP address',
        calls: 'internetGatewayIpAddressCreate',
        onAction: () => onAttach({ what: 'address', gateway: name }),
      },
      deletion({
        kind: 'internet_gateway',
        noun: 'internet gateway',
        id,
        name,
        project,
        calls: 'internetGatewayDelete',
        extra: 'Routes that lead to it are deleted as well.',
        below: (
          <PlannedChanges
            change={{ query: { gateway: id }, body: { type: 'internet_gateway_delete' } }}
          />
        ),
        code,
        action: async () => {
          await action()
          doneToast('Internet gateway', name, 'deleted')
        },
      }),
    ]
  }
}
