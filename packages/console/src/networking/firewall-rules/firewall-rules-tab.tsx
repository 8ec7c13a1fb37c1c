import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowUpDown, BrickWallShield, Plus } from 'lucide-react'
import { Suspense, useDeferredValue, useMemo, useState } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { useLivePolling } from '../../data/live.ts'
import { type Create, CreateButton, useCreate } from '../../page/create-action.tsx'
import { LoadError } from '../../page/load-error.tsx'
import { QueryError } from '../../page/query-error.tsx'
import { pathTo, samePage } from '../../data/addresses.ts'
import { Button } from '../../ui/button.tsx'
import type { Sorting } from '../../ui/column.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { ListControls, NothingMatches } from '../../ui/list-controls/list-controls.tsx'
import { formatNumber } from '../../ui/number.ts'
import { PhoneDisclosure } from '../../ui/phone-disclosure.tsx'
import { SelectionBar } from '../../ui/selection-bar.tsx'
import type { Selection } from '../../ui/table-selection.tsx'
import { Table } from '../../ui/table.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { useVersions } from '../../workspace/setting-versions/use-versions.tsx'
import { useVpcParams, firewallRulesQuery, vpcQuery, vpcTabs } from '../vpcs/queries.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { ruleColumns } from './columns.tsx'
import { OtherVpcNotice } from './other-vpc-notice.tsx'
import { PacketsByDefault } from './rule-packets.tsx'
import type { Rule } from './rules.ts'
import { countRules, findRules } from './search.ts'
import {
  type RuleFilter,
  ruleFilters,
  type RuleSearch,
  sortOf,
  USUAL_SORT,
} from './search-params.ts'
import { RULES_UPDATE } from './update.ts'
import { isFull, useRuleActions } from './use-rule-actions.tsx'
import { noun } from './labels.ts'

const OneLineEditor = lazyPart(() =>
  import('./one-line-editor.tsx').then((module) => ({ default: module.OneLineEditor })),
)
const OrderForm = lazyPart(() =>
  import('./order-form.tsx').then((module) => ({ default: module.OrderForm })),
)

/** Number of rows rendered at first, of up to 1,024. */
const SHOWN = 100

const filterNames = Object.keys(ruleFilters) as RuleFilter[]
const keyOf = ({ name }: Rule) => name
const none: ReadonlySet<string> = new Set()

/** The firewall rules of a VPC: all are loaded, and searched in the browser. */
export function FirewallRulesTab() {
  const params = useVpcParams()
  const { data, error, refetch } = useQuery({
    ...firewallRulesQuery(params),
    refetchInterval: useLivePolling(10_000),
  })
  const [order, setOrder] = useState<{ about?: string }>()
  const actions = useRuleActions(params, data, ({ name }) => setOrder({ about: name }))
  const create: Create = {
    label: 'New rule',
    icon: Plus,
    calls: RULES_UPDATE,
    ...(data && isFull(data)
      ? { onAction: () => {} }
      : { path: pathTo('/projects/$project/vpcs/$vpc/firewall-rules-new', params) }),
  }
  useCreate(create)
  const full = data && isFull(data)
  const { data: vpc } = useQuery(vpcQuery(params))
  const versions = useVersions('firewall_rules', vpc)
  return (
    <TabPanel of={vpcTabs} tab="Firewall Rules">
      {data && <QueryError error={error} onRetry={refetch} />}
      {data && <OtherVpcNotice params={params} read={data} />}
      {data && (
        <PhoneDisclosure label="New rule in one line">
          {/* As high as the editor, whose code follows that of the list. */}
          <div className="mx-(--gutter) mb-4 min-h-28 rounded-card border px-4 py-3 max-lg:min-h-39">
            <Suspense>
              <OneLineEditor params={params} rules={data} />
            </Suspense>
          </div>
        </PhoneDisclosure>
      )}
      {error && !data ? (
        <LoadError what="The firewall rules" error={error} onRetry={refetch} />
      ) : (
        <RuleList
          rules={data?.rules}
          actions={actions}
          buttons={
            <>
              <ActionButtons actions={versions.actions} />
              {(data?.rules.length ?? 0) > 1 && (
                <Button
                  className="max-sm:hidden"
                  icon={<ArrowUpDown size={16} strokeWidth={1.5} aria-hidden />}
                  calls={RULES_UPDATE}
                  onClick={() => setOrder({})}
                >
                  Change order
                </Button>
              )}
              {full ? (
                <Button
                  icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
                  disabledReason={full}
                >
                  {create.label}
                </Button>
              ) : (
                <CreateButton {...create} variant="secondary" />
              )}
            </>
          }
          empty={
            <EmptyState
              icon={<BrickWallShield size={20} strokeWidth={1.5} aria-hidden />}
              title="No firewall rules"
              body="Create a rule to see it here"
              action={
                <span className="flex gap-2">
                  <ActionButtons actions={versions.actions} />
                  <CreateButton {...create} icon={undefined} />
                </span>
              }
            />
          }
        />
      )}
      <DialogPart onDismiss={() => setOrder(undefined)}>
        {order && data && (
          <OrderForm params={params} about={order.about} onDismiss={() => setOrder(undefined)} />
        )}
      </DialogPart>
      {versions.panel}
      <Outlet />
    </TabPanel>
  )
}

type RuleListProps = {
  rules: Rule[] | undefined
  actions: ReturnType<typeof useRuleActions>
  buttons: React.ReactNode
  empty: React.ReactNode
}

function RuleList({ rules, actions, buttons, empty }: RuleListProps) {
  const params = useVpcParams()
  const search = useSearch({ strict: false }) as RuleSearch
  const navigate = useNavigate()
  const change = (changes: RuleSearch) =>
    void navigate({ ...samePage({ ...search, ...changes }), replace: true })
  const [{ all }, setAll] = useState({ all: false })
  const [watched, setWatched] = useState<RuleFilter[]>([])

  // Input is shown at once; rows follow when there is time.
  const wanted = useDeferredValue(search)
  const found = useMemo(() => rules && findRules(rules, wanted), [rules, wanted])
  const isFiltered = Boolean(search.q) || filterNames.some((name) => search[name])
  const { by, descending } = sortOf(search.sort ?? USUAL_SORT)!
  const sorting: Sorting = {
    by,
    descending,
    canSort: () => true,
    onSort(column, down) {
      const sort = `${column}_${down ? 'descending' : 'ascending'}`
      change({ sort: sort === USUAL_SORT ? undefined : sort })
    },
  }
  const { project, vpc } = params
  const measured = useCapability('firewallUse')
  const columns = useMemo(() => ruleColumns({ project, vpc }, measured), [project, vpc, measured])
  const [hidden, setHidden] = useState<ReadonlySet<string>>(
    () => new Set(columns.flatMap(({ id, optional }) => (optional ? [id] : []))),
  )
  const shown = columns.filter(({ id }) => !hidden.has(id))
  const rows = all ? found : found?.slice(0, SHOWN)
  const { selected, selection, clear } = useSelected(rules)
  const clearSearch = () =>
    change({ q: undefined, status: undefined, direction: undefined, action: undefined })

  return (
    <>
      <ListControls
        noun={noun}
        searchable
        isEmpty={rules?.length === 0}
        isFiltered={isFiltered}
        waiting={wanted !== search}
        total={found?.length}
        totalOfAll={rules?.length}
        search={search.q ?? ''}
        onSearch={(q) => change({ q: q || undefined })}
        filters={filterNames.map((name) => ({
          name,
          words: ruleFilters[name],
          selected: search[name]?.split(',') ?? [],
          counted: true,
          counts: watched.includes(name) && rules ? countRules(rules, search, name) : undefined,
        }))}
        onFilter={(name, words) => change({ [name]: words.join(',') || undefined })}
        onFiltersShown={setWatched}
        onClear={clearSearch}
        columns={columns
          .slice(1)
          .map(({ id, header }) => ({ id, label: header, shown: !hidden.has(id) }))}
        onColumns={(ids) =>
          setHidden(new Set(columns.slice(1).flatMap(({ id }) => (ids.has(id) ? [] : [id]))))
        }
        end={<div className="flex flex-wrap justify-end gap-2">{buttons}</div>}
      />
      <Table
        label="Firewall rules"
        columns={shown}
        sorting={sorting}
        rows={rows}
        rowKey={keyOf}
        waiting={wanted !== search}
        selection={selection}
        skeletonRows={3}
        actions={actions.ofRule}
        empty={
          isFiltered && rules?.length !== 0 ? (
            <NothingMatches noun={noun} onClear={clearSearch} />
          ) : (
            empty
          )
        }
      />
      {found && rows && rows.length < found.length && (
        <div className="flex items-center justify-center gap-3 py-4 text-secondary">
          {formatNumber(rows.length)} of {formatNumber(found.length)} rules are shown
          <Button size="sm" onClick={() => setAll({ all: true })}>
            Show all
          </Button>
        </div>
      )}
      {measured && <PacketsByDefault params={params} />}
      {selected.length > 0 && (
        <SelectionBar
          selected={`${formatNumber(selected.length)} selected`}
          actions={actions.ofSeveral(selected, clear)}
          onClear={clear}
        />
      )}
    </>
  )
}

/** The selected rules, kept by name: replacing rules changes their IDs. */
function useSelected(rules: Rule[] | undefined) {
  const [names, setNames] = useState(none)
  const selection = useMemo(
    (): Selection => ({
      isSelected: (name) => names.has(name),
      onSelect(changed, on) {
        const next = new Set(names)
        for (const name of changed) {
          if (on) next.add(name)
          else next.delete(name)
        }
        setNames(next)
      },
    }),
    [names],
  )
  return {
    selected: rules?.filter(({ name }) => names.has(name)) ?? [],
    selection,
    clear: () => setNames(none),
  }
}
