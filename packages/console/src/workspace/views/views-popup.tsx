import type { SavedView } from '@steading/api/client'
import {
  defaultOf,
  firstPosition,
  lastPosition,
  type ListedKind,
  viewCannotMove,
  viewOrder,
} from '@steading/api/rules'
import { Check } from 'lucide-react'
import { MenuSection } from 'react-aria-components/Menu'
import { useApiAction } from '../as-code/as-code.tsx'
import { useReplacingAction } from '../as-code/replacing-action.ts'
import { whenReread } from '../../data/api.ts'
import { NO_VIEW } from '../../data/views.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { MenuItem, menuItemClass, PopupMenu, PopupMenuItem } from '../../ui/menu-popup.tsx'
import type { PopupProps } from '../../ui/popup-button.tsx'
import { addToast, errorToast } from '../../ui/toasts.tsx'
import { exportFormats, exportList, type ListSource } from '../list-export/export-list.ts'
import { moveView, whenMovesSaved } from './move-view.ts'
import { type ViewContent, viewQuery } from './saved-views.ts'
import { Truncate } from '../../ui/text.tsx'

/** A move changes the position before the list of views is refetched. */
const exceptPosition = ({ name, query, columns }: SavedView) => ({ name, query, columns })

type ViewsPopupProps = PopupProps & {
  kind: ListedKind
  project: string | undefined
  views: SavedView[]
  view: SavedView | undefined
  /** The list differs from the chosen view. */
  changed: boolean
  /** Label of the list without a view. */
  all: string
  content: ViewContent
  source: ListSource
  /** Plural of the rows' noun. */
  many: string
  onChoose: (view?: SavedView) => void
  onLeave: () => void
  onSave: () => void
  onRename: (view: SavedView) => void
}

/** Selection of a list's view, with actions on the chosen one. */
export function ViewsPopup(props: ViewsPopupProps) {
  const { kind, project, views, view, changed, all, content, source, many, ...others } = props
  const { onChoose, onLeave, onSave, onRename, ...from } = others
  const update = useReplacingAction('viewUpdate', whenReread)
  const remove = useApiAction('viewDelete', { onSuccess: whenReread })

  const change = (
    view: SavedView,
    body: Partial<ViewContent> & { position?: number },
    done: string,
  ) =>
    void whenMovesSaved()
      .then(
        update(
          { path: { view: view.id }, body },
          { shown: view, read: viewQuery(kind, project, view.id), by: exceptPosition },
        ).action,
      )
      .then(
        () => addToast(done),
        (error: Error) => errorToast(`Could not change view ${view.name}`, error.message),
      )
  const actionsOf = (view: SavedView): MenuAction[] => {
    const { name, id } = view
    const { action, code } = remove({ path: { view: id } })
    // Shared views need a role in the project, private ones none.
    const calls = view.projectId ? 'viewUpdate' : undefined
    return [
      ...(changed
        ? [
            {
              label: 'Update view',
              calls,
              onAction: () => change(view, content, `View ${name} updated`),
            },
            { label: 'Discard changes', local: true, onAction: () => onChoose(view) },
          ]
        : []),
      { label: 'Rename…', calls, onAction: () => onRename(view) },
      view === defaultOf(views)
        ? {
            label: 'Stop using as default',
            calls,
            onAction: () =>
              change(
                view,
                { position: lastPosition(views) },
                `View ${name} is no longer the default`,
              ),
          }
        : {
            label: 'Make default',
            calls,
            onAction: () =>
              change(view, { position: firstPosition(views) }, `View ${name} is the default`),
          },
      ...(['up', 'down'] as const).map((step) => ({
        label: `Move ${step}`,
        calls,
        disabledReason: viewCannotMove(views, view, step),
        staysOpen: true,
        onAction: () => moveView(kind, project, view, step),
      })),
      {
        label: 'Delete view',
        danger: true,
        calls: view.projectId ? 'viewDelete' : undefined,
        onAction: () =>
          confirmDelete({
            kind: 'view',
            name,
            extra: view.projectId
              ? 'It is shared, so all members of the project lose it.'
              : undefined,
            code,
            action: async () => {
              await action()
              onLeave()
            },
          }),
      },
    ]
  }
  const actions = [
    { label: 'Save as new view…', onAction: onSave },
    ...(view ? actionsOf(view) : []),
  ]
  const exports = exportFormats.map((format) => ({
    label: `Export as ${format}`,
    local: true,
    onAction: () => void exportList(source, many, format),
  }))
  const choices = viewOrder(views).map((each) => ({
    each,
    id: each?.id ?? NO_VIEW,
    label: each?.name ?? all,
  }))
  return (
    <PopupMenu
      from={from}
      placement="bottom-start"
      className="max-h-[min(28rem,var(--available-height))]!"
      order={[...choices, ...[...actions, ...exports].map(({ label }) => ({ id: label, label }))]}
    >
      <MenuSection
        aria-label="Views"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[view?.id ?? NO_VIEW]}
      >
        {choices.map(({ each, id, label }) => (
          <PopupMenuItem
            key={id}
            id={id}
            textValue={label}
            className={menuItemClass()}
            onAction={() => onChoose(each)}
          >
            {({ isSelected }) => (
              <>
                <span aria-hidden className="flex size-4 items-center justify-center">
                  {isSelected && <Check size={16} strokeWidth={1.5} />}
                </span>
                <Truncate text={label} className="flex-1" />
                <Notes view={each} isDefault={each !== undefined && each === defaultOf(views)} />
              </>
            )}
          </PopupMenuItem>
        ))}
      </MenuSection>
      <MenuSection aria-label="Actions" className="mt-1 border-t pt-1">
        {actions.map((action) => (
          <MenuItem key={action.label} action={action} />
        ))}
      </MenuSection>
      <MenuSection aria-label="Files" className="mt-1 border-t pt-1">
        {exports.map((action) => (
          <MenuItem key={action.label} action={action} />
        ))}
      </MenuSection>
    </PopupMenu>
  )
}

function Notes({ view, isDefault }: { view: SavedView | undefined; isDefault: boolean }) {
  const notes = [isDefault && 'default', view?.projectId && 'shared'].filter(Boolean)
  if (notes.length === 0) return null
  return <span className="text-xs text-tertiary">{notes.join(', ')}</span>
}
