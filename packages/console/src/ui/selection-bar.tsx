import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { ChevronDown, X } from 'lucide-react'
import { ActionButtons } from './action-buttons.tsx'
import { IconButton } from './button.tsx'
import { bottomBar } from './bottom-bar.tsx'
import { useShortcuts } from './keyboard/use-shortcut.ts'
import type { MenuAction } from './menu-action.ts'
import { Menu } from './menu.tsx'

type SelectionBarProps = {
  /** Size of the selection, as text. */
  selected: string
  actions: MenuAction[]
  onClear: () => void
  /** The first action takes the focus, which `onFocus` reports. */
  takesFocus?: boolean
  onFocus?: () => void
  /** Content after the text. */
  children?: ReactNode
}

/** Floating bar above the pagination while rows are selected. */
export function SelectionBar(props: SelectionBarProps) {
  const { selected, actions, onClear, takesFocus = false, onFocus, children } = props
  const bar = useRef<HTMLDivElement>(null)
  useBarKeys(bar, onClear)
  const takeFocus = useEffectEvent(() => {
    focusFirst(bar.current)
    onFocus?.()
  })
  useEffect(() => {
    if (takesFocus) takeFocus()
  }, [takesFocus])
  return (
    <div
      ref={bar}
      {...bottomBar}
      role="toolbar"
      aria-label="Bulk actions"
      className="sticky bottom-14 z-10 mx-auto mt-3 mb-2 flex w-fit max-w-[calc(100%-2rem)] animate-[rise-in_140ms_ease-out] flex-wrap items-center justify-end gap-x-2 gap-y-1 rounded-card border border-line-strong bg-floating py-1.5 pe-1.5 ps-4 shadow-floating"
    >
      <output className="me-auto pe-2 whitespace-nowrap tabular-nums">{selected}</output>
      {children}
      <span className="flex items-center gap-1 max-sm:hidden">
        <ActionButtons size="sm" actions={actions} about={selected} />
      </span>
      <span className="sm:hidden">
        <Menu
          label="Actions of the selection"
          variant="secondary"
          square={false}
          items={actions}
          trigger={
            <>
              Actions
              <ChevronDown size={14} strokeWidth={1.5} aria-hidden />
            </>
          }
        />
      </span>
      <IconButton
        label="Clear selection"
        size="sm"
        icon={<X size={16} strokeWidth={1.5} aria-hidden />}
        onClick={onClear}
      />
    </div>
  )
}

/**
 * Escape clears the selection. The actions key of a selected row acts on the whole selection:
 * it focuses the bar, without Tab through all rows.
 */
function useBarKeys(bar: { current: HTMLElement | null }, onClear: () => void) {
  useShortcuts({
    clearSelection() {
      const box = document.querySelector<HTMLElement>('.select-cell input')
      if (bar.current?.contains(document.activeElement)) box?.focus()
      onClear()
    },
    actions() {
      const row = document.activeElement?.closest('.table-frame tbody tr')
      if (row && !row.querySelector('.select-cell :checked')) return false
      focusFirst(bar.current)
      return true
    },
  })
}

function focusFirst(bar: HTMLElement | null): void {
  const buttons = [...(bar?.querySelectorAll<HTMLElement>('button') ?? [])]
  buttons.find((button) => button.checkVisibility())?.focus()
}
