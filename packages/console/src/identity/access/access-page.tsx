import { FLEET_ID, type KindName } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Plus, ShieldCheck } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { refetchShown } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useCurrentUser } from '../../data/session.ts'
import { projectQuery } from '../../page/parent-routes.ts'
import { siloQuery } from '../../tenancy/silos/queries.ts'
import { LoadError, RoleNotice } from '../../page/load-error.tsx'
import { QueryError } from '../../page/query-error.tsx'
import { pathTo } from '../../data/addresses.ts'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/column.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useShortcuts } from '../../ui/keyboard/use-shortcut.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { useRefusalReason } from '../../ui/server-state.ts'
import { Table } from '../../ui/table.tsx'
import { addToast, errorToast } from '../../ui/toasts.tsx'
import { useVersions } from '../../workspace/setting-versions/use-versions.tsx'
import { askAccess, whoCan } from '../../workspace/who-can/ask-access.ts'
import { useInvite } from '../users/use-invite.tsx'
import { useHasPeoplePages } from './names.ts'
import { type PolicyPlace, type Policy, policyUpdateOf, type Role } from './policies.ts'
import type { AccessRow } from './rows.ts'
import { useRemoval } from './use-removal.tsx'

const AddForm = lazyPart(() => import('./role-forms.tsx').then((m) => ({ default: m.AddForm })))
const EditForm = lazyPart(() => import('./role-forms.tsx').then((m) => ({ default: m.EditForm })))

type AccessPageProps<Row extends AccessRow> = {
  title: string
  place: PolicyPlace
  docs?: Omit<ComponentProps<typeof DocsPopover>, 'topic'>
  /** The policy to edit. */
  policy: Policy | undefined
  rows: Row[] | undefined
  error: unknown
  refetch: () => Promise<unknown>
  columns: Column<Row>[]
  empty: { title: string; body: string; action: string }
  /** The kind for "Who can…". */
  kind: KindName
  /** Messages after a role was assigned or changed. */
  toasts?: { added: string; changed: string }
  /** A tab of a page, which has its own heading. */
  isTab?: boolean
  /** Actions of rows other than assignments. */
  otherActions?: (row: Row) => MenuAction[] | undefined
}

/** The owner of a policy; undefined while it is loading. */
function useSubject(place: PolicyPlace): { id: string; name?: string } | undefined {
  const { siloId, siloName } = useCurrentUser()
  const project = place.level === 'project' ? place.project : undefined
  const silo = place.level === 'silo' ? place.silo : undefined
  const read = useQuery({ ...projectQuery(project ?? ''), enabled: project !== undefined })
  const other = useQuery({ ...siloQuery(silo ?? ''), enabled: silo !== undefined })
  if (place.level === 'fleet') return { id: FLEET_ID }
  if (project !== undefined) return read.data
  return silo === undefined ? { id: siloId, name: siloName } : other.data
}

/** A page of role assignments: on the fleet, the silo, or a project. */
export function AccessPage<Row extends AccessRow>(props: AccessPageProps<Row>) {
  const { title, place, docs, policy, rows, error, refetch, columns, empty, kind, toasts } = props
  const { isTab = false, otherActions } = props
  const { level } = place
  const calls = policyUpdateOf(place)
  const project = place.level === 'project' ? place.project : undefined
  // "Who can…" covers only the user's own silo.
  const isOwn = !(place.level === 'silo' && place.silo)
  const supported = useCapability('access') && isOwn
  const hasPages = useHasPeoplePages() && isOwn
  const [open, setOpen] = useState<'add' | { who: AccessRow; role: Role }>()
  const close = () => setOpen(undefined)
  const remove = useRemoval(place)
  const invite = useInvite({
    ...(project === undefined ? {} : { project }),
    ...(place.level === 'silo' && place.silo ? { silo: place.silo } : {}),
  })
  const invitations = level === 'fleet' ? [] : invite
  const versions = useVersions(`${level}_policy`, useSubject(place))
  const forbidden = useRefusalReason()(calls)
  const add: MenuAction = {
    label: 'Add user or group',
    icon: <Plus size={16} strokeWidth={1.5} aria-hidden />,
    calls,
    disabledReason: !policy && 'The policy could not be read',
    onAction: () => setOpen('add'),
  }
  useShortcuts({
    create() {
      if (forbidden) errorToast(add.label, forbidden)
      else if (policy) setOpen('add')
    },
  })
  const actionsOf = (row: Row): MenuAction[] => {
    const others = otherActions?.(row)
    if (others) return others
    const { id, name, type, resolved, roles } = row
    const role = roles.find((one) => one.level === level)?.role
    const view = {
      label: 'View access',
      local: true,
      onAction: () => askAccess({ of: 'user', id, name, project }),
    }
    const isUser = type === 'silo_user'
    const page: MenuAction = {
      label: isUser ? 'View user' : 'View group',
      href: isUser ? pathTo('/users/$user', { user: id }) : pathTo('/groups/$group', { group: id }),
    }
    return [
      ...(supported && resolved && isUser ? [view] : []),
      ...(hasPages && resolved ? [page] : []),
      {
        label: 'Change role',
        calls,
        disabledReason: !role && "You don't have permission to change this user's role",
        onAction: () => setOpen({ who: row, role: role! }),
      },
      {
        label: 'Delete',
        danger: true,
        calls,
        disabledReason: !role && "You don't have permission to delete this user",
        onAction: () => remove(policy!, row, role!),
      },
    ]
  }
  return (
    <>
      {isTab ? (
        <div className="flex justify-end gap-2 px-(--gutter) pb-4">
          <ActionButtons actions={[...versions.actions, ...invitations, add]} />
        </div>
      ) : (
        <PageHeader title={title} icon={<ShieldCheck strokeWidth={1.5} aria-hidden />}>
          {docs && <DocsPopover topic="access" {...docs} />}
          <RefreshButton onRefresh={refetchShown} />
          <ActionButtons actions={versions.actions} />
          {supported && (
            <ActionButtons actions={[whoCan({ of: 'thing', kind, name: project, project })]} />
          )}
          <ActionButtons actions={invitations} />
          <ActionButtons variant="primary" actions={[add]} />
        </PageHeader>
      )}
      {rows && <QueryError error={error as Error | null} onRetry={refetch} />}
      {error && !rows ? (
        <LoadError what="The policy" error={error} onRetry={refetch}>
          <RoleNotice error={error} />
        </LoadError>
      ) : (
        <Table
          label={title}
          columns={columns}
          rows={rows}
          rowKey={({ id, name }) => id || name}
          actions={actionsOf}
          empty={
            <EmptyState
              icon={<ShieldCheck size={20} strokeWidth={1.5} aria-hidden />}
              title={empty.title}
              body={empty.body}
              action={
                <Button variant="primary" sends calls={calls} onClick={add.onAction}>
                  {empty.action}
                </Button>
              }
            />
          }
        />
      )}
      {versions.panel}
      <DialogPart onDismiss={close}>
        {policy && open === 'add' && (
          <AddForm
            place={place}
            policy={policy}
            onDismiss={close}
            onDone={() => toasts && addToast(toasts.added)}
          />
        )}
        {policy && typeof open === 'object' && (
          <EditForm
            place={place}
            policy={policy}
            {...open}
            onDismiss={close}
            onDone={() => toasts && addToast(toasts.changed)}
          />
        )}
      </DialogPart>
    </>
  )
}
