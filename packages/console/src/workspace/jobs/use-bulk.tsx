import type { JobTargetKind } from '@steading/api/rules'
import { Suspense, useEffect, useMemo, useState, type ReactNode } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { onDeletion } from '../../data/live.ts'
import { useShortcuts } from '../../ui/keyboard/use-shortcut.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { Selection } from '../../ui/table-selection.tsx'

const BulkBar = lazyPart(() => import('./bulk-bar.tsx').then((m) => ({ default: m.BulkBar })))

type Listed<Row> = {
  rows: Row[] | undefined
  matching: Record<string, string>
  isFiltered: boolean
  controls: { searchable: boolean; total: number | null | undefined }
}

/**
 * The kind of a list's rows; for a list of several kinds, its kinds and a function for each
 * row.
 */
type BulkKinds<Row> =
  | JobTargetKind
  | { all: readonly JobTargetKind[]; of: (row: Row) => JobTargetKind }

/** The selection: rows as last seen, or all results of a search. */
type Chosen<Row> = { rows: ReadonlyMap<string, Row>; all: boolean }

const nothing = { rows: new Map<never, never>(), all: false }

/**
 * Selection in a list and its bar of bulk actions; neither without the jobs capability. The
 * selection persists across pages and changes of the list, except for deleted rows.
 */
export function useBulk<Row extends { id: string }>(
  kinds: BulkKinds<Row>,
  { rows, matching, isFiltered, controls }: Listed<Row>,
  project?: string,
  /** The VPC or router that contains the list, as a parameter of the list. */
  within?: Record<string, string>,
): { selection: Selection | undefined; bar: ReactNode } {
  const supported = useCapability('jobs')
  const [chosen, setChosen] = useState<Chosen<Row>>(nothing)
  /** The shortcut of the bar was pressed before its code was loaded. */
  const [awaited, setAwaited] = useState(false)
  // Another project resets the selection; "all" also depends on the search.
  const found = JSON.stringify({ ...matching, ...within })
  const [about, setAbout] = useState({ project, found })
  if (about.project !== project || (about.found !== found && chosen.all)) setChosen(nothing)
  if (about.project !== project || about.found !== found) setAbout({ project, found })

  useEffect(
    () =>
      onDeletion((id) =>
        setChosen((before) => {
          if (!before.rows.has(id)) return before
          const left = new Map(before.rows)
          left.delete(id)
          return { ...before, rows: left }
        }),
      ),
    [],
  )
  const selection = useMemo(
    (): Selection => ({
      isSelected: (id) => chosen.all || chosen.rows.has(id),
      onSelect(ids, on) {
        const onPage = new Map(rows?.map((row) => [row.id, row]))
        // The API cannot express "all but some", so the selection is reduced to the rows on the
        // page.
        const next = new Map(chosen.all ? onPage : chosen.rows)
        for (const id of ids) if (on) next.set(id, onPage.get(id)!)
        if (!on) for (const id of ids) next.delete(id)
        setChosen({ rows: next, all: false })
      },
    }),
    [chosen, rows],
  )
  if (!supported) return { selection: undefined, bar: null }
  const { searchable, total } = controls
  const { all, of } = typeof kinds === 'string' ? { all: [kinds], of: () => kinds } : kinds
  const known = new Map(rows?.map((row) => [row.id, row]))
  const pageIsSelected = Boolean(rows?.length && rows.every(({ id }) => chosen.rows.has(id)))
  const selected = [...chosen.rows].map(([id, row]) => known.get(id) ?? row)
  const isMore = searchable && (total === null || (total ?? 0) > chosen.rows.size)
  return {
    selection,
    bar: (chosen.all || chosen.rows.size > 0) && (
      <Suspense
        fallback={
          <ComingBar onActions={() => setAwaited(true)} onClear={() => setChosen(nothing)} />
        }
      >
        <BulkBar
          takesFocus={awaited}
          onFocus={() => setAwaited(false)}
          selected={all.flatMap((kind) => {
            const its = selected.filter((row) => of(row) === kind)
            return chosen.all || its.length > 0 ? [{ kind, rows: its }] : []
          })}
          kinds={all}
          project={project}
          all={chosen.all ? { matching: { ...matching, ...within }, total } : undefined}
          isFiltered={isFiltered}
          total={pageIsSelected && isMore ? total : undefined}
          onStart={(started) =>
            setChosen((before) => {
              const others = [...before.rows].filter(([, row]) => of(row) !== started)
              return before.all ? nothing : { rows: new Map(others), all: false }
            })
          }
          onSelectAll={() => setChosen({ rows: chosen.rows, all: true })}
          onClear={() => setChosen(nothing)}
        />
      </Suspense>
    ),
  }
}

/** Handles the bar's shortcuts while its code is loading. */
function ComingBar({ onActions, onClear }: { onActions: () => void; onClear: () => void }) {
  useShortcuts({ actions: onActions, clearSelection: onClear })
  return null
}
