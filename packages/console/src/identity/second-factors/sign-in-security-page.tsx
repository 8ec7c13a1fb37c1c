import type { Passkey, SignInSecurity } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { apiQuery, refetchShown } from '../../data/api.ts'
import { useCurrentUser } from '../../data/session.ts'
import { LoadError } from '../../page/load-error.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardEmpty } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { Table } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Mono, Truncate } from '../../ui/text.tsx'
import { DateTime, TimeAgo } from '../../ui/time.tsx'
import { passkeyLack } from './factor-parts.tsx'
import type { FactorDialog } from './factor-dialogs.tsx'

const FactorDialogs = lazyPart(() =>
  import('./factor-dialogs.tsx').then((m) => ({ default: m.FactorDialogs })),
)

const columns: Column<Passkey>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ name, synced }) => (
      <span className="inline-flex max-w-full items-center gap-2">
        <Truncate text={name} className="font-medium" />
        {synced && <Tag>Synced</Tag>}
      </span>
    ),
  },
  {
    id: 'host',
    header: 'host',
    width: 200,
    phone: 'second',
    cell: ({ host }) => <Mono>{host}</Mono>,
  },
  {
    id: 'used',
    header: 'last used',
    width: 120,
    phone: 'second',
    labelled: true,
    cell: ({ timeLastUsed }) =>
      timeLastUsed && <TimeAgo date={timeLastUsed} caption="Last used" ago />,
  },
  {
    id: 'created',
    header: 'created',
    width: 176,
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
]

const policies: Record<SignInSecurity['policy'], string | undefined> = {
  optional: undefined,
  required: 'Your silo requires a second factor.',
  passkey: 'Your silo requires a passkey.',
}

const plus = <Plus size={16} strokeWidth={1.5} aria-hidden />

export function SignInSecurityPage() {
  const { data, error, refetch } = useQuery(apiQuery('signInSecurityView', {}))
  const { siloAdmin } = useCurrentUser()
  const [dialog, setDialog] = useState<FactorDialog>()
  const header = (
    <PageHeader title="Sign-in Security" icon={<ShieldCheck strokeWidth={1.5} aria-hidden />}>
      <DocsPopover
        topic="sign-in security"
        summary="A second factor protects you if somebody learns your password. A passkey is the safest one, and can replace the password."
      />
      <RefreshButton onRefresh={refetchShown} />
      {siloAdmin && data?.local && (
        <ActionButtons
          actions={[
            { label: 'Sign-in policy', local: true, onAction: () => setDialog({ type: 'policy' }) },
          ]}
        />
      )}
    </PageHeader>
  )
  if (error && !data) {
    return (
      <>
        {header}
        <LoadError what="The second factors" error={error} onRetry={refetch} />
      </>
    )
  }
  if (!data) return header
  if (!data.local) {
    return (
      <>
        {header}
        <p className="px-(--gutter) text-secondary">
          You sign in at an identity provider, which asks for second factors itself.
        </p>
      </>
    )
  }
  const lack = passkeyLack()
  const passkeyActions = (passkey: Passkey): MenuAction[] => [
    { label: 'Rename', local: true, onAction: () => setDialog({ type: 'rename', passkey }) },
    {
      label: 'Remove',
      local: true,
      danger: true,
      onAction: () => setDialog({ type: 'remove', passkey }),
    },
  ]
  return (
    <>
      {header}
      <div className="flex narrow-page flex-col gap-6 pb-6">
        {policies[data.policy] && (
          <Banner className="mx-(--gutter)">{policies[data.policy]}</Banner>
        )}
        <Card
          title="Passkeys"
          description="Sign in with your device or security key. Nothing to type, nothing to steal."
          actions={
            <Button
              icon={plus}
              disabledReason={lack}
              onClick={() => setDialog({ type: 'passkey' })}
            >
              Add passkey
            </Button>
          }
        >
          {data.passkeys.length === 0 ? (
            <CardEmpty title="No passkeys" body={lack} />
          ) : (
            <Table
              label="Passkeys"
              columns={columns}
              rows={data.passkeys}
              actions={passkeyActions}
            />
          )}
        </Card>
        <Card
          title="Authenticator app"
          description="A new code every half minute, from an app on your phone"
          actions={
            data.timeTotp ? (
              <ActionButtons
                about="Authenticator app"
                actions={[
                  { label: 'Replace', local: true, onAction: () => setDialog({ type: 'totp' }) },
                  {
                    label: 'Remove',
                    local: true,
                    danger: true,
                    onAction: () => setDialog({ type: 'remove' }),
                  },
                ]}
              />
            ) : (
              <Button icon={plus} onClick={() => setDialog({ type: 'totp' })}>
                Set up app
              </Button>
            )
          }
        >
          <CardBody>
            {data.timeTotp ? (
              <p>
                Set up on <DateTime date={data.timeTotp} />
              </p>
            ) : (
              <p className="text-secondary">Not set up</p>
            )}
          </CardBody>
        </Card>
        {(data.timeTotp !== null || data.passkeys.length > 0) && (
          <Card
            title="Recovery codes"
            description="For the day on which you have lost all of the above"
            actions={
              <Button
                icon={<KeyRound size={16} strokeWidth={1.5} aria-hidden />}
                onClick={() => setDialog({ type: 'codes' })}
              >
                New codes
              </Button>
            }
          >
            <CardBody>
              <p className={data.recoveryCodes < 3 ? 'text-amber-text' : undefined}>
                {data.recoveryCodes === 1
                  ? '1 unused code is left'
                  : `${data.recoveryCodes} unused codes are left`}
              </p>
            </CardBody>
          </Card>
        )}
      </div>
      <DialogPart onDismiss={() => setDialog(undefined)}>
        {dialog && (
          <FactorDialogs
            dialog={dialog}
            hasPassword={data.hasPassword}
            onDismiss={() => setDialog(undefined)}
          />
        )}
      </DialogPart>
    </>
  )
}
