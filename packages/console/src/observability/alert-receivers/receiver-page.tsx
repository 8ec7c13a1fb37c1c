import { ResourceHeader } from '../../page/resource-header.tsx'
import type { AlertProbeResult, AlertReceiver, WebhookSecret } from '@steading/api/client'
import { classesOf } from '@steading/api/rules'
import { Outlet, useNavigate, useSearch } from '@tanstack/react-router'
import { KeyRound, Plus, Rss, Send, Webhook, X } from 'lucide-react'
import { useState } from 'react'
import { refetchShown, usePrefetchedQuery, whenReread } from '../../data/api.ts'
import { pathTo, samePage } from '../../data/addresses.ts'
import { createdColumn } from '../../page/columns.tsx'
import { type Create, CreateButton } from '../../page/create-action.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { ActionButtons, ActionMenu } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ListPlusCell } from '../../ui/cells.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import { CopyableId } from '../../ui/copy-button.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { QueryTabs } from '../../ui/tabs.tsx'
import { Mono } from '../../ui/text.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { Deliveries } from '../alerts/deliveries.tsx'
import { outcomeOf } from '../alerts/delivery-state.tsx'
import { receiverQuery, useReceiverParam } from './queries.ts'
import { useReceiverActions } from './receiver-actions.tsx'
import { VerifyCard } from './verify-card.tsx'

const receiverDocs = {
  topic: 'receivers',
  summary:
    'A receiver gets the alerts that it subscribes to, as requests to its URL. Each is signed with its secrets, and tried again if it is not answered with a status of 2xx.',
}

const ProbeForm = lazyPart(() => import('./probe-form.tsx'))

const NO_SECRETS = 'The receiver has no secrets to sign a probe with'

/** Result of the last probe sent from this page. */
function Probed({ result, onDismiss }: { result: AlertProbeResult; onDismiss: () => void }) {
  const { probe, resendsStarted } = result
  const delivered = probe.state === 'delivered'
  const [attempt] = probe.attempts.webhook
  const again =
    resendsStarted === 1
      ? 'One failed alert is sent again.'
      : resendsStarted
        ? `${resendsStarted} failed alerts are sent again.`
        : undefined
  return (
    <Banner
      variant={delivered ? 'success' : 'error'}
      title={delivered ? 'The probe was delivered' : 'The probe was not delivered'}
      action={
        <IconButton
          label="Dismiss"
          size="sm"
          onClick={onDismiss}
          icon={<X size={14} strokeWidth={1.5} aria-hidden />}
        />
      }
    >
      {attempt && `${outcomeOf(attempt)}.`} {again}
    </Banner>
  )
}

const secretColumns: Column<WebhookSecret>[] = [
  { id: 'id', header: 'ID', cell: ({ id }) => <CopyableId id={id} /> },
  { ...createdColumn, sort: undefined, phone: 'second' },
]

function Secrets({ receiver }: { receiver: AlertReceiver }) {
  const remove = useApiAction('webhookSecretsDelete', { onSuccess: whenReread })
  const { secrets } = receiver.kind
  const last = secrets.length === 1
  const create: Create = {
    label: 'Add secret',
    icon: Plus,
    variant: 'secondary',
    calls: 'webhookSecretsAdd',
    path: pathTo('/system/alert-receivers/$receiver/secrets-add', { receiver: receiver.name }),
  }
  const actions = ({ id }: WebhookSecret): MenuAction[] => [
    {
      label: 'Remove',
      calls: 'webhookSecretsDelete',
      danger: true,
      onAction: () =>
        confirmAction({
          title: 'Remove secret',
          errorTitle: 'Could not remove secret',
          danger: true,
          body: last
            ? 'It is the only secret. Nothing is delivered to the receiver until another one is added.'
            : 'Deliveries are no longer signed with it.',
          ...remove({ path: { secretId: id } }),
        }),
    },
  ]
  return (
    <Card
      title="Secrets"
      description="Each delivery is signed with all of them"
      actions={<CreateButton {...create} />}
    >
      <LoadedTable
        what="The secrets"
        label="Secrets"
        columns={secretColumns}
        read={{ rows: secrets, error: null, refetch: refetchShown }}
        actions={actions}
        empty={{
          icon: KeyRound,
          title: 'No secrets',
          body: 'Nothing is delivered until a secret is added',
        }}
      />
    </Card>
  )
}

type Subscription = { id: string }

const subscriptionColumns: Column<Subscription>[] = [
  { id: 'class', header: 'class', cell: ({ id }) => <Mono>{id}</Mono> },
  {
    id: 'matches',
    header: 'matches now',
    phone: 'second',
    labelled: true,
    cell: ({ id }) => {
      const classes = classesOf(id)
      return classes.length > 0 ? (
        <ListPlusCell
          title="Classes"
          items={classes.map((text) => ({ text, content: <Mono>{text}</Mono> }))}
        />
      ) : (
        'No class yet'
      )
    },
  },
]

function Subscriptions({ receiver }: { receiver: AlertReceiver }) {
  const remove = useApiAction('alertReceiverSubscriptionRemove', { onSuccess: whenReread })
  const create: Create = {
    label: 'Add subscription',
    icon: Plus,
    variant: 'secondary',
    calls: 'alertReceiverSubscriptionAdd',
    path: pathTo('/system/alert-receivers/$receiver/subscriptions-add', {
      receiver: receiver.name,
    }),
  }
  const actions = ({ id }: Subscription): MenuAction[] => [
    {
      label: 'Remove',
      calls: 'alertReceiverSubscriptionRemove',
      danger: true,
      onAction: () =>
        confirmAction({
          title: 'Remove subscription',
          errorTitle: 'Could not remove subscription',
          danger: true,
          body: (
            <>
              New alerts that only <Mono>{id}</Mono> matches are not delivered to this receiver any
              more.
            </>
          ),
          ...remove({ path: { receiver: receiver.name, subscription: id } }),
        }),
    },
  ]
  return (
    <Card
      title="Subscriptions"
      description="The classes of alerts that are delivered"
      actions={<CreateButton {...create} />}
    >
      <LoadedTable
        what="The subscriptions"
        label="Subscriptions"
        columns={subscriptionColumns}
        read={{
          rows: receiver.subscriptions.map((id) => ({ id })),
          error: null,
          refetch: refetchShown,
        }}
        actions={actions}
        copyIdLabel="Copy class"
        empty={{
          icon: Rss,
          title: 'No subscriptions',
          body: 'No alerts are delivered until a subscription is added',
        }}
      />
    </Card>
  )
}

export function ReceiverPage() {
  const selector = useReceiverParam()
  const { data: receiver } = usePrefetchedQuery(receiverQuery(selector))
  const { tab } = useSearch({
    from: '/shell/system/alert-receivers-crumb/system/alert-receivers/$receiver',
  })
  const navigate = useNavigate()
  const star = useStarAction('alert_receiver')
  const history = useHistoryAction('alert_receiver')
  const who = useWhoCan('alert_receiver', undefined)
  const [probing, setProbing] = useState(false)
  const [probed, setProbed] = useState<AlertProbeResult>()
  const actions = useReceiverActions(() => navigate({ to: '/system/alert-receivers' }))
  return (
    <>
      <ResourceHeader
        title={receiver.name}
        icon={<Webhook strokeWidth={1.5} aria-hidden />}
        kind="alert_receiver"
        thing={receiver}
      >
        <DocsPopover {...receiverDocs} />
        <RefreshButton onRefresh={refetchShown} />
        <ActionButtons
          actions={[
            {
              label: 'Send probe',
              icon: <Send size={16} strokeWidth={1.5} aria-hidden />,
              calls: 'alertReceiverProbe',
              disabledReason: receiver.kind.secrets.length === 0 && NO_SECRETS,
              onAction: () => setProbing(true),
            },
          ]}
        />
        <ActionMenu
          label="Receiver actions"
          actions={[
            copyAction('Copy ID', receiver.id),
            ...star(receiver),
            ...history(receiver),
            ...who(receiver),
            ...actions(receiver),
          ]}
        />
      </ResourceHeader>
      <div className="flex flex-col gap-4 px-(--gutter) pb-6">
        {receiver.kind.secrets.length === 0 && (
          <Banner variant="notice" title="No secrets">
            Nothing is delivered to this receiver until a secret is added.
          </Banner>
        )}
        {/* Present before the result, so that screen readers announce the change. */}
        <div role="status" className="empty:hidden">
          {probed && <Probed result={probed} onDismiss={() => setProbed(undefined)} />}
        </div>
        <PropertiesTable columns={2}>
          <PropertiesTable.IdRow id={receiver.id} />
          <PropertiesTable.DescriptionRow description={receiver.description} />
          <PropertiesTable.CopyRow label="URL" text={receiver.kind.endpoint} />
          <PropertiesTable.DateRow label="Created" date={receiver.timeCreated} />
        </PropertiesTable>
      </div>
      <QueryTabs
        label="Receiver"
        panelClass="flex flex-col gap-6 py-6"
        selected={tab ?? 'deliveries'}
        onSelect={(id) =>
          void navigate({
            ...samePage({ tab: id === 'deliveries' ? undefined : id }),
            replace: true,
          })
        }
        tabs={[
          {
            id: 'deliveries',
            label: 'Deliveries',
            content: (
              <Deliveries
                of={{ receiver: receiver.id }}
                empty="Nothing has been delivered to this receiver yet"
              />
            ),
          },
          {
            id: 'subscriptions',
            label: 'Subscriptions',
            content: <Subscriptions receiver={receiver} />,
          },
          {
            id: 'secrets',
            label: 'Secrets',
            content: (
              <>
                <Secrets receiver={receiver} />
                <VerifyCard />
              </>
            ),
          },
        ]}
      />
      {probing && (
        <DialogPart onDismiss={() => setProbing(false)}>
          <ProbeForm
            receiver={receiver.name}
            onDismiss={() => setProbing(false)}
            onProbed={setProbed}
          />
        </DialogPart>
      )}
      <Outlet />
    </>
  )
}
