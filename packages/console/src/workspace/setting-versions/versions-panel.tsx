import type { SettingVersion, SettingVersionContents } from '@steading/api/client'
import {
  changeReasonProblem,
  kindTable,
  PRESENT_VERSION,
  type SettingName,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import {
  apiQuery,
  call,
  invalidate,
  queryClient,
  useApiMutation,
  whenReread,
} from '../../data/api.ts'
import { ApiError, messageOf } from '../../data/errors.ts'
import { useLivePolling } from '../../data/live.ts'
import { LoadError } from '../../page/load-error.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { useCodeView } from '../../ui/code-view.tsx'
import { cx } from '../../ui/cx.ts'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { Listbox } from '../../ui/form/listbox-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { formatNumber } from '../../ui/number.ts'
import { SideModal } from '../../ui/side-modal.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { DateTime } from '../../ui/time.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { asCode } from '../as-code/as-code.tsx'
import { call as step } from '../as-code/steps.ts'
import { Difference, differencesOf } from './difference.tsx'
import { authorOf, itemNoun, settingOf, titleOf } from './labels.ts'
import { Truncate } from '../../ui/text.tsx'

type Of = { setting: SettingName; thing: { id: string; name?: string } }
type Props = Of & { onDismiss: () => void }

const PRECONDITION_FAILED = 412

/** Reasons that were typed in panels closed since, by setting. */
const drafts = new Map<string, string>()

/** The versions of a setting: compared with each other or with now, and restored. */
export default function VersionsPanel({ setting, thing, onDismiss }: Props) {
  const path = { setting, thing: thing.id }
  const draft = `${setting} ${thing.id}`
  const refetchInterval = useLivePolling(10_000)
  const { data, error, refetch } = useQuery({
    ...apiQuery('settingVersionList', { path }),
    refetchInterval,
  })
  const [chosen, setChosen] = useState<number>()
  const [against, setAgainst] = useState<string>(PRESENT_VERSION)
  const [failure, setFailure] = useState<string>()
  const [sending, setSending] = useState(false)
  const form = useForm({
    defaultValues: { reason: drafts.get(draft) ?? '', withoutMissing: setting.endsWith('_policy') },
  })
  const { reason, withoutMissing } = useWatch({ control: form.control }) as {
    reason: string
    withoutMissing: boolean
  }
  const contents = (version: string) =>
    apiQuery('settingVersionView', { path: { ...path, version } })
  const old = useQuery({ ...contents(String(chosen)), enabled: chosen !== undefined })
  const base = useQuery({
    ...contents(against),
    enabled: chosen !== undefined,
    refetchInterval: against === PRESENT_VERSION && refetchInterval,
  })
  const now = useQuery({ ...contents(PRESENT_VERSION), enabled: chosen !== undefined })

  const version = data?.items.find((one) => one.version === chosen)
  const latest = data?.items[0]?.version ?? 0
  const missing = old.data?.items.filter((item) => item.missing.length > 0) ?? []
  const leavesOut = missing.length > 0 && withoutMissing
  const restored = old.data?.items.filter((item) => !leavesOut || item.missing.length === 0)
  useEffect(() => void drafts.set(draft, reason), [draft, reason])
  const problem = changeReasonProblem(reason)
  const args = {
    path: { ...path, version: String(chosen) },
    body: {
      latest,
      ...(leavesOut && { withoutMissing: true }),
      ...(reason.trim() && { reason: reason.trim() }),
    },
  }
  const restore = async () => {
    setSending(true)
    setFailure(undefined)
    try {
      await call('settingVersionRestore', args, { expected: [PRECONDITION_FAILED] })
      addToast(`Version ${chosen} restored`)
      drafts.delete(draft)
      void queryClient.invalidateQueries()
      onDismiss()
    } catch (refused) {
      const isStale = refused instanceof ApiError && refused.statusCode === PRECONDITION_FAILED
      setFailure(
        isStale
          ? 'There is a newer version now. Review the difference again before you restore.'
          : messageOf(refused),
      )
      if (isStale) await invalidate('settingVersionList', 'settingVersionView')
    }
    setSending(false)
  }
  const codeView = useCodeView(
    data?.modifiable && chosen !== undefined
      ? () => asCode(step('settingVersionRestore', args))
      : undefined,
  )
  const isSame =
    restored && now.data && differencesOf({ before: now.data.items, after: restored }).length === 0
  const isPresent = against === PRESENT_VERSION
  return (
    <SideModal
      title={`Versions of ${settingOf(setting).words}`}
      subtitle={thing.name}
      onDismiss={onDismiss}
      errors={failure ? [failure] : []}
      above={codeView.view}
      aside={codeView.toggle}
      footer={
        <>
          <Button onClick={onDismiss}>Close</Button>
          {data?.modifiable && (
            <Button
              variant="primary"
              sends
              calls="settingVersionRestore"
              loading={sending}
              disabledReason={
                chosen === undefined
                  ? 'Choose a version first'
                  : !old.data || !now.data
                    ? 'The contents are not loaded'
                    : (isSame && 'It is the same as now') || problem
              }
              onClick={() => void restore()}
            >
              {chosen === undefined ? 'Restore' : `Restore version ${chosen}`}
            </Button>
          )}
        </>
      }
    >
      {error && !data ? (
        <LoadError what="The versions" error={error} onRetry={refetch} />
      ) : !data ? (
        <SkeletonCell width="w-64" />
      ) : data.items.length === 0 ? (
        <p className="text-secondary">
          There are no versions yet. The first change makes two: the state before it, and the state
          after it.
        </p>
      ) : (
        <VersionList
          setting={setting}
          items={data.items}
          chosen={chosen}
          onChoose={(number) => {
            setChosen(number)
            setAgainst(PRESENT_VERSION)
            setFailure(undefined)
          }}
        />
      )}
      {version && (
        <section aria-label={`Version ${version.version}`} className="flex flex-col gap-4">
          <Reason key={version.version} of={path} version={version} />
          <Against
            items={data!.items}
            chosen={version.version}
            value={against}
            onChange={setAgainst}
          />
          {old.error || base.error ? (
            <LoadError
              what="The version"
              error={(old.error ?? base.error)!}
              onRetry={() => Promise.all([old.refetch(), base.refetch()])}
            />
          ) : !old.data || !base.data || !restored ? (
            <SkeletonCell width="w-64" />
          ) : (
            <>
              <h3 className="font-medium">
                {isPresent
                  ? `Restoring version ${version.version} would change`
                  : `From version ${against} to version ${version.version}`}
              </h3>
              {isPresent && missing.length > 0 && (
                <MissingNotice setting={setting} missing={missing}>
                  <CheckboxField name="withoutMissing" control={form.control}>
                    Leave {missing.length === 1 ? 'it' : 'them'} out
                  </CheckboxField>
                </MissingNotice>
              )}
              <Difference
                setting={setting}
                before={base.data.items}
                after={isPresent ? restored : old.data.items}
              />
              {isPresent && data!.modifiable && !isSame && (
                <TextField
                  name="reason"
                  label="Reason for restoring"
                  control={form.control}
                  warning={problem}
                />
              )}
            </>
          )}
        </section>
      )}
      {data && data.items.length > 0 && chosen === undefined && (
        <p className="text-tertiary">Choose a version to compare it with the present state.</p>
      )}
      {chosen !== undefined && data && !version && (
        <p className="text-secondary">The version was removed meanwhile.</p>
      )}
    </SideModal>
  )
}

type ListProps = {
  setting: SettingName
  items: SettingVersion[]
  chosen: number | undefined
  onChoose: (version: number) => void
}

const VersionList = ({ setting, items, chosen, onChoose }: ListProps) => (
  <ul aria-label="Versions" className="flex max-h-72 shrink-0 flex-col overflow-y-auto">
    {items.map((version, index) => (
      <li key={version.version}>
        <button
          type="button"
          aria-pressed={version.version === chosen}
          className={cx(
            'focus-inset flex w-full gap-3 rounded-control px-2 py-1.5 text-start hover:bg-hover',
            version.version === chosen && 'bg-selected',
          )}
          onClick={() => onChoose(version.version)}
        >
          <span className="w-8 shrink-0 text-tertiary tabular-nums">{version.version}</span>
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="flex items-center gap-2">
              <Truncate text={titleOf(setting, version)} />
              {index === 0 && <Tag>newest</Tag>}
            </span>
            <span className="flex flex-wrap gap-x-2 text-secondary">
              <Truncate text={authorOf(version)} />
              <DateTime date={version.timeCreated} />
            </span>
            {version.reason && (
              <span className="line-clamp-2 wrap-anywhere text-secondary">“{version.reason}”</span>
            )}
          </span>
        </button>
      </li>
    ))}
  </ul>
)

type AgainstProps = {
  items: SettingVersion[]
  chosen: number
  value: string
  onChange: (version: string) => void
}

/** The other side of the comparison. */
function Against({ items, chosen, value, onChange }: AgainstProps) {
  const id = useId()
  const options = [
    { value: PRESENT_VERSION, label: 'The present state' },
    ...items
      .filter(({ version }) => version !== chosen)
      .map(({ version }) => ({ value: String(version), label: `Version ${version}` })),
  ]
  return (
    <div className="flex items-center gap-3">
      <span id={id} className="shrink-0 text-secondary">
        Compare with
      </span>
      <Listbox
        aria-labelledby={id}
        className="min-w-0 flex-1"
        options={options}
        value={value}
        onChange={onChange}
      />
    </div>
  )
}

type MissingProps = {
  setting: SettingName
  missing: SettingVersionContents['items']
  children: React.ReactNode
}

/** Names in the notice. */
const NAMED = 5

function MissingNotice({ setting, missing, children }: MissingProps) {
  const gone = [
    ...new Set(
      missing.flatMap((item) =>
        item.missing.map(({ kind, name }) => `${kindTable[kind].words} ${name}`),
      ),
    ),
  ]
  const count = missing.length
  const more = gone.length - NAMED
  return (
    <Banner variant="notice">
      <p className="wrap-anywhere">
        {formatNumber(count)} {itemNoun(setting, count)} {count === 1 ? 'refers' : 'refer'} to
        resources that no longer exist: {gone.slice(0, NAMED).join(', ')}
        {more > 0 && ` and ${formatNumber(more)} more`}.
      </p>
      {children}
    </Banner>
  )
}

type ReasonProps = { of: { setting: SettingName; thing: string }; version: SettingVersion }

/** The reason of a version, which its author and admins may correct. */
function Reason({ of, version }: ReasonProps) {
  const [editing, setEditing] = useState(false)
  const form = useForm({ defaultValues: { text: version.reason ?? '' } })
  const text = useWatch({ control: form.control, name: 'text' })
  const { mutate, isPending, error } = useApiMutation('settingVersionReasonUpdate', {
    onSuccess: async () => {
      await whenReread()
      setEditing(false)
    },
  })
  const save = () =>
    mutate({
      path: { ...of, version: String(version.version) },
      body: { reason: text.trim() || null },
    })
  if (!editing) {
    return (
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 wrap-anywhere text-secondary">
          {version.reason ? `Reason: ${version.reason}` : 'No reason given'}
        </span>
        {version.reasonModifiable && (
          <Button size="sm" onClick={() => setEditing(true)}>
            {version.reason ? 'Edit reason' : 'Add reason'}
          </Button>
        )}
      </p>
    )
  }
  const problem = changeReasonProblem(text)
  return (
    <form
      noValidate
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (!problem) save()
      }}
    >
      <TextField
        name="text"
        label="Reason"
        control={form.control}
        warning={problem ?? (error ? error.message : undefined)}
      />
      <div className="flex gap-2">
        <Button
          size="sm"
          type="submit"
          sends
          calls="settingVersionReasonUpdate"
          loading={isPending}
          disabledReason={problem}
        >
          Save reason
        </Button>
        <Button size="sm" onClick={() => setEditing(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
