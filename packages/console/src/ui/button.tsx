import { createLink } from '@tanstack/react-router'
import {
  useId,
  type AnchorHTMLAttributes,
  type ButtonHTMLAttributes,
  type ReactNode,
  type Ref,
} from 'react'
import { cx } from './cx.ts'
import { type Calls, useRefusalReason, useSendingStopped } from './server-state.ts'
import { Spinner } from './spinner.tsx'
import { tooltip } from './tooltip.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'sm' | 'md'

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent enabled-hover:bg-accent-hover border-transparent',
  secondary: 'bg-raised text-primary border-line-strong enabled-hover:bg-hover',
  ghost: 'text-secondary border-transparent enabled-hover:bg-hover enabled-hover:text-primary',
  danger: 'bg-red text-on-red border-transparent enabled-hover:bg-red-hover',
}

export function buttonClass(
  variant: ButtonVariant = 'secondary',
  size: ButtonSize = 'md',
  square = false,
): string {
  return cx(
    'relative inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control border font-medium whitespace-nowrap select-none',
    'transition-[background-color,color,opacity] duration-[140ms]',
    'aria-disabled:opacity-50',
    size === 'sm' ? 'h-7 text-xs' : 'h-8 text-sm',
    square ? (size === 'sm' ? 'w-7' : 'w-8') : size === 'sm' ? 'px-2.5' : 'px-3',
    variants[variant],
  )
}

export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
  loading?: boolean
  disabled?: boolean
  /** Reason why the button is disabled. Any text disables it; the button stays focusable. */
  disabledReason?: string | false | null
  /**
   * Operation behind the button: it is disabled with a reason unless the user's roles permit
   * this.
   */
  calls?: Calls
  /**
   * The button sends something to the server, at once or later: it is disabled with the reason
   * while nothing can be sent. Defaults to true for submit buttons.
   */
  sends?: boolean
  ref?: Ref<HTMLButtonElement>
  square?: boolean
}

export function Button(props: ButtonProps) {
  const { variant, size, icon, loading, disabled, square, ...others } = props
  const { children, className, onClick, type = 'button', ...rest } = others
  const { sends = type === 'submit', calls, disabledReason: why, ...domProps } = rest
  const stopped = useSendingStopped()
  const forbidden = useRefusalReason()(calls)
  const disabledReason = forbidden || why || (sends && stopped)
  const reasonId = useId()
  const off = Boolean(disabled || disabledReason || loading)
  return (
    <button
      {...domProps}
      // A disabled submit button must not submit by Enter in a field either.
      type={off && type === 'submit' ? 'button' : type}
      aria-disabled={off || undefined}
      aria-describedby={disabledReason ? reasonId : domProps['aria-describedby']}
      className={cx(buttonClass(variant, size, square), className)}
      onClick={off ? (event) => event.preventDefault() : onClick}
      {...tooltip(disabledReason || undefined)}
    >
      {loading && (
        <span className="absolute inset-0 flex items-center justify-center">
          <Spinner />
        </span>
      )}
      <span className={cx('inline-flex items-center gap-1.5', loading && 'invisible')}>
        {icon}
        {children}
      </span>
      {disabledReason && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </button>
  )
}

/** A button with only an icon; its label is the accessible name and the tooltip. */
export function IconButton({
  label,
  icon,
  disabledReason,
  ...props
}: Omit<ButtonProps, 'children' | 'aria-label'> & { label: string; icon: ReactNode }) {
  return (
    <Button
      variant="ghost"
      square
      {...tooltip(label)}
      {...props}
      disabledReason={disabledReason}
      aria-label={label}
    >
      {icon}
    </Button>
  )
}

type AnchorButtonProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
  ref?: Ref<HTMLAnchorElement>
}

function AnchorButton({ variant, size, icon, className, children, ...props }: AnchorButtonProps) {
  return (
    <a {...props} className={cx(buttonClass(variant, size), className)}>
      {icon}
      {children}
    </a>
  )
}

/** A link that looks like a button, typed like the router's `Link`. */
export const LinkButton = createLink(AnchorButton)
