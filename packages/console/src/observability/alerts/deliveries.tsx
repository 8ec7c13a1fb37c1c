import type { DeliveryOfAlert } from '@steading/api/client'
import {
  type DeliveryState,
  deliveryStates,
  PROBE_ALERT_ID,
  WEBHOOK_ATTEMPTS_MAX,
} from '@steading/api/rules'
import { Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useLivePolling } from '../../data/live.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import { Card } from '../../ui/card.tsx'
import { CellButton } from '../../ui/cells.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { Listbox } from '../../ui/form/listbox-field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { CellLink } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyCell, Strong, Truncate } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { DeliveryStateBadge, outcomeOf, triggerLabels } from './delivery-state.tsx'
import { type DeliveriesOf, deliveriesQuery } from './queries.ts'

const DeliveryDetails = lazyPart(() => import('./delivery-details.tsx'))

const attemptsText = (number: number): string =>
  number === 0 ? 'None yet' : number === 1 ? '1 attempt' : `${number} attempts`

/** Number of attempts; a button that opens their list. */
function Attempts({ delivery }: { delivery: DeliveryOfAlert }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <CellButton onClick={() => setOpen(true)}>
        {attemptsText(delivery.attempts.webhook.length)}
      </CellButton>
      {open && (
        <DialogPart onDismiss={close}>
          <DeliveryDetails delivery={delivery} onDismiss={close} />
        </DialogPart>
      )}
    </>
  )
}

const common: Column<DeliveryOfAlert>[] = [
  {
    id: 'state',
    header: 'state',
    width: 120,
    phone: 'first',
    cell: ({ state }) => <DeliveryStateBadge state={state} />,
  },
  { id: 'reason', header: 'reason', width: 104, cell: ({ trigger }) => triggerLabels[trigger] },
  {
    id: 'attempts',
    header: 'attempts',
    width: 112,
    phone: 'second',
    labelled: true,
    cell: (delivery) => <Attempts delivery={delivery} />,
  },
  {
    id: 'outcome',
    header: 'last outcome',
    cell: ({ attempts }) => {
      const last = attempts.webhook.at(-1)
      return last ? <Truncate text={outcomeOf(last)} /> : <EmptyCell />
    },
  },
  {
    id: 'started',
    header: 'started',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ timeStarted }) => <DateTime date={timeStarted} />,
  },
]

const receiverColumn: Column<DeliveryOfAlert> = {
  id: 'receiver',
  header: 'receiver',
  width: 200,
  cell: ({ receiverName }) => (
    <CellLink to="/system/alert-receivers/$receiver" params={{ receiver: receiverName }}>
      {receiverName}
    </CellLink>
  ),
}

const alertColumn: Column<DeliveryOfAlert> = {
  id: 'alert',
  header: 'alert',
  width: 264,
  cell: ({ alertClass, alertId }) =>
    alertId === PROBE_ALERT_ID ? (
      alertClass
    ) : (
      <CellLink to="/system/alerts/$alert" params={{ alert: alertId }}>
        {alertClass}
      </CellLink>
    ),
}

const ofAlert = [receiverColumn, ...common]
const toReceiver = [alertColumn, ...common]

/** Actions on a delivery: sending its alert to its receiver again. */
function useDeliveryActions(): (delivery: DeliveryOfAlert) => MenuAction[] {
  const resend = useApiAction('alertDeliveryResend', {
    onSuccess: () => {
      addToast('The alert is sent again')
    },
  })
  return ({ alertId, alertClass, receiverName }) => [
    {
      label: 'Send again',
      calls: 'alertDeliveryResend',
      disabledReason: alertId === PROBE_ALERT_ID ? 'A probe is sent again as a new one' : undefined,
      onAction: () =>
        confirmAction({
          title: 'Send alert again',
          errorTitle: 'Could not send alert again',
          body: (
            <>
              The alert <Strong>{alertClass}</Strong> is delivered to{' '}
              <Strong>{receiverName}</Strong> once more.
            </>
          ),
          ...resend({ path: { alertId }, query: { receiver: receiverName } }),
        }),
    },
  ]
}

type StateChoice = DeliveryState | 'all'
const choices: { value: StateChoice; label: string }[] = [
  { value: 'all', label: 'All states' },
  ...deliveryStates.map((state) => ({
    value: state,
    label: state[0]!.toUpperCase() + state.slice(1),
  })),
]

/** The deliveries of an alert, or to a receiver. */
export function Deliveries({
  of,
  empty,
  action,
}: {
  of: DeliveriesOf
  /** Reason for an empty list. */
  empty: string
  action?: ReactNode
}) {
  const [state, setState] = useState<StateChoice>('all')
  const refetchInterval = useLivePolling(10_000)
  const { pagination, ...read } = usePages<DeliveryOfAlert>((token) => ({
    ...deliveriesQuery(of, state === 'all' ? undefined : state, token),
    refetchInterval,
  }))
  const actions = useDeliveryActions()
  return (
    <Card
      title="Deliveries"
      description={`Each is tried up to ${WEBHOOK_ATTEMPTS_MAX} times`}
      actions={
        <>
          <div className="w-32">
            <Listbox
              aria-label="State"
              options={choices}
              value={state}
              onChange={(value) => setState(value as StateChoice)}
            />
          </div>
          {action}
        </>
      }
    >
      <LoadedTable
        what="The deliveries"
        label="Deliveries"
        columns={'alert' in of ? ofAlert : toReceiver}
        read={read}
        actions={actions}
        skeletonRows={3}
        empty={{
          icon: Send,
          title: 'No deliveries',
          body: state === 'all' ? empty : 'None are in this state',
        }}
      />
      <Pagination {...pagination} />
    </Card>
  )
}
