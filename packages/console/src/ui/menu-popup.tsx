import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react'
import { useRouter } from '@tanstack/react-router'
import { RouterProvider } from 'react-aria-components'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuStateContext,
  type MenuItemProps,
} from 'react-aria-components/Menu'
import { ArrowUpRight } from 'lucide-react'
import { cx } from './cx.ts'
import type { MenuAction } from './menu-action.ts'
import type { PopupProps } from './popup-button.tsx'
import { PopupFrame, type PopupPlacement } from './popup-frame.tsx'
import { itemReachedBy } from './popup-keys.ts'
import { RowActionsContext } from './row-actions.ts'
import { useRefusalReason, useSendingStopped } from './server-state.ts'
import { tooltip } from './tooltip.tsx'
import { Truncate } from './text.tsx'

export const menuItemClass = (danger = false) =>
  cx(
    'group flex min-h-8 items-center gap-2 rounded-sm px-2 text-sm outline-none',
    'data-focused:bg-hover aria-disabled:text-disabled',
    danger ? 'text-red-text' : 'text-primary',
    'cursor-default no-underline',
  )

export const menuFrameClass =
  'max-h-(--available-height) max-w-[min(20rem,calc(100vw-1rem))] min-w-44 animate-[rise-in_120ms_ease-out]'

/** The frame of menus and small popovers. */
export function MenuFrame(props: {
  from: PopupProps
  placement: PopupPlacement
  className?: string
  children: ReactNode
}) {
  const { from, placement, className, children } = props
  return (
    <PopupFrame
      id={from.id}
      anchor={from.anchor}
      placement={placement}
      onClose={from.onClose}
      className={cx(menuFrameClass, className)}
    >
      {children}
    </PopupFrame>
  )
}

/** The item reached by keys before the menu had the focus. */
const ReachedItem = createContext<{ id?: string; chosen: boolean }>({ chosen: false })

type PopupMenuProps = {
  from: PopupProps
  placement: PopupPlacement
  className?: string
  /** The items in order, by the `id` of each item. */
  order: readonly { id: string; label: string }[]
  children: ReactNode
}

/** A menu in its frame, with `PopupMenuItem`s as children, optionally in sections. */
export function PopupMenu({ from, placement, className, order, children }: PopupMenuProps) {
  const { keys } = from
  const walk = () => {
    const labels = order.map(({ label }) => label)
    const { index, chosen } = itemReachedBy(labels, keys)
    return { keys, reached: { id: order[index]?.id, chosen } }
  }
  // Only keys change the reached item: one that moves into its place must not take the focus.
  const [walked, setWalked] = useState(walk)
  if (walked.keys !== keys) setWalked(walk())
  const { reached } = walked
  const { history } = useRouter()
  return (
    <MenuFrame from={from} placement={placement} className={className}>
      <RouterProvider navigate={(path) => history.push(path)}>
        <ReachedItem value={reached}>
          <AriaMenu
            aria-label={from.label}
            // Without a reached item the focus goes to the menu itself.
            // eslint-disable-next-line jsx-a11y/no-autofocus -- a menu that was opened has the focus
            autoFocus={reached.id === undefined}
            onClose={from.onClose}
            className="outline-none"
          >
            {children}
          </AriaMenu>
        </ReachedItem>
      </RouterProvider>
    </MenuFrame>
  )
}

/** Focuses its item if keys had reached it. */
function Reached({ id, item }: { id: string; item: RefObject<HTMLElement | null> }) {
  const reached = useContext(ReachedItem)
  const state = useContext(MenuStateContext)
  const here = reached.id === id
  const { chosen } = reached
  const reach = useEffectEvent((chosen: boolean) => {
    state?.selectionManager.setFocused(true)
    state?.selectionManager.setFocusedKey(id)
    // The library waits for transitions before focusing; keys do not.
    item.current?.focus()
    if (chosen) item.current?.click()
  })
  useEffect(() => {
    if (here) reach(chosen)
  }, [here, chosen])
  return null
}

type PopupMenuItemProps = Omit<MenuItemProps, 'id' | 'children'> & {
  id: string
  children: ReactNode | ((state: { isSelected: boolean }) => ReactNode)
}

export function PopupMenuItem({ children, ...props }: PopupMenuItemProps): ReactElement {
  const item = useRef<HTMLDivElement>(null)
  return (
    <AriaMenuItem ref={item} {...props}>
      {(state) => (
        <>
          <Reached id={props.id} item={item} />
          {typeof children === 'function' ? children(state) : children}
        </>
      )}
    </AriaMenuItem>
  )
}

const isExternal = (href: string | undefined) => Boolean(href && /^https?:/.test(href))

/** Reason why an action is disabled. */
function useReason({ calls, disabledReason, onAction, local }: MenuAction) {
  const stopped = useSendingStopped()
  return useRefusalReason()(calls) || disabledReason || (onAction && !local && stopped)
}

/** The menu item of a `MenuAction`. */
export function MenuItem({ action }: { action: MenuAction }) {
  const { label, icon, onAction, href, danger, staysOpen } = action
  const disabledReason = useReason(action)
  const off = Boolean(disabledReason)
  const external = isExternal(href)
  return (
    <PopupMenuItem
      id={label}
      textValue={label}
      className={menuItemClass(danger && !off)}
      onAction={off ? undefined : onAction}
      href={off ? undefined : href}
      target={external ? '_blank' : undefined}
      rel={external ? 'noreferrer' : undefined}
      shouldCloseOnSelect={!off && !staysOpen}
      // Not `isDisabled`: the item must stay focusable, so that its reason can be read.
      render={(domProps: object) => {
        const description = off
          ? { 'aria-disabled': true, 'aria-description': disabledReason || undefined }
          : {}
        const all = {
          ...domProps,
          ...description,
          ...tooltip(disabledReason || undefined),
          'data-tooltip-side': 'start',
        }
        const Element = href && !off ? 'a' : 'div'
        return <Element {...all} />
      }}
    >
      {icon && <span className="text-tertiary">{icon}</span>}
      <Truncate text={label} className="flex-1" />
      {external && <ArrowUpRight size={14} strokeWidth={1.5} aria-hidden />}
    </PopupMenuItem>
  )
}

export type MenuContent = { items: MenuAction[]; placement?: PopupPlacement }

/** A menu of actions. */
export function MenuPopup({ items, placement = 'bottom-end', ...from }: PopupProps & MenuContent) {
  return (
    <PopupMenu
      from={from}
      placement={placement}
      order={items.map(({ label }) => ({ id: label, label }))}
    >
      {items.map((action) => (
        <MenuItem key={action.label} action={action} />
      ))}
    </PopupMenu>
  )
}

export type RowMenuContent = { row: object }

/** The menu of a table row. */
export function RowMenuPopup({ row, ...from }: PopupProps & RowMenuContent) {
  const actionsOf = useContext(RowActionsContext)
  return <MenuPopup {...from} items={actionsOf?.(row as never) ?? []} />
}
