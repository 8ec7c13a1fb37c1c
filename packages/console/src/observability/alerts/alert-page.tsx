import { ResourceHeader } from '../../page/resource-header.tsx'
import { toWire } from '@steading/api/client'
import { alertClasses, isAlertClass } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { BellRing, Send } from 'lucide-react'
import { useState } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { ActionButtons, ActionMenu } from '../../ui/action-buttons.tsx'
import { Card } from '../../ui/card.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { copyAction } from '../../ui/menu-action.ts'
import { RefreshButton } from '../../ui/page-header.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Deliveries } from './deliveries.tsx'
import { alertQuery } from './queries.ts'

const SendForm = lazyPart(() => import('./send-form.tsx'))

export function AlertPage() {
  const { alert: id } = useParams({ from: '/shell/system/alerts-crumb/system/alerts/$alert' })
  const { data: alert } = usePrefetchedQuery(alertQuery(id))
  const [sending, setSending] = useState(false)
  const hasDeliveries = useCapability('lists')
  const star = useStarAction('alert')
  const history = useHistoryAction('alert')
  const named = { id, name: alert.class }
  // Receivers get the wire format, which the client has converted.
  const payload = JSON.stringify(toWire(alert.alert), null, 2)
  return (
    <>
      <ResourceHeader
        title={alert.class}
        icon={<BellRing strokeWidth={1.5} aria-hidden />}
        kind="alert"
        thing={named}
      >
        <RefreshButton onRefresh={refetchShown} />
        <ActionMenu
          label="Alert actions"
          actions={[
            copyAction('Copy ID', id),
            copyAction('Copy payload', payload),
            ...star(named),
            ...history(named),
          ]}
        />
      </ResourceHeader>
      <div className="px-(--gutter) pb-6">
        <PropertiesTable columns={2}>
          <PropertiesTable.IdRow id={id} />
          <PropertiesTable.DateRow label="Raised" date={alert.timeCreated} />
          <PropertiesTable.DescriptionRow
            description={isAlertClass(alert.class) ? alertClasses[alert.class] : ''}
          />
          <PropertiesTable.Row label="Version">{alert.version}</PropertiesTable.Row>
        </PropertiesTable>
      </div>
      <div className="flex flex-col gap-6 pb-6">
        <Card title="Payload" description="Data sent to receivers">
          <pre
            // A scrollable element must be reachable by keyboard.
            // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            role="group"
            aria-label="Payload"
            className="focus-inset overflow-x-auto bg-sunken p-4 font-mono text-xs/5"
          >
            {payload}
          </pre>
        </Card>
        {hasDeliveries && (
          <Deliveries
            of={{ alert: id }}
            empty="No receiver subscribed to this class when the alert was raised"
            action={
              <ActionButtons
                actions={[
                  {
                    label: 'Send to receiver',
                    icon: <Send size={16} strokeWidth={1.5} aria-hidden />,
                    calls: 'alertDeliveryResend',
                    onAction: () => setSending(true),
                  },
                ]}
              />
            }
          />
        )}
      </div>
      {sending && (
        <DialogPart onDismiss={() => setSending(false)}>
          <SendForm alert={alert} onDismiss={() => setSending(false)} />
        </DialogPart>
      )}
    </>
  )
}
