import { type Dashboard, entityTagOf } from '@steading/api/client'
import { DASHBOARD_CHARTS_MAX, type DashboardVariable, isUuid } from '@steading/api/rules'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { LayoutDashboard, Pencil, Plus, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import {
  invalidate,
  refetchShown,
  seed,
  useApiMutation,
  usePrefetchedQuery,
} from '../../data/api.ts'
import { MeanwhileNotice } from '../../forms/meanwhile-notice.tsx'
import { PageFormGuard } from '../../page/page-form-guard.tsx'
import type { QueryScope } from '../timeseries/explorer-link.ts'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ChartGroup } from '../../ui/charts/chart-group.tsx'
import { RefreshInterval } from '../../ui/charts/refresh-interval.tsx'
import { CUSTOM, longPresets } from '../../ui/charts/time-range.ts'
import { TimeRangePicker } from '../../ui/charts/time-range-picker.tsx'
import { useTimeRange } from '../../ui/charts/use-time-range.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { DashboardChart } from './dashboard-chart.tsx'
import { dashboardPath, dashboardsPath } from './paths.ts'
import { type Chart, type Content, dashboardQuery, type DashboardSearch } from './queries.ts'
import { readyMadeFor } from './ready-made.ts'
import { SharingTag } from './sharing.tsx'
import { TagChoices, tagFilterOf } from './tag-choices.tsx'
import { useVariables, Variables } from './variables.tsx'
import { samePage } from '../../data/addresses.ts'

const ChartForm = lazyPart(() => import('./chart-form.tsx').then((m) => ({ default: m.ChartForm })))
const NewDashboardForm = lazyPart(() =>
  import('./dashboard-form.tsx').then((m) => ({ default: m.NewDashboardForm })),
)
const DashboardSettingsForm = lazyPart(() =>
  import('./dashboard-form.tsx').then((m) => ({ default: m.DashboardSettingsForm })),
)

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

export function ProjectDashboardPage() {
  const from = '/shell/projects-crumb/projects/$project/dashboards/dashboards/$dashboard'
  const { project, dashboard } = useParams({ from })
  const search = useSearch({ from })
  return <DashboardPage key={dashboard} scope={{ project }} id={dashboard} search={search} />
}

export function SystemDashboardPage() {
  const from = '/shell/system/dashboards/system/dashboards/$dashboard'
  const { dashboard } = useParams({ from })
  const search = useSearch({ from })
  return <DashboardPage key={dashboard} scope="system" id={dashboard} search={search} />
}

type PageProps = { scope: QueryScope; id: string; search: DashboardSearch }

function DashboardPage({ scope, id, search }: PageProps) {
  if (isUuid(id)) return <SavedDashboard scope={scope} id={id} search={search} />
  const ready = readyMadeFor(scope === 'system' ? 'system' : 'project').find((one) => one.id === id)
  // The loader has rejected other names.
  return ready && <ReadyDashboard scope={scope} content={ready} search={search} />
}

type ReadyProps = { scope: QueryScope; content: Content; search: DashboardSearch }

/** A ready-made dashboard, which can be saved as the user's own. */
function ReadyDashboard({ scope, content, search }: ReadyProps) {
  const [copying, setCopying] = useState(false)
  return (
    <>
      <Header content={content}>
        <Button onClick={() => setCopying(true)}>Duplicate</Button>
      </Header>
      <Charts scope={scope} charts={content.charts} tagKeys={content.tagKeys} search={search} />
      {copying && <Copy scope={scope} content={content} onDismiss={() => setCopying(false)} />}
    </>
  )
}

type HeaderProps = { content: Content; meta?: ReactNode; children: ReactNode }

const Header = ({ content, meta, children }: HeaderProps) => (
  <>
    <PageHeader
      title={content.name}
      icon={<LayoutDashboard strokeWidth={1.5} aria-hidden />}
      meta={meta}
    >
      {children}
    </PageHeader>
    {content.description && (
      <p className="-mt-2 mb-4 px-(--gutter) text-secondary">{content.description}</p>
    )}
  </>
)

type CopyProps = { scope: QueryScope; content: Content; onDismiss: () => void }

/** Saves the current content under another name, and opens it. */
function Copy({ scope, content, onDismiss }: CopyProps) {
  const navigate = useNavigate()
  return (
    <DialogPart onDismiss={onDismiss}>
      <NewDashboardForm
        scope={scope}
        title="Duplicate dashboard"
        content={{ ...content, name: `${content.name} (copy)` }}
        onSaved={({ id }) => void navigate({ to: dashboardPath(scope, id) })}
        onDismiss={onDismiss}
      />
    </DialogPart>
  )
}

const newChart = (query = ''): Chart => ({ title: '', query, display: 'line', width: 'half' })

/** The chart in the open form, with its position: the end for a new one. */
type Edited = { chart: Chart; at: number }

function SavedDashboard({ scope, id, search }: PageProps) {
  const navigate = useNavigate()
  const { data: dashboard } = usePrefetchedQuery(dashboardQuery(id))
  /** Unsaved versions of the charts, for undo; undefined while not editing. */
  const [steps, setSteps] = useState<Chart[][] | undefined>(search.add ? [] : undefined)
  /** The saved dashboard that the edits are based on. */
  const [base, setBase] = useState(dashboard)
  const [edited, setEdited] = useState<Edited | undefined>(
    search.add ? { chart: newChart(search.add), at: dashboard.charts.length } : undefined,
  )
  const [dialog, setDialog] = useState<'settings' | 'copy'>()
  const editing = steps !== undefined
  const charts = steps?.at(-1) ?? (editing ? base : dashboard).charts
  const isShared = dashboard.sharing !== 'private'
  const calls = isShared ? 'dashboardUpdate' : undefined

  const edit = () => {
    setBase(dashboard)
    setSteps([])
  }
  const change = (next: Chart[]) => setSteps([...(steps ?? []), next])
  const leave = () => {
    setSteps(undefined)
    void navigate({ ...samePage({ ...search, add: undefined }), replace: true })
  }
  const path = { dashboard: id }
  const save = useApiMutation('dashboardUpdate', {
    ifMatch: entityTagOf(base),
    expected: [412],
    onSuccess: (saved) => {
      seed('dashboardView', { path }, saved)
      addToast({ content: 'Dashboard saved' })
      leave()
    },
    onError: () => void invalidate('dashboardView'),
  })
  const remove = useApiAction('dashboardDelete', {
    onSuccess: () => {
      void navigate({ to: dashboardsPath(scope) })
    },
  })
  const actions: MenuAction[] = [
    { label: 'Settings', calls, onAction: () => setDialog('settings') },
    { label: 'Duplicate', onAction: () => setDialog('copy') },
    {
      label: 'Delete',
      danger: true,
      calls: isShared ? 'dashboardDelete' : undefined,
      onAction: () => {
        const { calls: needed, ...deletion } = remove({ path })
        confirmDelete({
          kind: 'dashboard',
          name: dashboard.name,
          ...deletion,
          calls: isShared ? needed : undefined,
        })
      },
    },
  ]
  const move = (from: number, to: number): Chart[] => {
    const next = charts.slice()
    next.splice(to, 0, ...next.splice(from, 1))
    return next
  }
  const actionsOf = (chart: Chart, at: number): MenuAction[] =>
    editing
      ? [
          { label: 'Edit', local: true, onAction: () => setEdited({ chart, at }) },
          {
            label: 'Duplicate',
            local: true,
            disabledReason: full(charts),
            onAction: () => change(charts.toSpliced(at + 1, 0, chart)),
          },
          {
            label: 'Move forward',
            local: true,
            disabledReason: at === 0 && 'It is the first one',
            onAction: () => change(move(at, at - 1)),
          },
          {
            label: 'Move back',
            local: true,
            disabledReason: at === charts.length - 1 && 'It is the last one',
            onAction: () => change(move(at, at + 1)),
          },
          {
            label: 'Remove',
            local: true,
            danger: true,
            onAction: () => change(charts.toSpliced(at, 1)),
          },
        ]
      : []
  const addChart = () => setEdited({ chart: newChart(), at: charts.length })
  return (
    <>
      <Header content={dashboard} meta={<SharingTag sharing={dashboard.sharing} />}>
        {editing ? (
          <>
            <Button icon={<Plus {...icon} />} disabledReason={full(charts)} onClick={addChart}>
              Add chart
            </Button>
            <Button
              icon={<Undo2 {...icon} />}
              disabledReason={steps.length === 0 && 'Nothing was changed'}
              onClick={() => setSteps(steps.slice(0, -1))}
            >
              Undo
            </Button>
            <Button onClick={leave}>Cancel</Button>
            <Button
              variant="primary"
              sends
              calls={calls}
              loading={save.isPending}
              disabledReason={steps.length === 0 && 'Nothing was changed'}
              onClick={() => save.mutate({ path, body: bodyOf(base, charts) })}
            >
              Save
            </Button>
          </>
        ) : (
          <>
            <Button icon={<Pencil {...icon} />} calls={calls} onClick={edit}>
              Edit
            </Button>
            <ActionMenu label="Dashboard actions" actions={actions} />
          </>
        )}
      </Header>
      {save.error && (
        <div className="px-(--gutter) pb-4">
          {save.error.statusCode === 412 ? (
            <MeanwhileNotice
              title="The dashboard was changed meanwhile"
              action={
                <Button
                  size="sm"
                  onClick={() => {
                    setBase(dashboard)
                    save.reset()
                  }}
                >
                  Keep my charts
                </Button>
              }
            >
              <p>Saving your charts then replaces the charts saved by others.</p>
            </MeanwhileNotice>
          ) : (
            <ErrorBanner messages={[save.error.message]} />
          )}
        </div>
      )}
      {charts.length === 0 ? (
        <EmptyState
          icon={<LayoutDashboard size={20} strokeWidth={1.5} aria-hidden />}
          title="No charts"
          body="A chart shows the result of a metrics query."
          action={
            <Button
              variant="primary"
              calls={calls}
              onClick={() => {
                if (!editing) edit()
                addChart()
              }}
            >
              Add chart
            </Button>
          }
        />
      ) : (
        <Charts
          scope={scope}
          charts={charts}
          tagKeys={dashboard.tagKeys}
          search={search}
          actionsOf={actionsOf}
        />
      )}
      <PageFormGuard active={editing && steps.length > 0 && !save.isSuccess} />
      {edited && (
        <DialogPart onDismiss={() => setEdited(undefined)}>
          <ChartForm
            scope={scope}
            chart={edited.chart}
            isNew={edited.at === charts.length}
            onSubmit={(chart) => {
              change(charts.toSpliced(edited.at, 1, chart))
              setEdited(undefined)
            }}
            onDismiss={() => setEdited(undefined)}
          />
        </DialogPart>
      )}
      {dialog === 'settings' && (
        <DialogPart onDismiss={() => setDialog(undefined)}>
          <DashboardSettingsForm
            scope={scope}
            dashboard={dashboard}
            onDismiss={() => setDialog(undefined)}
          />
        </DialogPart>
      )}
      {dialog === 'copy' && (
        <Copy scope={scope} content={dashboard} onDismiss={() => setDialog(undefined)} />
      )}
    </>
  )
}

const full = (charts: readonly Chart[]) =>
  charts.length >= DASHBOARD_CHARTS_MAX &&
  `A dashboard can have at most ${DASHBOARD_CHARTS_MAX} charts`

/** Only the charts change; the rest stays. */
const bodyOf = ({ name, description, sharing, projectId }: Dashboard, charts: Chart[]) => ({
  name,
  description,
  charts,
  sharing,
  ...(projectId ? { project: projectId } : {}),
})

const widths: Record<Chart['width'], string> = {
  third: 'lg:col-span-2',
  half: 'lg:col-span-3',
  full: 'lg:col-span-6',
}

type ChartsProps = {
  scope: QueryScope
  charts: readonly Chart[]
  tagKeys?: readonly string[]
  search: DashboardSearch
  actionsOf?: (chart: Chart, at: number) => MenuAction[]
}

/** The charts with their shared time range and variables. */
function Charts({ scope, charts, tagKeys = [], search, actionsOf }: ChartsProps) {
  const navigate = useNavigate()
  const time = useTimeRange(longPresets)
  const variables = useVariables(scope, charts, search)
  const values = Object.fromEntries(
    variables.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  )
  const choose = (name: DashboardVariable, id: string) =>
    void navigate({ ...samePage({ ...search, [name]: id }), replace: true })
  const tagFilter = tagFilterOf(tagKeys, search.tags)
  const chooseTags = (tags: string | undefined) =>
    void navigate({ ...samePage({ ...search, tags }), replace: true })
  // Charts wait for the values of variables.
  const waits = variables.some(({ value, loading }) => value === undefined && loading)
  return (
    <div className="flex flex-col gap-4 px-(--gutter) pb-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex flex-wrap items-center gap-2">
          <RefreshInterval
            standing={time.choice === CUSTOM}
            onTick={time.slide}
            onRefresh={async () => {
              time.slide()
              await refetchShown()
            }}
          />
          <TagChoices scope={scope} keys={tagKeys} chosen={tagFilter} onChoose={chooseTags} />
          <Variables variables={variables} onChoose={choose} />
        </div>
        <TimeRangePicker time={time} />
      </div>
      <ChartGroup range={time.range}>
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-6">
          {charts.map((chart, at) => (
            <div key={`${at} ${chart.title}`} className={`min-w-0 ${widths[chart.width]}`}>
              {waits ? (
                <div aria-busy className="h-[407px] rounded-card border bg-raised" />
              ) : (
                <DashboardChart
                  scope={scope}
                  chart={chart}
                  values={values}
                  tagFilter={tagFilter}
                  range={time.range}
                  actions={actionsOf?.(chart, at) ?? []}
                />
              )}
            </div>
          ))}
        </div>
      </ChartGroup>
    </div>
  )
}
