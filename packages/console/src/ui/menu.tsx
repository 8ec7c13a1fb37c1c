import { useContext, useEffect, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { OverlayTriggerStateContext } from 'react-aria-components/Dialog'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuTrigger,
  type MenuItemProps,
} from 'react-aria-components/Menu'
import { Popover, type PopoverProps } from 'react-aria-components/Popover'
import { ArrowUpRight, Ellipsis } from 'lucide-react'
import { buttonClass, type ButtonSize, type ButtonVariant } from './button.tsx'
import { cx } from './cx.ts'
import { tooltip } from './tooltip.tsx'

export type MenuAction = {
  label: string
  icon?: ReactNode
  onAction?: () => void
  /** A path of the app, or an `http(s)` address, which opens in a new tab. */
  href?: string
  /** Why it cannot be done now. Any text disables the item, which stays reachable. */
  disabledReason?: string | false | null
  /** Red. An item labelled "Delete" is so by itself. */
  danger?: boolean
}

export const menuItemClass = (danger = false) =>
  cx(
    'group flex min-h-8 items-center gap-2 rounded-sm px-2 text-sm outline-none',
    'data-focused:bg-hover aria-disabled:text-disabled',
    danger ? 'text-red-text' : 'text-primary',
    'cursor-default no-underline',
  )

/** The floating frame of menus and small popovers. Not modal: the page keeps scrolling. */
export function MenuPopover({
  className,
  children,
  ...props
}: Omit<PopoverProps, 'children'> & { className?: string; children: ReactNode }) {
  return (
    <Popover
      offset={4}
      isNonModal
      {...props}
      data-menu-popover=""
      className={cx(
        'max-w-80 min-w-44 overflow-y-auto rounded-card border border-line-strong bg-floating p-1 shadow-floating outline-none',
        'data-entering:animate-[rise-in_120ms_ease-out]',
        className,
      )}
    >
      <CloseOnPressOutside />
      {children}
    </Popover>
  )
}

/** A popover that is not modal closes only when focus moves; a press on bare page must do it too. */
function CloseOnPressOutside() {
  const state = useContext(OverlayTriggerStateContext)
  useEffect(() => {
    const onPress = (event: PointerEvent) => {
      const target = event.target as Element
      if (!target.closest('[data-menu-popover], [aria-expanded=true]')) state?.close()
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [state])
  return null
}

const isExternal = (href: string | undefined) => Boolean(href && /^https?:/.test(href))

export function MenuItem({
  action,
  ...props
}: { action: MenuAction } & Omit<MenuItemProps, 'action'>) {
  const { label, icon, onAction, href, disabledReason, danger = label === 'Delete' } = action
  const off = Boolean(disabledReason)
  const external = isExternal(href)
  return (
    <AriaMenuItem
      {...props}
      id={label}
      textValue={label}
      className={menuItemClass(danger && !off)}
      onAction={off ? undefined : onAction}
      href={off ? undefined : href}
      target={external ? '_blank' : undefined}
      rel={external ? 'noreferrer' : undefined}
      shouldCloseOnSelect={!off}
      // Not `isDisabled`: the keyboard must reach the item, for its reason to be read.
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
      <span className="flex-1 truncate">{label}</span>
      {external && <ArrowUpRight size={14} strokeWidth={1.5} aria-hidden />}
    </AriaMenuItem>
  )
}

type MenuProps = {
  label: string
  items: MenuAction[]
  trigger?: ReactNode
  variant?: ButtonVariant
  size?: ButtonSize
  square?: boolean
  placement?: PopoverProps['placement']
}

/** A button with a menu of actions. Without `trigger` the button shows an ellipsis. */
export function Menu(props: MenuProps) {
  const { label, items, trigger, variant = 'ghost', size = 'sm', square, placement } = props
  return (
    <MenuTrigger>
      <AriaButton
        aria-label={label}
        className={cx(
          buttonClass(variant, size, square ?? !trigger),
          'focus-inset hover:bg-hover aria-expanded:bg-pressed aria-expanded:text-primary',
        )}
      >
        {trigger ?? <Ellipsis size={16} strokeWidth={1.5} aria-hidden />}
      </AriaButton>
      <MenuPopover placement={placement ?? 'bottom end'}>
        <AriaMenu aria-label={label} className="outline-none">
          {items.map((action) => (
            <MenuItem key={action.label} action={action} />
          ))}
        </AriaMenu>
      </MenuPopover>
    </MenuTrigger>
  )
}

/** The menu at the end of a table row. A row with an ID offers to copy it first. */
export function RowActions({
  id,
  copyIdLabel = 'Copy ID',
  items,
}: {
  id?: string
  copyIdLabel?: string
  items: MenuAction[]
}) {
  const copy = id
    ? [{ label: copyIdLabel, onAction: () => void navigator.clipboard.writeText(id) }]
    : []
  return <Menu label="Row actions" items={[...copy, ...items]} />
}
