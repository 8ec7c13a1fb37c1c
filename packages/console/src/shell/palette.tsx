/* eslint-disable jsx-a11y/prefer-tag-over-role -- a combobox over links has no tags of its own */
import { LIST_SEARCH_MAX } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useMatches, useRouter } from '@tanstack/react-router'
import { matchSorter, rankings } from 'match-sorter'
import {
  createElement,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
} from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { ArrowDown, ArrowUp, CornerDownLeft, Search, X } from 'lucide-react'
import { flushSync } from 'react-dom'
import { pathTo } from '../data/addresses.ts'
import { apiQuery } from '../data/api.ts'
import { useCapability } from '../data/capabilities.ts'
import { useFleetViewer } from '../data/session.ts'
import { cx } from '../ui/cx.ts'
import { IconButton } from '../ui/button.tsx'
import { useRowActions } from '../ui/row-actions.ts'
import { useRefusalReason, useSendingStopped } from '../ui/server-state.ts'
import { demoPeople, resetDemo } from '../identity/session/demo.ts'
import { useInvite } from '../identity/users/use-invite.tsx'
import { Truncate } from '../ui/text.tsx'
import { useCreations } from './creations.ts'
import { crumbsOf } from './crumbs.ts'
import { useSystemHome } from '../observability/issues/open-issues.ts'
import { entryOf } from './resource-pages.ts'
import { paletteIcon } from './palette-icons.ts'
import { wordsOfPage } from './palette-words.ts'
import { useOwnResources } from './own-resources.ts'
import { usePaletteActs } from './use-palette-acts.tsx'
import { quickActionsOf, useRegisteredActions, type QuickAction } from '../ui/quick-actions.ts'

/** `also`: other labels by which it is found. */
type Entry = QuickAction & { group: string; also?: string[] }

const byPathOnce = (entries: Entry[]): Entry[] => {
  const paths = entries.map(({ path }) => path)
  return entries.filter(({ path }, index) => !path || paths.indexOf(path) === index)
}

/** Adds the reasons for which entries are disabled. */
function useReasons(): (entry: Entry) => Entry {
  const stopped = useSendingStopped()
  const whyNot = useRefusalReason()
  return (entry) => ({
    ...entry,
    disabledReason: whyNot(entry.calls) || entry.disabledReason || (entry.sends && stopped),
  })
}

function useEntries(text: string, row: Element | null): Entry[] {
  const registered = useRegisteredActions()
  const offer = useRowActions(row)
  const withReason = useReasons()
  const matches = useMatches()
  const own = useOwnResources()
  const creations = useCreations()
  const home = useSystemHome()
  const fleetViewer = useFleetViewer()
  const hasJobs = useCapability('jobs')
  const hasUsage = useCapability('usage')
  const hasTemplates = useCapability('instanceTemplates')
  const { state } = useRouter()
  const path = state.location.pathname
  const ancestors = crumbsOf(matches)
    .filter((crumb) => !crumb.titleOnly)
    .slice(0, -1)
    .map((crumb) => ({ label: crumb.label, path: crumb.path, group: 'Go up' }))
  const project = matches.flatMap(({ params }) => ('project' in params ? params.project : []))[0]
  const invite = quickActionsOf(useInvite(project === undefined ? {} : { project }))
  const global: QuickAction[] = []
  if (fleetViewer && !path.startsWith('/system/')) {
    global.push({ label: 'Manage system', path: home, group: 'System' })
  }
  if (hasTemplates && project) {
    global.push({
      label: 'Create from template',
      group: 'Project',
      calls: { operation: 'instanceTemplateUse', about: ['project'], project },
      path: pathTo('/projects/$project/instance-templates', { project }),
    })
  }
  // A page with the button offers it by itself, and those of the system are about another silo.
  const isOffered = registered.some(({ label }) => label === invite[0]?.label)
  if (!isOffered && !path.startsWith('/system/')) {
    global.push(...invite.map((action) => ({ ...action, group: project ? 'Project' : 'Silo' })))
  }
  if (hasUsage) {
    global.push({ label: 'Usage report', path: '/usage', group: 'Silo' })
    if (fleetViewer) {
      global.push({ label: 'Usage report of the fleet', path: '/system/usage', group: 'System' })
    }
  }
  if (hasJobs) global.push({ label: 'Jobs', path: '/jobs', group: 'User' })
  if (!path.startsWith('/settings/')) {
    global.push({ label: 'Settings', path: '/settings/profile', group: 'User' })
  }
  if (demoPeople()) {
    global.push(...quickActionsOf([resetDemo]).map((action) => ({ ...action, group: 'User' })))
  }
  const things = registered.filter(({ isThing }) => isThing)
  const actions = registered.filter(({ isThing }) => !isThing)
  const ofRow = offer ? quickActionsOf(offer.actions, offer.name) : []
  const pages = [...ofRow, ...actions, ...ancestors, ...global, ...(text ? creations : [])]
  // A search lists actions and pages before all items.
  const ordered = text ? [...pages, ...own, ...things] : [...own, ...pages, ...things]
  return ordered
    .filter((action) => action.path !== path)
    .map((action: QuickAction) =>
      withReason({ ...action, group: action.about ?? action.group ?? ACTIONS }),
    )
}

const ACTIONS = 'Actions'

/** Groups in order of appearance, preceded by the row, the selection and the page itself. */
function grouped(entries: Entry[]): [group: string, entries: Entry[]][] {
  const first = entries.filter(({ about }) => about).map(({ group }) => group)
  const groups = new Map<string, Entry[]>([...first, ACTIONS].map((group) => [group, []]))
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry])
  return [...groups].filter(([, members]) => members.length > 0)
}

/** Entries match by label, alone or together with their target: "web stop". */
const keys = [
  'label',
  // By whole words: their letters alone are in too many texts.
  {
    key: ({ also = [], path }: Entry) => [...also, ...wordsOfPage(path)],
    threshold: rankings.WORD_STARTS_WITH,
  },
  ({ about, label }: Entry) => (about ? [`${about} ${label}`, `${label} ${about}`] : []),
]

function search(entries: Entry[], text: string): Entry[] {
  if (!text) return entries
  // The button of a page and its form may have different words.
  return byPathOnce(matchSorter(entries, text, { keys, baseSort: (a, b) => a.index - b.index }))
}

/** Matches in the whole silo by name, id or address; undefined during the search. */
function useFound(text: string): Entry[] | undefined {
  const supported = useCapability('find')
  const isOperator = useFleetViewer()
  const wanted = text.trim()
  const { data, isLoading } = useQuery({
    ...apiQuery('find', { query: { text: wanted } }),
    enabled: supported && wanted.length > 1 && wanted.length <= LIST_SEARCH_MAX,
    throwOnError: false,
  })
  const entries = useMemo(
    () =>
      (data?.items ?? []).flatMap((thing) => {
        const entry = entryOf(thing, isOperator)
        return entry ? [{ ...entry, group: 'In the silo' }] : []
      }),
    [data, isOperator],
  )
  return isLoading ? undefined : entries
}

const keyOf = ({ group, label, path = '' }: Entry): string => `${group} ${label} ${path}`

/** Where a chosen entry is now, or else where it was. */
function placeOf({ key, index }: { key: string; index: number }, entries: Entry[]): number {
  const place = entries.findIndex((entry) => keyOf(entry) === key)
  return place < 0 ? Math.min(index, entries.length - 1) : place
}

type PaletteProps = {
  /** Text typed before the code was loaded. */
  typed: string
  /** The row focused when the palette was opened. */
  row: Element | null
  onDismiss: () => void
}

export function Palette({ typed, row, onDismiss }: PaletteProps) {
  const id = useId()
  const router = useRouter()
  const list = useRef<HTMLDivElement>(null)
  const [text, setText] = useState(typed)
  /**
   * Undefined until an entry is chosen: defaults to the first match, or none without a match. The
   * choice stays with its entry while other entries come and go, and its place stays if it goes.
   */
  const [chosen, setChosen] = useState<{ key: string; index: number }>()
  const all = useEntries(text, row)
  const found = useFound(text)
  const { acts, part, isReading } = usePaletteActs(text)
  const withReason = useReasons()
  const here = [...acts.map(withReason), ...search(all, text)]
  const known = new Set(here.map(({ path }) => path))
  const matching = [...here, ...(found ?? []).filter(({ path }) => !known.has(path))]
  const nothing = matching.length === 0 && Boolean(found) && !isReading
  const note = nothing
    ? `Nothing found for “${text.trim()}”`
    : matching.length === 0 && text && 'Searching…'
  const shown = nothing ? all.filter(({ group }) => group === ACTIONS) : matching
  const groups = grouped(shown)
  const entries = groups.flatMap(([, members]) => members)
  const at = chosen ? placeOf(chosen, entries) : nothing ? undefined : 0
  const selected = at === undefined ? undefined : entries[at]

  const run = (entry: Entry) => {
    if (entry.disabledReason) return
    // Synchronous, because the entry's popup returns the focus to its holder before the
    // palette.
    flushSync(onDismiss)
    if (entry.path) router.history.push(entry.path)
    else entry.onAction?.()
  }
  const choose = (next: number) => setChosen({ key: keyOf(entries[next]!), index: next })
  const select = (next: number) => {
    choose(next)
    requestAnimationFrame(() =>
      list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step && entries.length > 0) {
      event.preventDefault()
      const next = at === undefined ? Math.min(step, 0) : at + step
      select((next + entries.length) % entries.length)
    } else if (event.key === 'Enter' && selected) {
      // Otherwise the same key press would submit a form that the entry opens.
      event.preventDefault()
      run(selected)
    }
  }
  const onClick = (event: MouseEvent, entry: Entry) => {
    // With a modifier the browser opens the link elsewhere, and the palette stays open.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    run(entry)
  }
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onDismiss()}
      className="fixed inset-0 z-[300] bg-scrim data-entering:animate-[fade-in_120ms_ease-out]"
    >
      <Modal className="absolute top-[20%] left-1/2 w-[46rem] max-w-[calc(100vw-2rem)] -translate-x-1/2">
        <Dialog
          aria-label="Quick actions"
          className="overflow-hidden rounded-card border border-line-strong bg-floating shadow-modal outline-none"
        >
          <div className="flex h-12 items-center gap-2.5 pe-2 ps-4">
            <Search size={16} strokeWidth={1.5} className="shrink-0 text-tertiary" aria-hidden />
            <input
              // eslint-disable-next-line jsx-a11y/no-autofocus -- a dialog opens on its input
              autoFocus
              role="combobox"
              aria-expanded={entries.length > 0}
              aria-controls={`${id}-list`}
              aria-activedescendant={selected && `${id}-${entries.indexOf(selected)}`}
              aria-label="Search"
              placeholder="Search"
              autoComplete="off"
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                setChosen(undefined)
              }}
              onKeyDown={onKeyDown}
              className="h-full min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-tertiary"
            />
            {text && (
              <button
                type="button"
                className="rounded-sm px-1.5 text-xs text-tertiary hover:text-primary"
                onClick={() => {
                  setText('')
                  setChosen(undefined)
                }}
              >
                Clear
              </button>
            )}
            <IconButton
              label="Dismiss"
              size="sm"
              onClick={onDismiss}
              icon={<X size={16} strokeWidth={1.5} aria-hidden />}
            />
          </div>
          <p
            role="status"
            className={cx(note && 'border-t px-4 py-3 text-sm break-words text-secondary')}
          >
            {note}
          </p>
          {part}
          {entries.length > 0 && (
            <>
              <div
                ref={list}
                id={`${id}-list`}
                role="listbox"
                aria-label="Quick actions"
                className="max-h-96 overflow-y-auto border-t px-2 pb-2"
              >
                {groups.map(([group, members]) => (
                  <div key={group} role="group" aria-label={group}>
                    <div aria-hidden className="px-2 pt-3 pb-1 text-xs text-tertiary">
                      {group}
                    </div>
                    {members.map((entry) => (
                      <PaletteItem
                        key={keyOf(entry)}
                        id={`${id}-${entries.indexOf(entry)}`}
                        entry={entry}
                        selected={entry === selected}
                        onHover={() => choose(entries.indexOf(entry))}
                        onClick={(event) => onClick(event, entry)}
                      />
                    ))}
                  </div>
                ))}
              </div>
              <PaletteHints />
            </>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

type PaletteItemProps = {
  id: string
  entry: Entry
  selected: boolean
  onHover: () => void
  onClick: (event: MouseEvent) => void
}

function PaletteItem({ id, entry, selected, onHover, onClick }: PaletteItemProps) {
  const note = entry.disabledReason || entry.detail
  const Element = entry.path && !entry.disabledReason ? 'a' : 'div'
  return (
    // The input handles keys, and refers to the active option.
    <Element
      id={id}
      href={entry.disabledReason ? undefined : entry.path}
      role="option"
      aria-selected={selected}
      aria-disabled={Boolean(entry.disabledReason) || undefined}
      aria-describedby={note ? `${id}-note` : undefined}
      tabIndex={-1}
      onPointerMove={selected ? undefined : onHover}
      onClick={onClick}
      className={cx(
        'flex items-baseline gap-2.5 rounded-control px-2 py-1.5',
        entry.disabledReason ? 'text-disabled' : selected ? 'text-primary' : 'text-secondary',
        selected && 'bg-pressed',
      )}
    >
      {/* Screen readers say an action's name before its reason for being disabled. */}
      {createElement(paletteIcon(entry), {
        size: 16,
        strokeWidth: 1.5,
        'aria-hidden': true,
        className: 'shrink-0 self-center text-tertiary',
      })}
      <Truncate
        text={entry.label}
        className={entry.disabledReason ? 'max-w-2/3 shrink-0' : undefined}
      />
      {note && (
        <span
          aria-hidden
          id={`${id}-note`}
          className="ms-auto min-w-0 shrink-[2] truncate ps-1.5 text-xs text-tertiary"
        >
          {note}
        </span>
      )}
    </Element>
  )
}

function PaletteHints() {
  const kbd = 'rounded-sm border border-line-strong px-1 font-sans text-xs text-secondary'
  return (
    <footer className="flex gap-4 border-t px-4 py-2 text-xs text-tertiary max-sm:hidden">
      <span>
        <kbd className={kbd}>
          <span className="sr-only">Enter</span>
          <CornerDownLeft size={12} className="inline" aria-hidden />
        </kbd>{' '}
        to submit
      </span>
      <span>
        <kbd className={kbd}>
          <span className="sr-only">Arrow Up</span>
          <ArrowUp size={12} className="inline" aria-hidden />
        </kbd>{' '}
        <kbd className={kbd}>
          <span className="sr-only">Arrow Down</span>
          <ArrowDown size={12} className="inline" aria-hidden />
        </kbd>{' '}
        to select
      </span>
      <span>
        <kbd className={kbd}>Esc</kbd> to close
      </span>
    </footer>
  )
}
