import type { SavedView } from '@steading/api/client'
import type { ListedKind } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Bookmark, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { NO_VIEW, viewsQuery } from '../../data/views.ts'
import { buttonClass } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { popup, PopupButton } from '../../ui/popup-button.tsx'
import type { ListSource } from '../list-export/export-list.ts'
import { inOrder, movedViews, type ViewContent } from './saved-views.ts'

const menu = popup('menu', () => import('./views-popup.tsx').then((module) => module.ViewsPopup))
const ViewForm = lazyPart(() => import('./view-form.tsx'))

type ViewsButtonProps = {
  kind: ListedKind
  noun: { many: string }
  /** The list, for a file of its rows. */
  source: ListSource
  /** Project in which views can be shared. */
  project: string | undefined
  /** Id of the chosen view in the address. */
  chosen: string | undefined
  /** Content of a view of the list's current state. */
  content: ViewContent
  /** Applies a view to the list; without one, resets the list. */
  onChoose: (view?: SavedView) => void
  /** Detaches the list from its view without other changes. */
  onLeave: () => void
}

/**
 * Saved views of a list, beside the search, with a mark if the list differs from the chosen
 * one.
 */
export function ViewsButton(props: ViewsButtonProps) {
  const { kind, noun, source, project, chosen, content, onChoose, onLeave } = props
  const supported = useCapability('views')
  const { data } = useQuery({ ...viewsQuery(kind, project), enabled: supported })
  const moved = movedViews.useValue()
  const [form, setForm] = useState<{ renamed?: SavedView }>()
  if (!supported) return null
  const all = `All ${noun.many}`
  const views = inOrder(data?.items ?? [], moved)
  const view = chosen === NO_VIEW ? undefined : views.find(({ id }) => id === chosen)
  const changed = view !== undefined && !isSame(view, content)
  const name = view?.name ?? all
  return (
    <>
      <PopupButton
        popup={menu}
        content={{
          kind,
          project,
          views,
          view,
          changed,
          all,
          content,
          source,
          many: noun.many,
          onChoose,
          onLeave,
          onSave: () => setForm({}),
          onRename: (renamed: SavedView) => setForm({ renamed }),
        }}
        label={`Views: ${name}${changed ? ', unsaved changes' : ''}`}
        className={cx(
          buttonClass('secondary', 'md'),
          'hover:bg-hover aria-expanded:bg-pressed max-sm:w-8 max-sm:px-0!',
        )}
      >
        <Bookmark size={16} strokeWidth={1.5} aria-hidden className="shrink-0" />
        <span className="max-w-48 truncate max-sm:hidden">{name}</span>
        {changed && <span aria-hidden>•</span>}
        <ChevronDown
          size={14}
          strokeWidth={1.5}
          aria-hidden
          className="shrink-0 text-tertiary max-sm:hidden"
        />
      </PopupButton>
      {form && (
        <DialogPart onDismiss={() => setForm(undefined)}>
          <ViewForm
            {...{ kind, project, content }}
            renamed={form.renamed}
            onSaved={onChoose}
            onDismiss={() => setForm(undefined)}
          />
        </DialogPart>
      )}
    </>
  )
}

const sorted = (query: Record<string, string>) => JSON.stringify(Object.entries(query).sort())

const isSame = (view: ViewContent, content: ViewContent): boolean =>
  sorted(view.query) === sorted(content.query) &&
  JSON.stringify(view.columns) === JSON.stringify(content.columns)
