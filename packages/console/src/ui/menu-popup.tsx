import { useContext, useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { OverlayTriggerStateContext } from 'react-aria-components/Dialog'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuTrigger,
  RootMenuTriggerStateContext,
  type MenuItemProps,
} from 'react-aria-components/Menu'
import { Popover, type PopoverProps } from 'react-aria-components/Popover'
import { ArrowUpRight } from 'lucide-react'
import { cx } from './cx.ts'
import type { MenuAction } from './menu-action.ts'
import type { PopupProps } from './popup-button.tsx'
import { tooltip } from './tooltip.tsx'

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
  const { label, icon, onAction, href, disabledReason, danger } = action
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

const pressKey = (element: Element, key: string): void =>
  void element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))

/** The button of a popup, in the place of the one that stood in for it. */
export function PopupTrigger({ button, takeBeginning }: PopupProps) {
  const { label, className, children, tooltip: text } = button
  const element = useRef<HTMLButtonElement>(null)
  const menu = useContext(RootMenuTriggerStateContext)
  const dialog = useContext(OverlayTriggerStateContext)
  const goOn = useEffectEvent(() => {
    const { pressed, focused } = takeBeginning()
    // First the focus: closing gives it back to where it was.
    if (pressed || focused) element.current?.focus()
    if (!pressed) return
    if (!menu || pressed === 'pointer') dialog?.open()
    // Pressed once more, for the menu to know that its items are walked by keyboard.
    else pressKey(element.current!, pressed === 'first' ? 'ArrowDown' : 'ArrowUp')
  })
  useEffect(() => goOn(), [])
  return (
    <AriaButton
      ref={element}
      aria-label={label}
      className={className}
      render={(props) => <button {...props} {...tooltip(text)} />}
    >
      {children}
    </AriaButton>
  )
}

/** A button with a menu of actions. */
export function MenuPopup(
  props: PopupProps & { items: MenuAction[]; placement?: PopoverProps['placement'] },
) {
  const { items, placement = 'bottom end', ...begun } = props
  return (
    <MenuTrigger>
      <PopupTrigger {...begun} />
      <MenuPopover placement={placement}>
        <AriaMenu aria-label={begun.button.label} className="outline-none">
          {items.map((action) => (
            <MenuItem key={action.label} action={action} />
          ))}
        </AriaMenu>
      </MenuPopover>
    </MenuTrigger>
  )
}
